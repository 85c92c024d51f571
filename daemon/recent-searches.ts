import type { AnsweredSearch } from '../src/library/parts.ts';

/** Searches that are remembered: more than one person reads. */
const MOST_KEPT = 100;

/** Characters kept of a query and a name; the longest query has 4,096. */
const MOST_CHARS = 200;

/** One answered search, numbered from 1 since the daemon began. */
export interface RecentSearch extends AnsweredSearch {
  id: number;
}

/** The last searches, newest first. Kept in memory only: they are gone with the daemon. */
export interface RecentSearches {
  add(search: AnsweredSearch): void;
  list(): RecentSearch[];
}

export function rememberSearches(): RecentSearches {
  const ring: RecentSearch[] = [];
  let count = 0;
  return {
    add(search) {
      const query = search.query.slice(0, MOST_CHARS);
      const best = search.best?.slice(0, MOST_CHARS) ?? null;
      ring[count % MOST_KEPT] = { id: count + 1, ...search, query, best };
      count += 1;
    },
    list: () => [...ring].sort((a, b) => b.id - a.id),
  };
}
