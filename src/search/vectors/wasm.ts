/**
 * Just enough of an assembler for WebAssembly functions of a few lines: they
 * are put together byte by byte, so that no build step and no binary is needed.
 */

/** A WebAssembly memory; its buffer is another one after it grew. */
export interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** The compiler's ES library has no types for WebAssembly, which every Node has. */
const { WebAssembly: wasm } = globalThis as unknown as {
  WebAssembly: {
    Module: new (bytes: Uint8Array) => object;
    Memory: new (size: { initial: number }) => Memory;
    Instance: new (module: object, imports: object) => { exports: Record<string, unknown> };
  };
};

export const PAGE_BYTES = 65_536;

export const I32 = 0x7f;
export const F32 = 0x7d;
export const V128 = 0x7b;

const VOID = 0x40;
const END = 0x0b;
const NAME = 'run';

export type Code = readonly number[];

export const get = (local: number): Code => [0x20, local];
export const set = (local: number): Code => [0x21, local];
export const i32 = (value: number): Code => [0x41, ...signed(value)];
export const i32Add: Code = [0x6a];
export const i32Less: Code = [0x49];
export const i32Store: Code = [0x36, 2, 0];
export const toF32: Code = [0xb2];
export const f32Load = (offset: number): Code => [0x2a, 2, offset];
export const f32Store: Code = [0x38, 2, 0];
export const f32Add: Code = [0x92];
export const f32Multiply: Code = [0x94];
export const f32Divide: Code = [0x95];
export const f32Max: Code = [0x97];
export const f32Root: Code = [0x91];
export const f32Greater: Code = [0x5e];
export const f32 = (value: number): Code => [
  0x43,
  ...new Uint8Array(Float32Array.of(value).buffer),
];
export const v128Load = (offset: number): Code => [0xfd, 0x00, 4, offset];
/** Eight bytes as eight signed 16-bit lanes. */
export const load8x8 = (offset: number): Code => [0xfd, 0x01, 3, offset];
export const v128Zero: Code = [0xfd, 0x0c, ...new Array<number>(16).fill(0)];
export const f32x4Add: Code = [0xfd, 0xe4, 0x01];
export const f32x4Multiply: Code = [0xfd, 0xe6, 0x01];
export const f32x4Subtract: Code = [0xfd, 0xe5, 0x01];
export const f32x4Abs: Code = [0xfd, 0xe0, 0x01];
export const f32x4Max: Code = [0xfd, 0xe9, 0x01];
export const f32x4Nearest: Code = [0xfd, 0x6a];
export const f32x4Splat: Code = [0xfd, 0x13];
/** To integers; what is no number becomes 0. */
export const f32x4ToI32: Code = [0xfd, 0xf8, 0x01];
export const i32x4ToF32: Code = [0xfd, 0xfa, 0x01];
export const i32x4Narrow: Code = [0xfd, 0x85, 0x01];
export const i16x8Narrow: Code = [0xfd, 0x65];
export const v128Store = (offset: number): Code => [0xfd, 0x0b, 4, offset];
export const f32x4Lane = (n: number): Code => [0xfd, 0x1f, n];
export const i32x4Add: Code = [0xfd, 0xae, 0x01];
/** Products of 16-bit lanes, neighbours added, as four 32-bit lanes. */
export const i16x8Dot: Code = [0xfd, 0xba, 0x01];
export const i32x4Lane = (n: number): Code => [0xfd, 0x1b, n];

/** `local += by`, for addresses and counters. */
export const advance = (local: number, by: number): Code => [
  ...get(local),
  ...i32(by),
  ...i32Add,
  ...set(local),
];

/** Run `body` as long as the counter is not zero; the body changes it. */
export const whileNotZero = (counter: number, body: Code): Code => [
  ...[0x02, VOID, 0x03, VOID],
  ...[...get(counter), 0x45, 0x0d, 1],
  ...body,
  ...[0x0c, 0, END, END],
];

/** Run `body`, and again as long as one address is below the other. */
export const repeatUntil = (address: number, end: number, body: Code): Code => [
  ...[0x03, VOID],
  ...body,
  ...[...get(address), ...get(end), ...i32Less, 0x0d, 0, END],
];

/** The sum of the four lanes of a local, in single precision. */
export const f32x4Sum = (local: number): Code => [
  ...[...get(local), ...f32x4Lane(0), ...get(local), ...f32x4Lane(1), ...f32Add],
  ...[...get(local), ...f32x4Lane(2), ...get(local), ...f32x4Lane(3), ...f32Add, ...f32Add],
];

/** Take a condition from the stack. */
export const when = (body: Code): Code => [0x04, VOID, ...body, END];

/**
 * A module of one function over a memory that its instance brings.
 *
 * @param locals runs of locals: how many, of which type
 */
export function assemble(
  params: readonly number[],
  results: readonly number[],
  locals: readonly (readonly [count: number, type: number])[],
  body: Code,
): object {
  const code = [locals.length, ...locals.flat(), ...body, END];
  return new wasm.Module(
    Uint8Array.from([
      ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
      ...section(1, [1, 0x60, params.length, ...params, results.length, ...results]),
      // A memory of at least one page, from outside.
      ...section(2, [1, ...text('host'), ...text('memory'), 0x02, 0x00, 1]),
      ...section(3, [1, 0]),
      ...section(7, [1, ...text(NAME), 0x00, 0]),
      ...section(10, [1, ...unsigned(code.length), ...code]),
    ]),
  );
}

/**
 * A memory of one page. V8 reserves 10 GB of addresses around each, whatever its
 * maximum; null where a limit (`ulimit -v`) leaves no room for that.
 */
export function createMemory(): Memory | null {
  try {
    return new wasm.Memory({ initial: 1 });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** The module's function over a memory. */
export function instantiate<F>(module: object, memory: Memory): F {
  const { exports } = new wasm.Instance(module, { host: { memory } });
  return exports[NAME] as F;
}

function section(id: number, content: readonly number[]): number[] {
  return [id, ...unsigned(content.length), ...content];
}

function text(value: string): number[] {
  return [value.length, ...Buffer.from(value, 'latin1')];
}

/** Unsigned LEB128. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

/** Signed LEB128 of a 32-bit number. */
function signed(value: number): number[] {
  const byte = value & 0x7f;
  const rest = value >> 7;
  const isSignBit = (byte & 0x40) !== 0;
  const isLast = (rest === 0 && !isSignBit) || (rest === -1 && isSignBit);
  return isLast ? [byte] : [byte | 0x80, ...signed(rest)];
}
