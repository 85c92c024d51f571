import type { Database } from '../../store/database.ts';
import type { VectorIndex } from '../candidates.ts';
import { type AdaptiveSearch, createAdaptiveSearch } from './hnsw.ts';
import { createVectorTable, type VectorTable } from './table.ts';

/** The vectors of one model in memory, filled from index.db and kept current entry by entry. */
export interface VectorStore extends VectorIndex {
  readonly entrySearch: AdaptiveSearch;
  readonly chunkSearch: AdaptiveSearch;
  /**
   * Read everything that index.db has for this model, step by step.
   *
   * @param isWanted false for entries that went meanwhile
   */
  load(database: () => Database, isWanted: (entryId: number) => boolean): Iterable<void>;
  /** Read again what index.db has for one entry: after it changed, or was embedded. */
  refresh(db: Database, entryId: number): void;
  delete(entryId: number): void;
  close(): void;
}

/** Entries of one step: 20 ms or so, and a megabyte beside what stays. */
const LOAD_ROWS = 250;

/*
 * CROSS JOIN in the queries below keeps SQLite's hands off their order: it would
 * otherwise walk all vectors of the model for each step.
 */
export function createVectorStore(model: string, dim: number, hnswFrom?: number): VectorStore {
  const entrySearch = createAdaptiveSearch(() => entries, hnswFrom);
  const chunkSearch = createAdaptiveSearch(() => chunks, hnswFrom);
  const entries: VectorTable = createVectorTable(dim, entrySearch);
  const chunks: VectorTable = createVectorTable(dim, chunkSearch);

  const decode = (blob: ArrayBuffer): Float32Array | null =>
    blob.byteLength === dim * 4 ? new Float32Array(blob) : null;

  return {
    model,
    entries,
    chunks,
    entrySearch,
    chunkSearch,
    *load(database, isWanted) {
      yield* loadTable(
        database,
        isWanted,
        `SELECT e.id AS owner, v.vector AS vector FROM entries e
           CROSS JOIN vectors v ON v.model = ?1 AND v.text_hash = e.text_hash
          WHERE e.id > ?2 AND e.id <= ?3 ORDER BY e.id`,
        entries,
      );
      yield* loadTable(
        database,
        isWanted,
        `SELECT c.entry_id AS owner, v.vector AS vector FROM chunks c
           CROSS JOIN vectors v ON v.model = ?1 AND v.text_hash = c.text_hash
          WHERE c.entry_id > ?2 AND c.entry_id <= ?3 ORDER BY c.entry_id, c.position`,
        chunks,
      );
    },
    refresh(db, entryId) {
      for (const [table, sql] of [
        [
          entries,
          `SELECT v.vector AS vector FROM entries e
             CROSS JOIN vectors v ON v.model = ?1 AND v.text_hash = e.text_hash WHERE e.id = ?2`,
        ],
        [
          chunks,
          `SELECT v.vector AS vector FROM chunks c
             CROSS JOIN vectors v ON v.model = ?1 AND v.text_hash = c.text_hash
            WHERE c.entry_id = ?2 ORDER BY c.position`,
        ],
      ] as const) {
        const vectors = db
          .all<{ vector: ArrayBuffer }>(sql, model, entryId)
          .map(({ vector }) => decode(vector))
          .filter((vector) => vector !== null);
        table.set(entryId, vectors);
      }
    },
    delete(entryId) {
      entries.delete(entryId);
      chunks.delete(entryId);
    },
    close() {
      entrySearch.close();
      chunkSearch.close();
    },
  };

  function* loadTable(
    database: () => Database,
    isWanted: (entryId: number) => boolean,
    sql: string,
    table: VectorTable,
  ): Iterable<void> {
    const last =
      database().get<{ last: number | null }>('SELECT max(id) AS last FROM entries')?.last ?? 0;
    for (let from = 0; from < last; from += LOAD_ROWS) {
      const vectorsOf = new Map<number, Float32Array[]>();
      for (const { owner, vector } of database().all<{ owner: number; vector: ArrayBuffer }>(
        sql,
        model,
        from,
        from + LOAD_ROWS,
      )) {
        const decoded = decode(vector);
        if (decoded === null) continue;
        const vectors = vectorsOf.get(owner);
        if (vectors === undefined) vectorsOf.set(owner, [decoded]);
        else vectors.push(decoded);
      }
      for (const [owner, vectors] of vectorsOf) if (isWanted(owner)) table.set(owner, vectors);
      yield;
    }
  }
}
