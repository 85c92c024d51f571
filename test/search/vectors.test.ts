import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createAdaptiveSearch } from '../../src/search/vectors/hnsw.ts';
import { scanAllowed, scanNearest } from '../../src/search/vectors/nearest.ts';
import { createVectorTable, type VectorTable } from '../../src/search/vectors/table.ts';
import { unit } from './small-index.ts';

/** Deterministic numbers in [-1, 1]. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

const randomUnit = (next: () => number, dim: number): Float32Array =>
  unit(Array.from({ length: dim }, next));

test('similarities are inner products, for any length of vector', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.nat(), (dim, seed) => {
      const next = numbers(seed);
      const table = createVectorTable(dim);
      const vectors = Array.from({ length: 5 }, () => randomUnit(next, dim));
      table.set(1, vectors);
      const query = randomUnit(next, dim);
      for (const [row, vector] of vectors.entries()) {
        const expected = vector.reduce((sum, value, i) => sum + value * query[i]!, 0);
        expect(table.similarity(row, query)).toBeCloseTo(expected, 5);
        expect(table.vectorAt(row)).toEqual(vector);
      }
    }),
  );
});

test('the scan finds the same rows in the same order as comparing all by hand', () => {
  fc.assert(
    fc.property(
      fc.nat(),
      fc.integer({ min: 1, max: 30 }),
      fc.integer({ min: 1, max: 3_000 }),
      (seed, limit, count) => {
        const next = numbers(seed);
        const table = createVectorTable(4);
        for (let owner = 0; owner < count; owner++) table.set(owner, [randomUnit(next, 4)]);
        for (let owner = 0; owner < count; owner += 5) table.delete(owner);
        const query = randomUnit(next, 4);
        const allowed = new Set(
          Array.from({ length: count }, (_, i) => i).filter((i) => i % 3 !== 0),
        );
        const byHand = [...allowed]
          .flatMap((owner) =>
            table
              .rowsOf(owner)
              .map((row) => ({ row, owner, similarity: table.similarity(row, query) })),
          )
          .sort((a, b) => b.similarity - a.similarity || a.row - b.row)
          .slice(0, limit);
        expect(scanNearest(table, query, limit, allowed)).toEqual(byHand);
        expect(scanAllowed(table, query, limit, allowed)).toEqual(byHand);
      },
    ),
    { numRuns: 30 },
  );
});

test('rounded rows lose nothing: near copies of few directions come back as comparing all finds them', () => {
  fc.assert(
    fc.property(
      fc.nat(),
      fc.integer({ min: 1, max: 400 }),
      fc.constantFrom(1e-6, 1e-3, 0.05, 0.5),
      fc.integer({ min: 1, max: 60 }),
      (seed, dim, noise, limit) => {
        const next = numbers(seed);
        const table = createVectorTable(dim);
        const centres = Array.from({ length: 3 }, () => randomUnit(next, dim));
        const near = (i: number): Float32Array =>
          unit([...centres[i % 3]!].map((value) => value + next() * noise));
        for (let owner = 0; owner < 1_500; owner++) table.set(owner, [near(owner)]);
        const allowed = new Set(Array.from({ length: 1_500 }, (_, i) => i));
        const query = near(0);
        const byHand = [...allowed]
          .map((owner) => ({ row: owner, owner, similarity: table.similarity(owner, query) }))
          .sort((a, b) => b.similarity - a.similarity || a.row - b.row)
          .slice(0, limit);
        expect(scanNearest(table, query, limit, allowed)).toEqual(byHand);
      },
    ),
    { numRuns: 40 },
  );
});

test('vectors of any length and with extreme values are found as comparing all finds them', () => {
  const table = createVectorTable(4);
  const vectors = [
    [0, 0, 0, 0],
    [3e4, -1, 0, 0],
    [1e-30, 0, 0, 0],
    [-5, 5, 5, -5],
    [0.5, 0.5, 0.5, 0.5],
  ].map((values) => Float32Array.from(values));
  for (const [owner, vector] of vectors.entries()) table.set(owner, [vector]);
  const all = new Set(vectors.keys());
  for (const query of vectors) {
    const found = scanNearest(table, query, 2, all).map(({ similarity }) => similarity);
    const byHand = vectors.map((_, row) => table.similarity(row, query)).sort((a, b) => b - a);
    expect(found).toEqual(byHand.slice(0, 2));
  }
});

test('rows of removed owners are used again', () => {
  const table = createVectorTable(2);
  table.set(1, [unit([1, 0]), unit([0, 1])]);
  table.delete(1);
  table.set(2, [unit([1, 1])]);
  expect(table.rows).toBe(2);
  expect(table.size).toBe(1);
  expect(table.rowsOf(1)).toEqual([]);
});

test('a vector of another length is refused and changes nothing', () => {
  const table = createVectorTable(2);
  table.set(1, [unit([1, 0])]);
  expect(() => table.set(1, [unit([1, 0, 0])])).toThrow(RangeError);
  expect(table.rowsOf(1)).toHaveLength(1);
});

/** Clusters, as texts about the same things make them. */
function openClustered(count: number, fromRows: number) {
  const next = numbers(7);
  const dim = 64;
  const centres = Array.from({ length: 40 }, () => randomUnit(next, dim));
  const near = (centre: Float32Array): Float32Array =>
    unit([...centre].map((value) => value + next() * 0.12));
  const search = createAdaptiveSearch(() => table, fromRows);
  const table: VectorTable = createVectorTable(dim, search);
  for (let owner = 0; owner < count; owner++) table.set(owner, [near(centres[owner % 40]!)]);
  const queries = Array.from({ length: 50 }, (_, i) => near(centres[i % 40]!));
  return { table, search, queries };
}

/** Share of the exact neighbours that the search finds. */
function recallOf(
  { table, search, queries }: ReturnType<typeof openClustered>,
  allowed: ReadonlySet<number>,
): number {
  let found = 0;
  for (const query of queries) {
    const exact = new Set(scanNearest(table, query, 20, allowed).map(({ row }) => row));
    const hits = search.nearest(query, 20, allowed);
    expect(hits).toHaveLength(20);
    for (const { row, owner } of hits) {
      expect(allowed.has(owner)).toBe(true);
      if (exact.has(row)) found++;
    }
  }
  return found / (queries.length * 20);
}

test('HNSW finds 97 of 100 exact neighbours, with filters and after deletions', () => {
  const clustered = openClustered(6_000, 1_000);
  const { table, search } = clustered;
  search.finish();
  if (search.kind === 'exact') {
    console.warn('SKIPPED: hnswlib-node is not installed, nothing to compare');
    return;
  }
  const all = new Set(Array.from({ length: 6_000 }, (_, i) => i));
  expect(recallOf(clustered, all)).toBeGreaterThan(0.97);
  const half = new Set([...all].filter((id) => id % 2 === 0));
  expect(recallOf(clustered, half)).toBeGreaterThan(0.97);
  const few = new Set([...all].filter((id) => id % 40 === 3));
  expect(recallOf(clustered, few)).toBe(1);

  for (const id of half) table.delete(id);
  const rest = new Set([...all].filter((id) => id % 2 === 1));
  expect(recallOf(clustered, rest)).toBeGreaterThan(0.97);
  for (const id of [...half].slice(0, 500)) {
    table.set(id, [table.vectorAt(table.rowsOf(1)[0]!)]);
    rest.add(id);
  }
  search.finish();
  expect(search.kind).toBe('hnsw');
  expect(recallOf(clustered, rest)).toBeGreaterThan(0.9);
  search.close();
});

test('until the graph is complete the exact scan answers', () => {
  const clustered = openClustered(1_500, 1_000);
  const all = new Set(Array.from({ length: 1_500 }, (_, i) => i));
  expect(clustered.search.kind).toBe('exact');
  expect(recallOf(clustered, all)).toBe(1);
  clustered.search.close();
});
