import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import Module from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { createAdaptiveSearch } from '../../src/search/vectors/hnsw.ts';
import { scanAllowed, scanNearest } from '../../src/search/vectors/nearest.ts';
import { createVectorTable, type VectorTable } from '../../src/search/vectors/table.ts';
import { unit } from './small-index.ts';
import { contentsOf, DIM, openVectorRows } from './vector-rows.ts';

type Sized = new (size: { initial: number }) => { grow(pages: number): number };
const { WebAssembly: wasm } = globalThis as unknown as { WebAssembly: { Memory: Sized } };
const real = wasm.Memory;

afterEach(() => {
  wasm.Memory = real;
  vi.restoreAllMocks();
});

/** As under a limit of addresses: which of the next memories there are. */
function grantMemories(grants: readonly boolean[]): void {
  const left = [...grants];
  wasm.Memory = class {
    constructor(size: { initial: number }) {
      if (left.shift() !== true) throw new RangeError('could not allocate memory');
      // biome-ignore lint/correctness/noConstructorReturn: it stands in for a class of the runtime
      return new real(size);
    }
  } as unknown as Sized;
}

const refuseGrowth = () =>
  vi.spyOn(real.prototype, 'grow').mockImplementation(() => {
    throw new RangeError('Unable to grow instance memory');
  });

const random = (seed: number) => {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  };
};

test('whichever memories WebAssembly is refused, the scan finds what comparing all finds', () => {
  fc.assert(
    fc.property(fc.boolean(), fc.boolean(), fc.nat(), (hasDots, hasCodes, seed) => {
      grantMemories([hasDots, hasCodes]);
      const next = random(seed);
      const table = createVectorTable(40);
      const vectors = new Map<number, Float32Array>();
      for (let owner = 0; owner < 3_000; owner++)
        vectors.set(owner, unit(Array.from({ length: 40 }, next)));
      for (const [owner, vector] of vectors) table.set(owner, [vector]);
      const query = unit(Array.from({ length: 40 }, next));
      const productOf = (owner: number): number =>
        vectors.get(owner)!.reduce((sum, value, i) => sum + value * query[i]!, 0);
      const allowed = new Set([...vectors.keys()].filter((owner) => owner % 3 > 0));
      const found = scanNearest(table, query, 10, allowed);
      const byHand = [...allowed].map(productOf).sort((a, b) => b - a);
      for (const [i, { owner, similarity }] of found.entries()) {
        expect(similarity).toBeCloseTo(byHand[i]!, 5);
        expect(similarity).toBeCloseTo(productOf(owner), 5);
      }
      expect(found).toHaveLength(10);
      expect(scanAllowed(table, query, 10, allowed)).toEqual(found);
    }),
    { numRuns: 12 },
  );
});

test('what has no room is refused whole, once: what is there stays and may be replaced', () => {
  const table = createVectorTable(384);
  const vector = unit(Array.from({ length: 384 }, (_, i) => i + 1));
  const grow = refuseGrowth();
  let placed = 0;
  while (table.set(placed, [vector, vector])) placed++;
  expect(placed).toBeGreaterThan(10);
  expect(table.set(placed + 1, [vector, vector])).toBe(false);
  expect(grow).toHaveBeenCalledTimes(1);
  expect(table.ownerCount).toBe(placed);
  expect(table.size).toBe(placed * 2);
  expect(table.rowsOf(placed)).toEqual([]);
  table.delete(3);
  expect(table.set(placed, [vector, vector])).toBe(true);
  expect(table.set(5, [vector, vector])).toBe(true);
  expect(table.set(5, [vector, vector, vector, vector, vector])).toBe(false);
  expect(table.rowsOf(5)).toEqual([]);
  expect(table.size).toBe((placed - 1) * 2);
  const all = new Set(table.owners.filter((owner) => owner >= 0));
  expect(scanNearest(table, vector, 500, all)).toHaveLength(table.size);
});

test('a snapshot that has no room is left as it is, and the index fills what fits', async () => {
  const rows = openVectorRows();
  for (let id = 1; id <= 1_400; id++) rows.put(id, `entry ${id}`);
  const saved = rows.openLoaded();
  const dir = mkdtempSync(join(tmpdir(), 'lectern-vectors-'));
  try {
    await saved.save(dir, new AbortController().signal);
    const files = readdirSync(dir);
    refuseGrowth();
    const store = rows.openEmpty();
    const restored = await store.restore(dir);
    expect(restored).toEqual({ kind: 'none', reason: 'there is no memory for 1400 vectors' });
    expect(readdirSync(dir)).toEqual(files);
    rows.load(store);
    expect(store.entries.ownerCount).toBeGreaterThan(1_000);
    expect(store.unplaced.size).toBe(1_400 - store.entries.ownerCount);
    expect(store.shortage).toBe(
      `there is no memory for the vectors of ${store.unplaced.size} entries`,
    );
    for (const id of store.unplaced) store.delete(id);
    expect(store.shortage).toBeNull();
    vi.restoreAllMocks();
    const later = rows.openEmpty();
    expect(await later.restore(dir)).toMatchObject({ kind: 'restored', rows: 1_400 });
    rows.load(later);
    expect(contentsOf(later)).toEqual(contentsOf(saved));
  } finally {
    rmSync(dir, { recursive: true });
  }
});

test.each(['initIndex', 'addPoint', 'resizeIndex'])(
  'a graph that gets no memory (%s) is done without: scans answer',
  (method) => {
    const loader = Module as unknown as { _load(name: string, ...rest: unknown[]): unknown };
    const load = loader._load;
    const graph: Record<string, () => void> = {
      initIndex() {},
      setEf() {},
      addPoint() {},
      resizeIndex() {},
    };
    graph[method] = () => {
      throw new Error('Not enough memory: failed to allocate');
    };
    loader._load = (name, ...rest) =>
      name === 'hnswlib-node' ? { HierarchicalNSW: () => graph } : load.call(Module, name, ...rest);
    try {
      const search = createAdaptiveSearch(() => table, 100);
      const table: VectorTable = createVectorTable(DIM, search);
      const vector = unit(Array.from({ length: DIM }, (_, i) => i + 1));
      for (let owner = 0; owner < 400; owner++) table.set(owner, [vector]);
      search.finish();
      expect(search.kind).toBe('exact');
      expect(search.isSettled).toBe(true);
      expect(search.nearest(vector, 5, new Set(table.owners))).toHaveLength(5);
    } finally {
      loader._load = load;
    }
  },
);

test.skipIf(process.platform !== 'linux')(
  'under a limit of addresses vectors are compared all the same (SKIPPED but on Linux)',
  () => {
    // Bundled, since tsx itself cannot run there.
    const { outputFiles } = buildSync({
      entryPoints: [join(import.meta.dirname, 'short-of-addresses.ts')],
      bundle: true,
      format: 'esm',
      platform: 'node',
      write: false,
    });
    const { stdout, stderr } = spawnSync(
      'sh',
      ['-c', 'ulimit -v 4000000; exec "$@"', 'sh', process.execPath, '--input-type=module', '-'],
      { encoding: 'utf8', input: outputFiles[0]!.text },
    );
    expect({ ...JSON.parse(stdout || '{}'), stderr }).toEqual({
      hasMemory: false,
      owners: [5, 389, 773],
      stderr: '',
    });
  },
);
