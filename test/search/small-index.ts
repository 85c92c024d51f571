import type { Embedder } from '../../src/search/embed/embedder.ts';
import { BUNDLED_MODEL } from '../../src/search/embed/profile.ts';
import { createSearchEngine } from '../../src/search/engine.ts';
import { createHotIndex } from '../../src/search/hot-index.ts';
import { ftsText } from '../../src/search/tokenise.ts';
import { createVectorStore } from '../../src/search/vectors/store.ts';
import { readWords } from '../../src/search/words.ts';
import { Database } from '../../src/store/database.ts';
import { INDEX_MIGRATIONS } from '../../src/store/index-schema.ts';
import type { IndexedEntry, IndexView } from '../../src/store/index-view.ts';

export interface SmallEntry {
  name: string;
  description: string;
  body?: string;
  kind?: IndexedEntry['kind'];
  plugin?: string;
  /** Entries of one hash are one text. */
  fileHash?: string;
  /** What the query's vector is compared with; not embedded where omitted. */
  vector?: number[];
  chunks?: number[][];
}

/** An index in memory with real tables, as the indexer leaves them. */
export function openSmallIndex(entries: readonly SmallEntry[], dim = 3) {
  const db = new Database(':memory:');
  for (const step of INDEX_MIGRATIONS) db.exec(step);
  const rows = new Map<number, IndexedEntry>();
  const hot = createHotIndex();
  const store = createVectorStore('test-model', dim);
  for (const [at, entry] of entries.entries()) {
    const id = at + 1;
    const body = entry.body ?? '';
    db.run(
      'INSERT INTO entries_fts (rowid, name, description, when_to_use, body) VALUES (?, ?, ?, ?, ?)',
      id,
      ftsText(entry.name),
      ftsText(entry.description),
      '',
      ftsText(body),
    );
    const row: IndexedEntry = {
      id,
      pluginId: 1,
      sourceId: 1,
      plugin: entry.plugin ?? 'tools',
      pluginVersion: null,
      kind: entry.kind ?? 'skill',
      name: entry.name,
      description: entry.description,
      whenToUse: null,
      arguments: [],
      argumentHint: null,
      promptName: null,
      searchable: true,
      userInvocable: true,
      takesArguments: false,
      path: `skills/${entry.name}/SKILL.md`,
      file: `/catalog/${id}/SKILL.md`,
      fileHash: entry.fileHash ?? `hash-${id}`,
      textHash: `text-${id}`,
      bodyChars: body.length,
      problems: [],
      indexedAt: 0,
    } as unknown as IndexedEntry;
    rows.set(id, row);
    hot.names.set(id, row);
    hot.lexicon.set(id, readWords(row, body));
    if (entry.vector !== undefined) store.entries.set(id, [unit(entry.vector)]);
    if (entry.chunks !== undefined) store.chunks.set(id, entry.chunks.map(unit));
  }
  const view = { entries: rows } as unknown as IndexView;
  const all = new Set(rows.keys());
  return { db, hot, store, view, all };
}

export function unit(values: readonly number[]): Float32Array {
  const length = Math.hypot(...values);
  return Float32Array.from(values, (value) => value / length);
}

/** Health of an embedder that answers. */
export const READY: ReturnType<Embedder['health']> = {
  state: 'ready',
  fault: null,
  rssBytes: null,
  pid: null,
  deaths: 0,
  waiting: 0,
};

/** An engine over a small index; `vectorOf` stands for the model, null for no model. */
export function openSmallEngine(
  entries: readonly SmallEntry[],
  vectorOf: ((query: string) => number[]) | null,
) {
  const small = openSmallIndex(entries);
  const embedder: Embedder = {
    profile: { ...BUNDLED_MODEL, id: 'test-model', dim: 3 },
    embedQuery: async (query) => unit(vectorOf!(query)),
    embedTexts: async () => [],
    health: () => READY,
    wake: () => {},
  };
  const engine = createSearchEngine({
    view: small.view,
    database: () => small.db,
    lexicon: small.hot.lexicon,
    names: small.hot.names,
    serving: () => (vectorOf === null ? null : { embedder, index: small.store }),
    modelHealth: () =>
      vectorOf === null
        ? { name: null, version: null, state: 'missing', detail: 'no model here' }
        : { name: 'test', version: '1', state: 'ok', detail: null },
  });
  const search = (query: string, more: Partial<Parameters<typeof engine.search>[0]> = {}) =>
    engine.search({ query, allowed: small.all, topK: 10, rerank: true, ...more });
  return { ...small, engine, search, embedder };
}
