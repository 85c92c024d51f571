import { FEATURES } from '../../src/search/rank/features.ts';
import type { RankedList } from './catalog.ts';

/** Ridge penalty on standardised weights: recall moves by less than a point from .001 to .03. */
const RIDGE = 0.01;
const STEPS = 250;
const RATE = 0.05;

/**
 * A linear ranker by listwise softmax: the wanted entry's share of exp(score)
 * over its list is made as large as it can be (full batch, Adam).
 *
 * @returns weights on the raw features, in FEATURES order
 */
export function fitRanker(lists: readonly RankedList[]): Float64Array {
  const usable = lists.filter(({ wanted }) => wanted >= 0);
  const size = FEATURES.length;
  const { mean, spread } = standardise(usable);
  const scaled = usable.map(({ rows, wanted }) => ({
    wanted,
    rows: rows.map((row) => row.map((value, f) => (value - mean[f]!) / spread[f]!)),
  }));
  const weights = new Float64Array(size);
  const momentum = new Float64Array(size);
  const energy = new Float64Array(size);
  for (let step = 1; step <= STEPS; step++) {
    const gradient = weights.map((weight) => RIDGE * weight);
    for (const { rows, wanted } of scaled) {
      const shares = softmax(rows.map((row) => dot(row, weights)));
      for (const [i, row] of rows.entries()) {
        const off = (shares[i]! - (i === wanted ? 1 : 0)) / scaled.length;
        for (let f = 0; f < size; f++) gradient[f]! += off * row[f]!;
      }
    }
    for (let f = 0; f < size; f++) {
      momentum[f] = 0.9 * momentum[f]! + 0.1 * gradient[f]!;
      energy[f] = 0.999 * energy[f]! + 0.001 * gradient[f]! ** 2;
      const direction = momentum[f]! / (1 - 0.9 ** step);
      weights[f]! -= (RATE * direction) / (Math.sqrt(energy[f]! / (1 - 0.999 ** step)) + 1e-8);
    }
  }
  return weights.map((weight, f) => weight / spread[f]!);
}

/**
 * Logistic regression by Newton's method, with a bias in front.
 *
 * @returns bias, then one weight for each input
 */
export function fitLogistic(
  inputs: readonly (readonly number[])[],
  labels: readonly number[],
): number[] {
  const size = inputs[0]!.length + 1;
  let weights = new Array<number>(size).fill(0);
  for (let step = 0; step < 30; step++) {
    const gradient = new Array<number>(size).fill(0);
    // The small diagonal keeps the step finite where inputs nearly coincide.
    const curvature = gradient.map((_, r) => gradient.map((_, c) => (r === c ? 1e-3 : 0)));
    for (const [i, input] of inputs.entries()) {
      const row = [1, ...input];
      const logit = row.reduce((sum, value, f) => sum + value * weights[f]!, 0);
      const probability = 1 / (1 + Math.exp(-logit));
      for (let r = 0; r < size; r++) {
        gradient[r]! += (labels[i]! - probability) * row[r]!;
        for (let c = 0; c < size; c++)
          curvature[r]![c]! += probability * (1 - probability) * row[r]! * row[c]!;
      }
    }
    const move = solve(curvature, gradient);
    weights = weights.map((weight, f) => weight + move[f]!);
  }
  return weights;
}

export function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

function standardise(lists: readonly RankedList[]) {
  const mean = new Float64Array(FEATURES.length);
  const square = new Float64Array(FEATURES.length);
  let count = 0;
  for (const { rows } of lists)
    for (const row of rows) {
      count++;
      for (const [f, value] of row.entries()) {
        mean[f]! += value;
        square[f]! += value * value;
      }
    }
  const spread = new Float64Array(FEATURES.length);
  for (let f = 0; f < FEATURES.length; f++) {
    mean[f]! /= count;
    spread[f] = Math.sqrt(Math.max(0, square[f]! / count - mean[f]! ** 2)) + 1e-6;
  }
  return { mean, spread };
}

function softmax(scores: readonly number[]): number[] {
  const best = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - best));
  const total = powers.reduce((sum, power) => sum + power, 0);
  return powers.map((power) => power / total);
}

/** Gaussian elimination with row exchange; `matrix` and `right` are used up. */
function solve(matrix: number[][], right: number[]): number[] {
  const size = right.length;
  for (let pivot = 0; pivot < size; pivot++) {
    let best = pivot;
    for (let row = pivot + 1; row < size; row++)
      if (Math.abs(matrix[row]![pivot]!) > Math.abs(matrix[best]![pivot]!)) best = row;
    [matrix[pivot], matrix[best]] = [matrix[best]!, matrix[pivot]!];
    [right[pivot], right[best]] = [right[best]!, right[pivot]!];
    for (let row = pivot + 1; row < size; row++) {
      const factor = matrix[row]![pivot]! / matrix[pivot]![pivot]!;
      for (let column = pivot; column < size; column++)
        matrix[row]![column]! -= factor * matrix[pivot]![column]!;
      right[row]! -= factor * right[pivot]!;
    }
  }
  for (let row = size - 1; row >= 0; row--) {
    for (let column = row + 1; column < size; column++)
      right[row]! -= matrix[row]![column]! * right[column]!;
    right[row]! /= matrix[row]![row]!;
  }
  return right;
}
