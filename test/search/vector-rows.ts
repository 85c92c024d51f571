import { createHash } from 'node:crypto';
import { createVectorStore, type VectorStore } from '../../src/search/vectors/store.ts';
import { Database } from '../../src/store/database.ts';
import { INDEX_MIGRATIONS } from '../../src/store/index-schema.ts';
import { unit } from './small-index.ts';

export const MODEL = 'test-model';
export const DIM = 8;

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** A direction that depends on nothing but the text. */
export function vectorOf(text: string): Float32Array {
  return unit([...sha256(text).subarray(0, DIM)].map((byte) => byte - 127.5));
}

/** An index.db in memory with entries, chunks and vectors, as far as the vectors' store reads it. */
export function openVectorRows() {
  const db = new Database(':memory:');
  for (const step of INDEX_MIGRATIONS) db.exec(step);
  db.exec('PRAGMA foreign_keys = OFF');
  const columns = db.all<{ name: string; type: string; notnull: number }>(
    'SELECT name, type, "notnull" FROM pragma_table_info(\'entries\')',
  );
  const ids = new Set<number>();

  const storeVector = (text: string): void => {
    db.run(
      'INSERT OR REPLACE INTO vectors (model, text_hash, vector) VALUES (?, ?, ?)',
      MODEL,
      sha256(text).toString('hex'),
      new Uint8Array(vectorOf(text).buffer),
    );
  };

  /** An entry with its chunks, all embedded but for texts that begin with `?`. */
  const put = (id: number, text: string, chunks: readonly string[] = []): void => {
    const known: Record<string, string | number> = { id, text_hash: sha256(text).toString('hex') };
    const used = columns.filter(({ name, notnull }) => notnull === 1 || name in known);
    db.run(
      `INSERT OR REPLACE INTO entries (${used.map(({ name }) => name).join()}) VALUES (${used.map(() => '?').join()})`,
      ...used.map(({ name, type }) => known[name] ?? (type === 'TEXT' ? `${name}-${id}` : id)),
    );
    db.run('DELETE FROM chunks WHERE entry_id = ?', id);
    for (const [position, chunk] of chunks.entries())
      db.run(
        'INSERT INTO chunks (entry_id, position, text_hash, text) VALUES (?, ?, ?, ?)',
        id,
        position,
        sha256(chunk).toString('hex'),
        chunk,
      );
    for (const each of [text, ...chunks]) if (!each.startsWith('?')) storeVector(each);
    ids.add(id);
  };

  const remove = (id: number): void => {
    db.run('DELETE FROM entries WHERE id = ?', id);
    db.run('DELETE FROM chunks WHERE entry_id = ?', id);
    ids.delete(id);
  };

  /** Bring a store to what the rows say. */
  const load = (store: VectorStore): void => {
    for (const _ of store.load(
      () => db,
      (id) => ids.has(id),
    ));
  };

  return {
    db,
    ids,
    put,
    remove,
    load,
    storeVector,
    forgetVectors: () => db.run('DELETE FROM vectors'),
    openEmpty: (hnswFrom?: number): VectorStore => createVectorStore(MODEL, DIM, hnswFrom),
    /** A store that never saw a snapshot. */
    openLoaded(hnswFrom?: number): VectorStore {
      const store = createVectorStore(MODEL, DIM, hnswFrom);
      load(store);
      return store;
    },
  };
}

/** Everything a store has, by owner and in order: what two stores must agree on. */
export function contentsOf(store: VectorStore): Record<string, number[][]> {
  const contents: Record<string, number[][]> = {};
  for (const [name, table] of [
    ['entry', store.entries],
    ['chunk', store.chunks],
  ] as const) {
    for (const owner of [...new Set(table.owners)].sort((a, b) => a - b)) {
      if (owner >= 0)
        contents[`${name} ${owner}`] = table.rowsOf(owner).map((row) => [...table.vectorAt(row)]);
    }
  }
  return contents;
}
