import type { Database } from '../../store/database.ts';
import type { VectorIndex } from '../candidates.ts';
import { type AdaptiveSearch, createAdaptiveSearch } from './hnsw.ts';
import {
  adoptGraphs,
  type Restored,
  restoreSnapshot,
  type SnapshotSource,
  saveSnapshot,
} from './snapshot.ts';
import { createVectorTable, type VectorTable } from './table.ts';

/** The vectors of one model in memory, filled from index.db and kept current entry by entry. */
export interface VectorStore extends VectorIndex {
  readonly entrySearch: AdaptiveSearch;
  readonly chunkSearch: AdaptiveSearch;
  /** Entries that have chunks without a vector, and how many. */
  readonly lacking: ReadonlyMap<number, number>;
  /** Entries whose own vector there was no memory for; embedding them again would not help. */
  readonly unplaced: ReadonlySet<number>;
  /** Rows written or freed so far. */
  readonly changes: number;
  /** False while a graph is being built or read. */
  readonly isSettled: boolean;
  /**
   * Take the rows of a snapshot; `load` must follow. What changes meanwhile is
   * left to it.
   */
  restore(dir: string): Promise<Restored>;
  /** Take the graphs of what was restored, in the background. See {@link adoptGraphs}. */
  adoptGraphs(restored: Restored): Promise<void>;
  /** See {@link saveSnapshot}. */
  save(dir: string, signal: AbortSignal): Promise<void>;
  /**
   * Bring the memory to what index.db has for this model, step by step: rows of
   * a text that is there already are not read again.
   *
   * @param isWanted false for entries that went meanwhile
   */
  load(database: () => Database, isWanted: (entryId: number) => boolean): Iterable<void>;
  /** Read again what index.db has for one entry: after it changed, or was embedded. */
  refresh(db: Database, entryId: number): void;
  delete(entryId: number): void;
  close(): Promise<void>;
}

/** Entries of one step: some 15 ms where all are read, and 0.2 MB beside what stays. */
const LOAD_ROWS = 64;

/** When more entries of a step than this have to be read, they are read together. */
const READ_TOGETHER = 8;

/** How one of the two tables is read. `?1` is the model; an entry is chosen by ids from `?2` up to `?3`. */
interface Reading {
  table: VectorTable;
  /** Owner and text of every row that there should be. */
  texts: string;
  /** Owner, text and vector of every row that there is. */
  vectors: string;
}

/*
 * CROSS JOIN keeps SQLite's hands off the order: it would otherwise walk all
 * vectors of the model for each step.
 */
const NEXT_STEP = `SELECT max(id) AS "to" FROM
   (SELECT id FROM entries WHERE id > ?1 ORDER BY id LIMIT ${LOAD_ROWS})`;
const ENTRY_TEXTS =
  'SELECT id AS owner, text_hash AS text FROM entries WHERE id > ?1 AND id <= ?2 ORDER BY id';
const ENTRY_VECTORS = `SELECT e.id AS owner, e.text_hash AS text, v.vector AS vector FROM entries e
   CROSS JOIN vectors v ON v.model = ?1 AND v.text_hash = e.text_hash
  WHERE e.id > ?2 AND e.id <= ?3 ORDER BY e.id`;
const CHUNK_TEXTS = `SELECT entry_id AS owner, text_hash AS text FROM chunks
  WHERE entry_id > ?1 AND entry_id <= ?2 ORDER BY entry_id, position`;
const CHUNK_VECTORS = `SELECT c.entry_id AS owner, c.text_hash AS text, v.vector AS vector
   FROM chunks c
   CROSS JOIN vectors v ON v.model = ?1 AND v.text_hash = c.text_hash
  WHERE c.entry_id > ?2 AND c.entry_id <= ?3 ORDER BY c.entry_id, c.position`;

interface VectorRow {
  owner: number;
  text: string;
  vector: ArrayBuffer;
}

interface OwnedVectors {
  vectors: Float32Array[];
  texts: string[];
}

const NOTHING: OwnedVectors = { vectors: [], texts: [] };

export function createVectorStore(model: string, dim: number, hnswFrom?: number): VectorStore {
  const entrySearch = createAdaptiveSearch(() => entries, hnswFrom);
  const chunkSearch = createAdaptiveSearch(() => chunks, hnswFrom);
  const entries: VectorTable = createVectorTable(dim, entrySearch);
  const chunks: VectorTable = createVectorTable(dim, chunkSearch);
  const readings: readonly Reading[] = [
    { table: entries, texts: ENTRY_TEXTS, vectors: ENTRY_VECTORS },
    { table: chunks, texts: CHUNK_TEXTS, vectors: CHUNK_VECTORS },
  ];
  const snapshot: SnapshotSource = {
    model,
    tables: [
      { table: entries, search: entrySearch },
      { table: chunks, search: chunkSearch },
    ],
  };
  const lacking = new Map<number, number>();
  const unplaced = new Set<number>();
  const unplacedBodies = new Set<number>();
  let isRestoring = false;

  /** Vectors of entries with ids above `from`, up to `to`. */
  const read = (db: Database, reading: Reading, from: number, to: number) => {
    const byOwner = new Map<number, OwnedVectors>();
    for (const { owner, text, vector } of db.all<VectorRow>(reading.vectors, model, from, to)) {
      if (vector.byteLength !== dim * 4) continue;
      let owned = byOwner.get(owner);
      if (owned === undefined) byOwner.set(owner, (owned = { vectors: [], texts: [] }));
      owned.vectors.push(new Float32Array(vector));
      owned.texts.push(text);
    }
    return byOwner;
  };

  /** @param expected texts that there are, embedded or not */
  const put = (table: VectorTable, owner: number, owned: OwnedVectors, expected: number): void => {
    const without = table === chunks ? unplacedBodies : unplaced;
    if (table.set(owner, owned.vectors, owned.texts)) without.delete(owner);
    else without.add(owner);
    if (table === chunks) noteLacking(owner, expected - owned.vectors.length);
  };

  const noteLacking = (owner: number, count: number): void => {
    if (count > 0) lacking.set(owner, count);
    else lacking.delete(owner);
  };

  return {
    model,
    entries,
    chunks,
    entrySearch,
    chunkSearch,
    lacking,
    unplaced,
    get shortage() {
      const count = unplaced.size + unplacedBodies.size;
      if (count === 0) return null;
      const entries = new Set([...unplaced, ...unplacedBodies]).size;
      return `there is no memory for the vectors of ${entries} ${entries === 1 ? 'entry' : 'entries'}`;
    },
    get changes() {
      return entries.changes + chunks.changes;
    },
    get isSettled() {
      return entrySearch.isSettled && chunkSearch.isSettled;
    },
    async restore(dir) {
      isRestoring = true;
      try {
        return await restoreSnapshot(dir, snapshot);
      } finally {
        isRestoring = false;
      }
    },
    async adoptGraphs(restored) {
      if (restored.kind === 'restored') await adoptGraphs(snapshot, restored.graphs);
    },
    save: (dir, signal) => saveSnapshot(dir, snapshot, signal),
    *load(database, isWanted) {
      for (const reading of readings) yield* loadTable(database, isWanted, reading);
    },
    refresh(db, entryId) {
      if (isRestoring) return;
      for (const reading of readings) {
        const owned = read(db, reading, entryId - 1, entryId).get(entryId);
        const texts = readTexts(db, reading, entryId - 1, entryId).get(entryId);
        put(reading.table, entryId, owned ?? NOTHING, texts?.length ?? 0);
      }
    },
    delete(entryId) {
      if (isRestoring) return;
      entries.delete(entryId);
      chunks.delete(entryId);
      lacking.delete(entryId);
      unplaced.delete(entryId);
      unplacedBodies.delete(entryId);
    },
    async close() {
      await Promise.all([entrySearch.close(), chunkSearch.close()]);
    },
  };

  function* loadTable(
    database: () => Database,
    isWanted: (entryId: number) => boolean,
    reading: Reading,
  ): Iterable<void> {
    const { table } = reading;
    const last =
      database().get<{ last: number | null }>('SELECT max(id) AS last FROM entries')?.last ?? 0;
    for (let from = 0; from < last; ) {
      // Ids have gaps: entries that went leave them for good.
      const to = database().get<{ to: number | null }>(NEXT_STEP, from)?.to ?? last;
      const missing = findMissing(database(), reading, from, to, isWanted);
      if (missing.size > READ_TOGETHER) {
        const found = read(database(), reading, from, to);
        for (const [owner, texts] of missing)
          put(table, owner, found.get(owner) ?? NOTHING, texts.length);
      } else {
        for (const [owner, texts] of missing) {
          const owned = read(database(), reading, owner - 1, owner).get(owner);
          put(table, owner, owned ?? NOTHING, texts.length);
        }
      }
      from = to;
      yield;
    }
    // What a snapshot has beyond the index went since.
    for (const owner of new Set(table.owners)) if (owner > last) table.delete(owner);
  }
}

/** Owners whose rows are not of the texts that index.db has for them, with those; what is not wanted is deleted. */
function findMissing(
  db: Database,
  reading: Reading,
  from: number,
  to: number,
  isWanted: (entryId: number) => boolean,
): Map<number, string[]> {
  const { table } = reading;
  const missing = readTexts(db, reading, from, to);
  for (let owner = from + 1; owner <= to; owner++) {
    const texts = missing.get(owner);
    const isGone = texts === undefined || !isWanted(owner);
    if (isGone) table.delete(owner);
    if (isGone || table.hasTexts(owner, texts)) missing.delete(owner);
  }
  return missing;
}

/** The texts of entries with ids above `from`, up to `to`, embedded or not. */
function readTexts(
  db: Database,
  { texts: sql }: Reading,
  from: number,
  to: number,
): Map<number, string[]> {
  const textsOf = new Map<number, string[]>();
  for (const { owner, text } of db.all<{ owner: number; text: string }>(sql, from, to)) {
    const texts = textsOf.get(owner);
    if (texts === undefined) textsOf.set(owner, [text]);
    else texts.push(text);
  }
  return textsOf;
}
