// Vectors in a process that may be under `ulimit -v`: prints whether WebAssembly
// gets a memory there, and what a table of a thousand owners finds.

import { scanNearest } from '../../src/search/vectors/nearest.ts';
import { createVectorTable } from '../../src/search/vectors/table.ts';
import { createMemory } from '../../src/search/vectors/wasm.ts';

const DIM = 384;
const axis = (i: number): Float32Array => {
  const vector = new Float32Array(DIM);
  vector[i % DIM] = 1;
  return vector;
};
const hasMemory = createMemory() !== null;
const table = createVectorTable(DIM);
for (let owner = 0; owner < 1_000; owner++) table.set(owner, [axis(owner)]);
const found = scanNearest(table, axis(5), 3, new Set(Array.from({ length: 1_000 }, (_, i) => i)));
process.stdout.write(JSON.stringify({ hasMemory, owners: found.map(({ owner }) => owner) }));
