import { createRounding } from './rounding.ts';
import {
  advance,
  assemble,
  type Code,
  createMemory,
  F32,
  f32Add,
  f32Greater,
  f32Load,
  f32Multiply,
  get,
  I32,
  i16x8Dot,
  i32Add,
  i32Store,
  i32x4Add,
  i32x4Lane,
  instantiate,
  load8x8,
  PAGE_BYTES,
  repeatUntil,
  set,
  toF32,
  V128,
  v128Load,
  v128Zero,
  when,
  whileNotZero,
} from './wasm.ts';

/**
 * Rows rounded to bytes, with the length of what the rounding took: enough to
 * say which rows cannot be among the nearest, at a quarter of the memory that
 * the rows themselves would have to be read from. What is left is compared on
 * the rows; nothing is ever lost, since by Cauchy and Schwarz
 *
 *   |query · row − query · rounded| ≤ |query| × |row − rounded|.
 */
export interface RowCodes {
  /**
   * Make room for this many rows.
   *
   * @throws RangeError where there is no memory for them; those that were there stay
   */
  reserve(rows: number): void;
  /** Round a row that there is room for; rows may come in any order. */
  set(row: number, vector: Float32Array): void;
  /** Make ready for {@link above} with this query. */
  ask(query: Float32Array): void;
  /**
   * Rows of `from … from + count − 1` whose product with the query may be above
   * `floor`, ascending; the array is used again by the next call.
   *
   * @param count at most {@link BLOCK_ROWS}
   */
  above(floor: number, from: number, count: number): Uint32Array;
}

/** Rows of one step of a scan: between steps the floor rises. */
export const BLOCK_ROWS = 1_024;

const CODE_ALIGN = 32;
/** Behind a row's codes: the step between codes, the length of what rounding took, and room to keep rows aligned. */
const FACT_BYTES = 16;
const MAX_CODE = 127;
const MAX_QUERY_CODE = 32_767;
/** Products in single precision, ours and the exact ones, are this much off at most for unit vectors. */
const ARITHMETIC_SLACK = 2e-5;

const [ROW, FIRST, ROWS, QUERY, BYTES, LIST, FLOOR, SCALE, LENGTH, SLACK] = [
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
];
const [LAST, Q, A, B] = [10, 11, 12, 13];

const accumulate = (sum: number, offset: number): Code => [
  ...get(sum),
  ...[...get(ROW), ...load8x8(offset), ...get(Q), ...v128Load(offset * 2)],
  ...[...i16x8Dot, ...i32x4Add, ...set(sum)],
];

/** For each row: the sum of the products of codes, scaled, and the most that rounding hides. */
const body = [
  ...whileNotZero(ROWS, [
    ...[...v128Zero, ...set(A), ...v128Zero, ...set(B)],
    ...[...get(QUERY), ...set(Q)],
    ...[...get(ROW), ...get(BYTES), ...i32Add, ...set(LAST)],
    ...repeatUntil(ROW, LAST, [
      ...[...accumulate(A, 0), ...accumulate(B, 8), ...accumulate(A, 16), ...accumulate(B, 24)],
      ...[...advance(ROW, CODE_ALIGN), ...advance(Q, CODE_ALIGN * 2)],
    ]),
    ...[...get(A), ...get(B), ...i32x4Add, ...set(A)],
    ...[...get(A), ...i32x4Lane(0), ...get(A), ...i32x4Lane(1), ...i32Add],
    ...[...get(A), ...i32x4Lane(2), ...i32Add, ...get(A), ...i32x4Lane(3), ...i32Add],
    ...[...toF32, ...get(ROW), ...f32Load(0), ...f32Multiply, ...get(SCALE), ...f32Multiply],
    ...[...get(ROW), ...f32Load(4), ...get(LENGTH), ...f32Multiply, ...f32Add],
    ...[...get(SLACK), ...f32Add, ...get(FLOOR), ...f32Greater],
    ...when([...get(LIST), ...get(FIRST), ...i32Store, ...advance(LIST, 4)]),
    ...[...advance(ROW, FACT_BYTES), ...advance(FIRST, 1), ...advance(ROWS, -1)],
  ]),
  ...get(LIST),
];

type Run = (
  row: number,
  first: number,
  rows: number,
  query: number,
  bytes: number,
  list: number,
  floor: number,
  scale: number,
  length: number,
  slack: number,
) => number;

let module: object | undefined;

export function createRowCodes(dim: number): RowCodes {
  const memory = createMemory();
  if (memory === null) return passAll();
  module ??= assemble(
    [I32, I32, I32, I32, I32, I32, F32, F32, F32, F32],
    [I32],
    [
      [2, I32],
      [2, V128],
    ],
    body,
  );
  const run = instantiate<Run>(module, memory);
  const round = createRounding(memory);
  const bytes = Math.ceil(dim / CODE_ALIGN) * CODE_ALIGN;
  const stride = bytes + FACT_BYTES;
  // The memory holds: the query's codes, a vector to be rounded, the list of rows, the rows.
  const queryAt = 0;
  const vectorAt = bytes * 2;
  const listAt = vectorAt + bytes * 4;
  const rowsAt = listAt + BLOCK_ROWS * 4;
  /** The sum of products must fit 32 bits, whatever the codes. */
  const greatest = Math.min(MAX_QUERY_CODE, Math.floor((2 ** 31 - 1) / (MAX_CODE * bytes)));
  let [scale, length, slack] = [0, 0, 0];
  let longest = 0;

  return {
    reserve(rows) {
      const missing = rowsAt + rows * stride - memory.buffer.byteLength;
      // 64 pages hold 10,000 rows of 384.
      if (missing > 0) memory.grow(Math.max(Math.ceil(missing / PAGE_BYTES), 64));
    },
    set(row, vector) {
      new Float32Array(memory.buffer, vectorAt, dim).set(vector);
      longest = Math.max(longest, round(vectorAt, rowsAt + row * stride, bytes));
    },
    ask(query) {
      const codes = new Int16Array(memory.buffer, queryAt, dim);
      const step = greatestOf(query) / greatest;
      const inverse = step > 0 ? 1 / step : 0;
      let lost = 0;
      let whole = 0;
      for (let i = 0; i < dim; i++) {
        const value = query[i]!;
        codes[i] = roundToInt(value * inverse);
        const rest = value - codes[i]! * step;
        lost += rest * rest;
        whole += value * value;
      }
      scale = step;
      length = Math.sqrt(whole);
      // What rounding the query hides, of the longest row, rounding included (twice its length is more).
      slack = Math.sqrt(lost) * longest * 2 + ARITHMETIC_SLACK * Math.max(1, length * longest);
    },
    above(floor, from, count) {
      const end = run(
        rowsAt + from * stride,
        from,
        count,
        queryAt,
        bytes,
        listAt,
        floor,
        scale,
        length,
        slack,
      );
      return new Uint32Array(memory.buffer, listAt, (end - listAt) / 4);
    },
  };
}

/** Where WebAssembly gets no memory: no row is ruled out, each is compared. */
function passAll(): RowCodes {
  const block = new Uint32Array(BLOCK_ROWS);
  return {
    reserve() {},
    set() {},
    ask() {},
    above(_floor, from, count) {
      for (let i = 0; i < count; i++) block[i] = from + i;
      return block.subarray(0, count);
    },
  };
}

function greatestOf(vector: Float32Array): number {
  let greatest = 0;
  for (let i = 0; i < vector.length; i++) greatest = Math.max(greatest, Math.abs(vector[i]!));
  return greatest;
}

/** To the nearest; a number that is none becomes 0. */
function roundToInt(value: number): number {
  return (value + (value > 0 ? 0.5 : -0.5)) | 0;
}
