import { createCountTable } from './count-table.ts';
import { countOf } from './terms.ts';
import type { EntryWords } from './words.ts';

/** Fields that ranking weighs apart: the name, what the entry says of itself, how its body opens. */
export const FIELDS = ['name', 'about', 'opening'] as const;
export type Field = (typeof FIELDS)[number];

/**
 * The words of every entry in memory (about 3 kB each) with the counts that
 * weigh them: in how many entries a word occurs, how long a field is on average.
 */
export interface Lexicon {
  readonly size: number;
  set(id: number, words: EntryWords): void;
  delete(id: number): void;
  wordsOf(id: number): EntryWords | undefined;
  /** Entries that hold the token of this hash in any field. */
  entriesWith(hash: number): number;
  /** Mean tokens of a field; at least 1. */
  meanLength(field: Field): number;
}

export function createLexicon(): Lexicon {
  const entries = new Map<number, EntryWords>();
  const frequency = createCountTable();
  const lengths: Record<Field, number> = { name: 0, about: 0, opening: 0 };

  /** Count `words` in (+1) or out (-1) of the statistics. */
  const account = (words: EntryWords, by: 1 | -1): void => {
    const { name, about, opening } = words;
    for (const field of FIELDS) lengths[field] += by * words[field].length;
    for (const hash of opening.hashes) frequency.add(hash, by);
    for (const hash of about.hashes) if (countOf(opening, hash) === 0) frequency.add(hash, by);
    for (const hash of name.hashes)
      if (countOf(opening, hash) === 0 && countOf(about, hash) === 0) frequency.add(hash, by);
  };

  const remove = (id: number): void => {
    const words = entries.get(id);
    if (words === undefined) return;
    entries.delete(id);
    account(words, -1);
  };

  return {
    get size() {
      return entries.size;
    },
    set(id, words) {
      remove(id);
      entries.set(id, words);
      account(words, 1);
    },
    delete: remove,
    wordsOf: (id) => entries.get(id),
    entriesWith: (hash) => frequency.get(hash),
    meanLength: (field) => Math.max(1, lengths[field] / Math.max(1, entries.size)),
  };
}
