import type { Dots } from './dots.ts';
import { type Memory, PAGE_BYTES } from './wasm.ts';

/** Stands in for a WebAssembly memory; growing copies it. */
export function createPlainMemory(): Memory {
  let buffer = new ArrayBuffer(PAGE_BYTES);
  return {
    get buffer() {
      return buffer;
    },
    grow(pages) {
      const before = buffer.byteLength;
      const grown = new ArrayBuffer(before + pages * PAGE_BYTES);
      new Uint8Array(grown).set(new Uint8Array(buffer));
      buffer = grown;
      return before / PAGE_BYTES;
    },
  };
}

/** {@link Dots.dots} as a loop in JavaScript. */
export function multiplyPlainly(memory: Memory): Dots['dots'] {
  let numbers = new Float32Array(memory.buffer);
  return (row, rows, query, out, bytes) => {
    if (numbers.buffer !== memory.buffer) numbers = new Float32Array(memory.buffer);
    const [length, q] = [bytes / 4, query / 4];
    for (let r = 0; r < rows; r++) {
      const at = row / 4 + r * length;
      let sum = 0;
      for (let i = 0; i < length; i++) sum += numbers[at + i]! * numbers[q + i]!;
      numbers[out / 4 + r] = sum;
    }
  };
}
