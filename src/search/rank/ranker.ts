import { FEATURES, type FeatureName } from './features.ts';
import fitted from './weights.json' with { type: 'json' };

/** What `scripts/train/ranker.ts` writes. */
export interface RankerWeights {
  /** Score = Σ weight × feature; only differences within one query mean anything. */
  features: Record<string, number>;
  /**
   * Logit of the probability that a result helps:
   * bias + gap × (score − best score) + fused × fused of the first + cover × coverAny of the first.
   */
  calibration: { bias: number; gap: number; fused: number; cover: number };
  /** A best probability below this is a weak answer. */
  abstention: number;
}

export const WEIGHTS: RankerWeights = fitted;

export interface RankedRow {
  /** Position in the list that was given. */
  at: number;
  /** The learned score; comparable within one query only. */
  raw: number;
  /** Probability that the entry helps, in (0, 1); falls with the rank. */
  probability: number;
}

/**
 * Order a list by the learned ranking.
 *
 * @param rows features of each candidate ({@link FEATURES} order)
 * @returns best first; equal ones keep the order they came in
 */
export function rankRows(
  rows: readonly Float64Array[],
  weights: RankerWeights = WEIGHTS,
): RankedRow[] {
  const vector = FEATURES.map((name) => weights.features[name] ?? 0);
  const scored = rows.map((row, at) => ({ at, raw: scoreRow(row, vector), probability: 0 }));
  scored.sort((a, b) => b.raw - a.raw || a.at - b.at);
  const first = scored[0];
  if (first === undefined) return [];
  const { bias, gap, fused, cover } = weights.calibration;
  const top = rows[first.at]!;
  const evidence = bias + fused * top[FUSED]! + cover * top[COVER]!;
  for (const result of scored)
    result.probability = logistic(evidence + gap * (result.raw - first.raw));
  return scored;
}

export function logistic(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}

export function featureAt(name: FeatureName): number {
  return FEATURES.indexOf(name);
}

const FUSED = featureAt('fused');
const COVER = featureAt('coverAny');

function scoreRow(row: Float64Array, weights: readonly number[]): number {
  let score = 0;
  for (let i = 0; i < row.length; i++) score += row[i]! * weights[i]!;
  return score;
}
