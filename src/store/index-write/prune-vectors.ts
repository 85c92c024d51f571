import type { Database } from '../database.ts';

/**
 * Delete the vectors of texts that no entry and no chunk has, once there are more
 * than `kept` of them. Their age is not known, so all of them go.
 *
 * @returns how many were deleted
 */
export function pruneVectors(db: Database, kept: number): number {
  const unused = `FROM vectors
    WHERE text_hash NOT IN (SELECT text_hash FROM entries)
      AND text_hash NOT IN (SELECT text_hash FROM chunks)`;
  const found = db.get<{ count: number }>(`SELECT count(*) AS count ${unused}`)!.count;
  return found > kept ? db.run(`DELETE ${unused}`) : 0;
}
