import type { Database } from '../store/database.ts';
import type { IndexedEntry, IndexView } from '../store/index-view.ts';
import { createLexicon, type Lexicon } from './lexicon.ts';
import { createNameIndex, type NameIndex } from './names.ts';
import { unpackTerms } from './terms.ts';

/** What searching keeps in memory beside the view: words and names of every entry. */
export interface HotIndex {
  readonly lexicon: Lexicon;
  readonly names: NameIndex;
  /** Read every entry of the view, step by step: between steps the caller may do other work. */
  load(database: () => Database, view: IndexView): Iterable<void>;
  /** Read an entry again after it changed. */
  refresh(db: Database, entry: IndexedEntry): void;
  delete(entryId: number): void;
}

/** Rows of one step: 20 ms or so. */
const LOAD_ROWS = 250;

const NO_TERMS = unpackTerms(new Uint8Array(4));

export function createHotIndex(): HotIndex {
  const lexicon = createLexicon();
  const names = createNameIndex();
  const set = (entry: IndexedEntry, packed: ArrayBuffer | undefined): void => {
    names.set(entry.id, entry);
    lexicon.set(
      entry.id,
      entry,
      packed === undefined ? NO_TERMS : unpackTerms(new Uint8Array(packed)),
    );
  };
  return {
    lexicon,
    names,
    *load(database, view) {
      let last = 0;
      for (const id of view.entries.keys()) last = Math.max(last, id);
      for (let from = 0; from < last; from += LOAD_ROWS) {
        const rows = database().all<{ id: number; terms: ArrayBuffer }>(
          'SELECT entry_id AS id, terms FROM bodies WHERE entry_id > ? AND entry_id <= ?',
          from,
          from + LOAD_ROWS,
        );
        for (const { id, terms } of rows) {
          const entry = view.entries.get(id);
          if (entry !== undefined) set(entry, terms);
        }
        yield;
      }
      for (const entry of view.entries.values())
        if (lexicon.wordsOf(entry.id) === undefined) set(entry, undefined);
    },
    refresh(db, entry) {
      const row = db.get<{ terms: ArrayBuffer }>(
        'SELECT terms FROM bodies WHERE entry_id = ?',
        entry.id,
      );
      set(entry, row?.terms);
    },
    delete(entryId) {
      lexicon.delete(entryId);
      names.delete(entryId);
    },
  };
}
