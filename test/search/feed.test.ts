import { createHash } from 'node:crypto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { EntriesChange } from '../../daemon/indexer/live-index.ts';
import { startSearch } from '../../daemon/search/start-search.ts';
import { Scope } from '../../src/core/scope.ts';
import { chunk, entryText } from '../../src/search/chunks.ts';
import { type Embedder, EmbedderUnavailable } from '../../src/search/embed/embedder.ts';
import { BUNDLED_MODEL } from '../../src/search/embed/profile.ts';
import type { ModelFault } from '../../src/search/embed/verify.ts';
import type { IndexProgress } from '../../src/store/indexer-port.ts';
import { openSmallIndex, READY, type SmallEntry, unit } from './small-index.ts';

let scope: Scope;
beforeEach(() => {
  scope = new Scope('test');
});
afterEach(() => scope.close());

const silent = { info: () => {}, warn: () => {} };
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A model that turns texts into vectors by their length, and writes down what it was asked. */
function openModel(id: string) {
  const asked: string[] = [];
  let fault: ModelFault | null = null;
  let gate: Promise<void> = Promise.resolve();
  const vectorOf = (text: string): Float32Array => unit([1, text.length % 7, 1]);
  const embedder: Embedder = {
    profile: { ...BUNDLED_MODEL, id, dim: 3 },
    embedQuery: async (text) => {
      if (fault !== null) throw new EmbedderUnavailable(fault.detail);
      return vectorOf(text);
    },
    embedTexts: async (texts) => {
      await gate;
      if (fault !== null) throw new EmbedderUnavailable(fault.detail);
      asked.push(...texts);
      return texts.map((text) => (text.includes('poison') ? null : vectorOf(text)));
    },
    health: () => ({ ...READY, state: fault === null ? 'ready' : 'failed', fault }),
    wake: () => {},
  };
  return {
    embedder,
    asked,
    fail: (found: ModelFault | null) => {
      fault = found;
    },
    hold() {
      let release!: () => void;
      gate = new Promise((resolve) => {
        release = resolve;
      });
      return () => release();
    },
  };
}

/** An indexer's outside over a small index with rows for entries, bodies and chunks. */
function openIndexer(entries: readonly SmallEntry[]) {
  const { db, view } = openSmallIndex(entries);
  db.exec('PRAGMA foreign_keys = OFF');
  const listeners = new Set<(change: EntriesChange) => void>();
  const progress: string[] = [];
  const counts: { done: number; total: number }[] = [];
  const put = (id: number, body: string): void => {
    const entry = view.entries.get(id)!;
    entry.textHash = sha256(entryText(entry.name, entry.description, entry.whenToUse));
    const columns = db.all<{ name: string; type: string; notnull: number }>(
      'SELECT name, type, "notnull" FROM pragma_table_info(\'entries\')',
    );
    const known: Record<string, string | number> = {
      id,
      name: entry.name,
      kind: entry.kind,
      text_hash: entry.textHash,
      // Rows that are asked for by hash and id only; the rest is filler.
    };
    const used = columns.filter(({ name, notnull }) => notnull === 1 || name in known);
    db.run(
      `INSERT OR REPLACE INTO entries (${used.map(({ name }) => name).join()}) VALUES (${used.map(() => '?').join()})`,
      ...used.map(({ name, type }) => known[name] ?? (type === 'TEXT' ? `${name}-${id}` : id)),
    );
    db.run('DELETE FROM chunks WHERE entry_id = ?', id);
    for (const [position, text] of chunk(entry.name, body).entries())
      db.run(
        'INSERT INTO chunks (entry_id, position, text_hash, text) VALUES (?, ?, ?, ?)',
        id,
        position,
        sha256(text),
        text,
      );
  };
  for (const [at, entry] of entries.entries()) put(at + 1, entry.body ?? '');
  return {
    db,
    view,
    put,
    progress,
    counts,
    change: (change: EntriesChange) => {
      for (const listener of listeners) listener(change);
    },
    port: {
      view,
      database: () => db,
      onEntries: (listener: (change: EntriesChange) => void) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      storeVectors: async (model: string, rows: { textHash: string; vector: Float32Array }[]) => {
        for (const { textHash, vector } of rows)
          db.run(
            'INSERT OR REPLACE INTO vectors (model, text_hash, vector) VALUES (?, ?, ?)',
            model,
            textHash,
            new Uint8Array(vector.buffer),
          );
      },
      reportEmbedding: (report: IndexProgress | null) => {
        progress.push(report?.stage ?? 'idle');
        if (report !== null) counts.push({ done: report.done, total: report.total });
      },
    },
  };
}

const orchard: SmallEntry[] = [
  { name: 'prune', description: 'Cut back branches.', body: '# Prune\nIn winter.' },
  { name: 'press', description: 'Make cider.', body: '# Press\nIn autumn.' },
];
const open = (indexer: ReturnType<typeof openIndexer>, embedder: Embedder, canWrite = true) =>
  startSearch({
    scope,
    log: silent,
    indexer: indexer.port,
    embedder,
    canWrite,
  });
const count = (indexer: ReturnType<typeof openIndexer>): number =>
  indexer.db.get<{ n: number }>('SELECT count(*) AS n FROM vectors')!.n;

test('how vectors are compared can be told, and that they are being loaded', async () => {
  const search = open(openIndexer(orchard), openModel('one').embedder);
  expect(search.engine.vectors?.()).toMatchObject({ rows: 0, loading: true });
  await search.idle();
  expect(search.engine.vectors?.()).toEqual({
    rows: 4,
    entries: 'exact',
    bodies: 'exact',
    loading: false,
  });
});

test('a body that two entries share is embedded once and found for both', async () => {
  const entries = Array.from({ length: 40 }, (_, i) => ({
    name: i === 39 ? 'tree 0' : `tree ${i}`,
    description: `Number ${i}.`,
    body: i === 39 ? '# Tree 0' : `# Tree ${i}`,
  }));
  const model = openModel('one');
  const search = open(openIndexer(entries), model.embedder);
  await search.idle();
  expect(search.engine.vectors?.()).toMatchObject({ rows: 80 });
  expect(model.asked.filter((text) => text.includes('# Tree 0'))).toHaveLength(1);
});

test('descriptions of all entries are embedded before any body', async () => {
  const indexer = openIndexer(orchard);
  const model = openModel('one');
  const search = open(indexer, model.embedder);
  await search.idle();
  expect(model.asked).toEqual([
    'prune: Cut back branches.',
    'press: Make cider.',
    'prune. \n# Prune\nIn winter.',
    'press. \n# Press\nIn autumn.',
  ]);
  expect(search.engine.vectors?.()).toMatchObject({ rows: 4, entries: 'exact' });
  expect(new Set(indexer.progress)).toEqual(new Set(['descriptions', 'bodies', 'idle']));
});

test('what was embedded in an earlier life is read, not embedded again', async () => {
  const indexer = openIndexer(orchard);
  await open(indexer, openModel('one').embedder).idle();
  const model = openModel('one');
  const search = open(indexer, model.embedder);
  await search.idle();
  expect(model.asked).toEqual([]);
  expect(search.engine.vectors?.()).toMatchObject({ rows: 4 });
});

test('a changed entry is embedded again, a removed one is gone from memory', async () => {
  const indexer = openIndexer(orchard);
  const model = openModel('one');
  const search = open(indexer, model.embedder);
  await search.idle();
  model.asked.length = 0;
  indexer.view.entries.get(1)!.description = 'Cut back long branches.';
  indexer.put(1, orchard[0]!.body!);
  indexer.change({ upserted: [1], removed: [] });
  await expect.poll(() => model.asked).toEqual(['prune: Cut back long branches.']);
  await search.idle();
  (indexer.view.entries as Map<number, unknown>).delete(2);
  indexer.change({ upserted: [], removed: [2] });
  expect(search.engine.vectors?.()).toMatchObject({ rows: 2 });
});

test('chunks that found the model away are embedded when it is back', async () => {
  const indexer = openIndexer(orchard);
  const model = openModel('one');
  const search = open(indexer, model.embedder);
  await search.idle();
  model.asked.length = 0;
  model.fail({ kind: 'missing', detail: 'gone' });
  indexer.put(1, '# Prune\nIn spring.');
  indexer.change({ upserted: [1], removed: [] });
  await search.idle();
  expect(model.asked).toEqual([]);
  model.fail(null);
  // Another entry's change; what waited goes along.
  indexer.change({ upserted: [2], removed: [] });
  await expect.poll(() => model.asked).toEqual(['prune. \n# Prune\nIn spring.']);
});

test('what was embedded and then removed counts neither as done nor as work', async () => {
  // More than two batches, so that a report follows the removal.
  const many = Array.from({ length: 60 }, (_, i) => ({ name: `tree ${i}`, description: 'One.' }));
  const indexer = openIndexer(many);
  const model = openModel('one');
  let release = model.hold();
  const search = open(indexer, model.embedder);
  await expect.poll(() => indexer.counts).toEqual([{ done: 0, total: 60 }]);
  const releaseFirst = release;
  release = model.hold();
  releaseFirst();
  await expect.poll(() => indexer.counts.at(-1)).toEqual({ done: 24, total: 60 });
  const gone = Array.from({ length: 20 }, (_, i) => i + 1);
  for (const id of gone) (indexer.view.entries as Map<number, unknown>).delete(id);
  indexer.change({ upserted: [], removed: gone });
  release();
  await search.idle();
  expect(indexer.counts.slice(0, 3)).toEqual([
    { done: 0, total: 60 },
    { done: 24, total: 60 },
    { done: 28, total: 40 },
  ]);
});

test('a text that cannot be embedded is left out once, and the rest goes on', async () => {
  const indexer = openIndexer([{ name: 'poison', description: 'poison' }, ...orchard]);
  const model = openModel('one');
  const search = open(indexer, model.embedder);
  await search.idle();
  expect(search.engine.vectors?.()).toMatchObject({ rows: 4 });
  expect(model.asked.filter((text) => text === 'poison: poison')).toHaveLength(1);
});

test('a read-only session embeds nothing', async () => {
  const indexer = openIndexer(orchard);
  const model = openModel('one');
  await open(indexer, model.embedder, false).idle();
  expect(model.asked).toEqual([]);
});

test('L-108 another model serves once it has every entry; until then the old one answers', async () => {
  const indexer = openIndexer(orchard);
  const old = openModel('one');
  const search = open(indexer, old.embedder);
  await search.idle();
  const young = openModel('two');
  const release = young.hold();
  search.adopt(young.embedder);
  const request = { query: 'cider', allowed: new Set([1, 2]), topK: 5, rerank: true };
  expect((await search.engine.search(request)).scoring).toBe('reranked');
  expect(search.engine.model()).toMatchObject({ name: old.embedder.profile.name });
  expect(search.engine.vectors?.()).toMatchObject({ rows: 4 });
  release();
  await search.idle();
  old.fail({ kind: 'missing', detail: 'gone' });
  expect((await search.engine.search(request)).scoring).toBe('reranked');
  expect(count(indexer)).toBe(8);
});

for (const [kind, state] of [
  ['missing', 'missing'],
  ['corrupt', 'corrupt'],
  ['checksum_mismatched', 'checksum_mismatched'],
  ['runtime', 'missing'],
] as const) {
  test(`a model whose fault is ${kind} is reported as ${state} while words answer`, async () => {
    const indexer = openIndexer(orchard);
    const model = openModel('one');
    const search = open(indexer, model.embedder);
    await search.idle();
    model.fail({ kind, detail: `model.onnx is ${kind}` });
    expect(search.engine.model()).toMatchObject({ state, detail: `model.onnx is ${kind}` });
    const answer = await search.engine.search({
      query: 'cider',
      allowed: new Set([1, 2]),
      topK: 5,
      rerank: true,
    });
    expect(answer.scoring).toBe('lexical');
    expect(answer.hits[0]!.entry.name).toBe('press');
    expect(answer.degraded).toContain(`model.onnx is ${kind}`);
  });
}

test('what there is no memory for is embedded once, kept in index.db, ranked by words and told', async () => {
  const entries = Array.from({ length: 1_400 }, (_, i) => ({
    name: `tree ${i}`,
    description: `Number ${i}.`,
  }));
  const indexer = openIndexer(entries);
  const { Memory } = (
    globalThis as unknown as { WebAssembly: { Memory: { prototype: { grow(): number } } } }
  ).WebAssembly;
  const grow = vi.spyOn(Memory.prototype, 'grow').mockImplementation(() => {
    throw new RangeError('Unable to grow instance memory');
  });
  try {
    const model = openModel('one');
    const search = open(indexer, model.embedder);
    await search.idle();
    expect(model.asked).toHaveLength(new Set(model.asked).size);
    expect(model.asked.length).toBeGreaterThanOrEqual(1_400);
    expect(count(indexer)).toBe(model.asked.length);
    const allowed = new Set(indexer.view.entries.keys());
    const request = { query: 'tree 1399', allowed, topK: 5, rerank: true };
    const { hits, degraded } = await search.engine.search(request);
    expect(hits[0]!.entry.name).toBe('tree 1399');
    expect(degraded).toMatch(
      /^there is no memory for the vectors of \d+ entries: words rank them \(what to do: lectern doctor\)$/,
    );
    expect(search.notes()).toEqual([
      {
        subsystem: 'search',
        diagnosis: degraded!.replace(/ \(.*/, ''),
        command: expect.stringContaining('ulimit -v'),
      },
    ]);
    // A change is embedded, and that is all.
    const asked = model.asked.length;
    indexer.view.entries.get(1_400)!.description = 'Another text.';
    indexer.put(1_400, '');
    indexer.change({ upserted: [1_400], removed: [] } as unknown as EntriesChange);
    await vi.waitFor(() => expect(model.asked.length).toBeGreaterThan(asked));
    await search.idle();
    expect(model.asked.slice(asked)).toEqual(['tree 1399: Another text.']);
  } finally {
    grow.mockRestore();
  }
});
