import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { gatherCandidates, type VectorIndex } from '../../src/search/candidates.ts';
import { chunk, entryText } from '../../src/search/chunks.ts';
import { BUNDLED_MODEL, bundledModelDir } from '../../src/search/embed/profile.ts';
import { openEmbeddingSession } from '../../src/search/embed/session.ts';
import { searchLexical } from '../../src/search/lexical.ts';
import { createLexicon } from '../../src/search/lexicon.ts';
import { readQueryWords } from '../../src/search/query-words.ts';
import { computeFeatures } from '../../src/search/rank/features.ts';
import { ftsText } from '../../src/search/tokenise.ts';
import { exactSearch } from '../../src/search/vectors/nearest.ts';
import { createVectorTable } from '../../src/search/vectors/table.ts';
import { readWords } from '../../src/search/words.ts';
import { Database } from '../../src/store/database.ts';
import { INDEX_MIGRATIONS } from '../../src/store/index-schema.ts';

/** One line of entries.jsonl. */
export interface TrainingEntry {
  id: string;
  kind: 'skill' | 'command' | 'agent';
  name: string;
  description: string;
  body: string;
}

/** The head of the first stage for one query, with what the ranker sees. */
export interface RankedList {
  rows: Float64Array[];
  /** Position of the wanted entry; -1 where it is not in the head, or nothing is wanted. */
  wanted: number;
}

/** Candidates that the ranker orders (design 7). */
const HEAD = 40;

/** Vectors by text, kept in a file between runs: a catalog takes minutes to embed. */
export interface VectorCache {
  of(texts: readonly string[]): Promise<Float32Array[]>;
}

export function openVectorCache(path: string): VectorCache {
  const { dim } = BUNDLED_MODEL;
  const known = new Map<string, Float32Array>();
  if (existsSync(path)) {
    const bytes = readFileSync(path);
    const record = 32 + dim * 4;
    for (let at = 0; at + record <= bytes.length; at += record) {
      const vector = new Float32Array(dim);
      new Uint8Array(vector.buffer).set(bytes.subarray(at + 32, at + record));
      known.set(bytes.subarray(at, at + 32).toString('hex'), vector);
    }
  }
  const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
  return {
    async of(texts) {
      const missing = [...new Set(texts)].filter((text) => !known.has(digest(text)));
      if (missing.length > 0) {
        const session = await openEmbeddingSession(bundledModelDir(), BUNDLED_MODEL);
        for (const [i, text] of missing.entries()) {
          known.set(digest(text), Float32Array.from(await session.embed(text)));
          if (i % 500 === 0) console.error(`embedded ${i} of ${missing.length}`);
        }
        mkdirSync(dirname(path), { recursive: true });
        const records = [...known].flatMap(([key, vector]) => [
          Buffer.from(key, 'hex'),
          Buffer.from(vector.buffer),
        ]);
        writeFileSync(path, Buffer.concat(records));
      }
      return texts.map((text) => known.get(digest(text))!);
    },
  };
}

/** Entries indexed as the product does it, in memory: queries in, ranked lists out. */
export async function indexCatalog(entries: readonly TrainingEntry[], cache: VectorCache) {
  const { dim, id: model } = BUNDLED_MODEL;
  const db = new Database(':memory:');
  for (const step of INDEX_MIGRATIONS) db.exec(step);
  const lexicon = createLexicon();
  const entryTable = createVectorTable(dim);
  const chunkTable = createVectorTable(dim);
  const entryVectors = await cache.of(entries.map((e) => entryText(e.name, e.description, null)));
  const chunkTexts = entries.map((entry) => chunk(entry.name, entry.body));
  const chunkVectors = await cache.of(chunkTexts.flat());
  let at = 0;
  db.transact(() => {
    for (const [id, entry] of entries.entries()) {
      db.run(
        'INSERT INTO entries_fts (rowid, name, description, when_to_use, body) VALUES (?, ?, ?, ?, ?)',
        id,
        ftsText(entry.name),
        ftsText(entry.description),
        '',
        ftsText(entry.body),
      );
      const words = { name: entry.name, description: entry.description, whenToUse: null };
      lexicon.set(id, readWords(words, entry.body));
      entryTable.set(id, [entryVectors[id]!]);
      const count = chunkTexts[id]!.length;
      chunkTable.set(id, chunkVectors.slice(at, at + count));
      at += count;
    }
  });
  const index: VectorIndex = {
    model,
    entries: entryTable,
    chunks: chunkTable,
    entrySearch: exactSearch(entryTable),
    chunkSearch: exactSearch(chunkTable),
    shortage: null,
  };
  const allowed = new Set(entries.keys());
  const positions = new Map(entries.map((entry, id) => [entry.id, id]));

  return {
    /** The head for one query; `wanted` is an entry's id, or null where nothing fits. */
    async rank(query: string, wanted: string | null): Promise<RankedList> {
      const [vector] = await cache.of([query]);
      const words = readQueryWords(query, lexicon);
      const lexical = searchLexical(db, lexicon, words, allowed, HEAD * 5);
      const head = gatherCandidates(index, vector!, lexical, allowed, HEAD).slice(0, HEAD);
      const entryOf = (id: number) => ({
        kind: entries[id]!.kind,
        bodyChars: entries[id]!.body.length,
      });
      return {
        rows: computeFeatures({ lexicon, index, entryOf }, vector!, words, head),
        wanted: wanted === null ? -1 : head.findIndex(({ id }) => id === positions.get(wanted)),
      };
    },
    close: () => db.close(),
  };
}
