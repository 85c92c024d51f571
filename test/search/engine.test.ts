import { expect, test } from 'vitest';
import { EmbedderUnavailable } from '../../src/search/embed/embedder.ts';
import { createSearchEngine } from '../../src/search/engine.ts';
import { openSmallEngine, type SmallEntry } from './small-index.ts';

/** Axis 0 is pruning, axis 1 cider, axis 2 bookkeeping. */
const orchard: SmallEntry[] = [
  {
    name: 'prune-tree',
    description: 'Cut back branches.',
    vector: [1, 0.1, 0],
    chunks: [[1, 0, 0]],
  },
  {
    name: 'press',
    description: 'Make cider from apples.',
    vector: [0, 1, 0.1],
    chunks: [[0, 1, 0]],
  },
  { name: 'ledger', description: 'Keep the books.', vector: [0.1, 0, 1], chunks: [[0, 0, 1]] },
];
const aboutPruning = () => [1, 0, 0];
const names = (hits: { entry: { name: string } }[]) => hits.map(({ entry }) => entry.name);

test('L-097 the learned ranking is labelled reranked, its scores are probabilities and fall', async () => {
  const { search } = openSmallEngine(orchard, aboutPruning);
  const { scoring, hits } = await search('shorten the shoots in winter');
  expect(scoring).toBe('reranked');
  expect(hits[0]!.entry.name).toBe('prune-tree');
  const scores = hits.map(({ score }) => score);
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
  for (const score of scores) {
    expect(score).toBeGreaterThan(0);
    expect(score).toBeLessThan(1);
  }
});

test('without rerank the score is one minus the cosine distance of the entry', async () => {
  const { search } = openSmallEngine(orchard, aboutPruning);
  const { scoring, hits, relevance } = await search('shorten the shoots', { rerank: false });
  expect(scoring).toBe('embedding-similarity');
  expect(hits[0]!.score).toBeCloseTo(1 / Math.hypot(1, 0.1), 5);
  expect(relevance).toBeNull();
});

test('without a model words answer, and the answer says why', async () => {
  const { search } = openSmallEngine(orchard, null);
  const { scoring, hits, degraded, relevance } = await search('cider');
  expect(scoring).toBe('lexical');
  expect(names(hits)).toEqual(['press']);
  expect(degraded).toContain('no model here');
  expect(relevance).toBeNull();
});

test('an embedder that is away costs meaning, not the answer', async () => {
  const { search, embedder } = openSmallEngine(orchard, aboutPruning);
  embedder.embedQuery = async () => {
    throw new EmbedderUnavailable('no vector within 2000 ms');
  };
  const { scoring, hits, degraded } = await search('cider');
  expect(scoring).toBe('lexical');
  expect(names(hits)).toEqual(['press']);
  expect(degraded).toContain('no vector within 2000 ms');
});

test('a query that is a name gets that entry first, whatever its vector says', async () => {
  const { search } = openSmallEngine(orchard, aboutPruning);
  for (const query of ['ledger', 'Ledger', 'tools:ledger']) {
    const { hits, relevance } = await search(query);
    expect(hits[0]!.entry.name, query).toBe('ledger');
    expect(relevance).toBe('strong');
  }
});

test('entries of identical text are one result that names the others, inside the filter only', async () => {
  const twin = { ...orchard[0]!, plugin: 'copies', fileHash: 'same' };
  const entries = [
    { ...orchard[0]!, fileHash: 'same' },
    twin,
    { ...twin, plugin: 'third' },
    orchard[1]!,
  ];
  const { search, all } = openSmallEngine(entries, aboutPruning);
  const { hits } = await search('shorten the shoots', {
    allowed: new Set([...all].filter((id) => id !== 3)),
  });
  expect(names(hits)).toEqual(['prune-tree', 'press']);
  const [first] = hits;
  expect([first!.entry, ...first!.alsoIn].map(({ plugin }) => plugin).sort()).toEqual([
    'copies',
    'tools',
  ]);
});

test('a filter loses nothing: every allowed entry can be returned', async () => {
  const many = Array.from({ length: 400 }, (_, i) => ({
    name: `entry-${i}`,
    description: 'One of many.',
    vector: [1, i / 400, 0],
  }));
  const { search } = openSmallEngine(many, aboutPruning);
  const allowed = new Set([1, 399, 400]);
  for (const rerank of [true, false]) {
    const { hits } = await search('shoots', { allowed, rerank });
    expect(hits.map(({ entry }) => entry.id).sort((a, b) => a - b)).toEqual([1, 399, 400]);
  }
});

test('top_k beyond the ranked forty is served', async () => {
  const many = Array.from({ length: 120 }, (_, i) => ({
    name: `entry-${i}`,
    description: 'One of many.',
    vector: [1, i / 120, 0],
  }));
  const { search } = openSmallEngine(many, aboutPruning);
  expect((await search('shoots', { topK: 100 })).hits).toHaveLength(100);
});

test('what is not embedded yet is found by its words among what is', async () => {
  const fresh = { name: 'sharpen-saw', description: 'Sharpen a pruning saw.' };
  const { search } = openSmallEngine([...orchard, fresh], aboutPruning);
  const { scoring, hits, degraded } = await search('sharpen my saw');
  expect(scoring).toBe('reranked');
  expect(names(hits).slice(0, 2)).toContain('sharpen-saw');
  expect(degraded).toContain('1 of 4');
});

test('while most entries have no vector, words judge all alike', async () => {
  const bare = orchard.map(({ name, description }) => ({ name, description }));
  const { search } = openSmallEngine([...bare, orchard[0]!], aboutPruning);
  const { scoring, degraded } = await search('cider');
  expect(scoring).toBe('lexical');
  expect(degraded).toContain('1 of 4');
});

test('a query about nothing here is called weak', async () => {
  const { search } = openSmallEngine(orchard, () => [-1, -1, -1]);
  expect((await search('zzz qqq')).relevance).toBe('weak');
});

test('equal entries stand in an order that does not depend on when they were indexed', async () => {
  const a = { name: 'alpha', description: 'Same words.' };
  const b = { name: 'beta', description: 'Same words.' };
  const one = await openSmallEngine([a, b], null).search('same words');
  const other = await openSmallEngine([b, a], null).search('same words');
  expect(names(one.hits)).toEqual(['alpha', 'beta']);
  expect(names(other.hits)).toEqual(['alpha', 'beta']);
});

test('explain names every feature with what it added, and the same order as search', async () => {
  const { engine, all, search } = openSmallEngine(orchard, aboutPruning);
  const request = { query: 'shorten shoots', allowed: all, topK: 3, rerank: true };
  const { results, words } = await engine.explain(request);
  expect(results.map(({ entry }) => entry.name)).toEqual(
    names((await search('shorten shoots')).hits),
  );
  expect(words.map(({ token }) => token)).toEqual(['shorten', 'shoot']);
  expect(results[0]!.features.find(({ name }) => name === 'entry')!.value).toBeCloseTo(0.995, 2);
  expect(results[0]!.firstStageRank).toBe(1);
});

test('an entry that went while the query was embedded is left out', async () => {
  const { view, search, embedder } = openSmallEngine(orchard, aboutPruning);
  const embed = embedder.embedQuery;
  embedder.embedQuery = async (text) => {
    (view.entries as Map<number, unknown>).delete(1);
    return await embed(text);
  };
  expect(names((await search('shorten shoots')).hits)).not.toContain('prune-tree');
});

test('an error that is no unavailability is not hidden', async () => {
  const { view, db, hot, store, embedder, all } = openSmallEngine(orchard, aboutPruning);
  embedder.embedQuery = async () => {
    throw new TypeError('a fault of ours');
  };
  const engine = createSearchEngine({
    view,
    database: () => db,
    lexicon: hot.lexicon,
    names: hot.names,
    serving: () => ({ embedder, index: store }),
    modelHealth: () => ({ name: null, version: null, state: 'ok', detail: null }),
  });
  await expect(engine.search({ query: 'a', allowed: all, topK: 1, rerank: true })).rejects.toThrow(
    'a fault of ours',
  );
});
