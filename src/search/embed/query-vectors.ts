import type { Embedder } from './embedder.ts';

/**
 * Query vectors kept: agents of one task ask the same again, and a query is
 * embedded ahead while its search still waits for the watcher. 1.5 kB each.
 */
const KEPT = 256;

/** The vectors of queries, each made once while it is remembered. */
export interface QueryVectors {
  /**
   * The vector of a query, started now or already on its way.
   *
   * @throws EmbedderUnavailable; a failure is not remembered
   */
  of(embedder: Embedder, query: string): Promise<Float32Array>;
}

export function keepQueryVectors(): QueryVectors {
  const kept = new Map<string, Promise<Float32Array>>();
  return {
    of(embedder, query) {
      const key = `${embedder.profile.id}\0${query}`;
      const known = kept.get(key);
      if (known !== undefined) {
        // Used last, forgotten last.
        kept.delete(key);
        kept.set(key, known);
        return known;
      }
      const made = embedder.embedQuery(query);
      kept.set(key, made);
      made.catch(() => {
        if (kept.get(key) === made) kept.delete(key);
      });
      if (kept.size > KEPT) kept.delete(kept.keys().next().value!);
      return made;
    },
  };
}
