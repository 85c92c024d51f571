import type { Database } from '../database.ts';

/** One embedded text, keyed as `vectors` is. */
export interface VectorRow {
  textHash: string;
  /** Unit length. */
  vector: Float32Array;
}

/** Store vectors of one model, all or none; one that is there already is replaced. */
export function putVectors(db: Database, model: string, rows: readonly VectorRow[]): void {
  db.transact(() => {
    for (const { textHash, vector } of rows) {
      db.run(
        'INSERT OR REPLACE INTO vectors (model, text_hash, vector) VALUES (?, ?, ?)',
        model,
        textHash,
        new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength),
      );
    }
  });
}
