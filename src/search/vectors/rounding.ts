import {
  advance,
  assemble,
  type Code,
  F32,
  f32,
  f32Divide,
  f32Greater,
  f32Max,
  f32Root,
  f32Store,
  f32x4Abs,
  f32x4Add,
  f32x4Lane,
  f32x4Max,
  f32x4Multiply,
  f32x4Nearest,
  f32x4Splat,
  f32x4Subtract,
  f32x4Sum,
  f32x4ToI32,
  get,
  I32,
  i16x8Narrow,
  i32Add,
  i32x4Narrow,
  i32x4ToF32,
  instantiate,
  type Memory,
  repeatUntil,
  set,
  V128,
  v128Load,
  v128Store,
  v128Zero,
  when,
} from './wasm.ts';

/**
 * Round a vector to bytes, all addresses in the function's memory: the greatest
 * number becomes 127 or -127.
 *
 * @param vector numbers in single precision, as many as `bytes`
 * @param codes gets `bytes` codes, then the step from one code to the next, then
 *   the length of what was taken away (both in single precision)
 * @param bytes a multiple of 16
 * @returns the vector's length
 */
export type RoundRow = (vector: number, codes: number, bytes: number) => number;

const GREATEST_CODE = 127;

const [VECTOR, CODES, BYTES] = [0, 1, 2];
const [LAST, AT, TO] = [3, 4, 5];
const [GREATEST, STEP, INVERSE] = [6, 7, 8];
const [A, LOST, WHOLE, X] = [9, 10, 11, 12];
/** Four locals in a row: sixteen codes as integers. */
const PARTS = 13;

const each = (body: Code): Code => [
  ...[...get(VECTOR), ...set(AT), ...get(CODES), ...set(TO)],
  ...[...get(CODES), ...get(BYTES), ...i32Add, ...set(LAST)],
  ...repeatUntil(TO, LAST, [...body, ...advance(AT, 64), ...advance(TO, 16)]),
];

const addSquare = (sum: number): Code => [
  ...[...get(X), ...get(X), ...f32x4Multiply, ...get(sum), ...f32x4Add, ...set(sum)],
];

const lanes = [0, 1, 2, 3];

const body: Code = [
  ...each(
    lanes.flatMap((n) => [
      ...[...get(A), ...get(AT), ...v128Load(n * 16), ...f32x4Abs, ...f32x4Max, ...set(A)],
    ]),
  ),
  ...lanes.flatMap((n) => [
    ...get(GREATEST),
    ...get(A),
    ...f32x4Lane(n),
    ...f32Max,
    ...set(GREATEST),
  ]),
  ...[...get(GREATEST), ...f32(GREATEST_CODE), ...f32Divide, ...set(STEP)],
  ...[...get(STEP), ...f32(0), ...f32Greater],
  ...when([...f32(1), ...get(STEP), ...f32Divide, ...set(INVERSE)]),
  ...[...v128Zero, ...set(LOST), ...v128Zero, ...set(WHOLE)],
  ...each([
    ...lanes.flatMap((n) => [
      ...[...get(AT), ...v128Load(n * 16), ...set(X)],
      ...addSquare(WHOLE),
      ...[...get(X), ...get(INVERSE), ...f32x4Splat, ...f32x4Multiply],
      ...[...f32x4Nearest, ...f32x4ToI32, ...set(PARTS + n)],
      ...[...get(X), ...get(PARTS + n), ...i32x4ToF32, ...get(STEP), ...f32x4Splat],
      ...[...f32x4Multiply, ...f32x4Subtract, ...set(X)],
      ...addSquare(LOST),
    ]),
    ...get(TO),
    ...[...get(PARTS), ...get(PARTS + 1), ...i32x4Narrow],
    ...[...get(PARTS + 2), ...get(PARTS + 3), ...i32x4Narrow],
    ...[...i16x8Narrow, ...v128Store(0)],
  ]),
  // TO is behind the codes now.
  ...[...get(TO), ...get(STEP), ...f32Store, ...advance(TO, 4)],
  ...[...get(TO), ...f32x4Sum(LOST), ...f32Root, ...f32Store],
  ...[...f32x4Sum(WHOLE), ...f32Root],
];

let module: object | undefined;

export function createRounding(memory: Memory): RoundRow {
  module ??= assemble(
    [I32, I32, I32],
    [F32],
    [
      [3, I32],
      [3, F32],
      [8, V128],
    ],
    body,
  );
  return instantiate<RoundRow>(module, memory);
}
