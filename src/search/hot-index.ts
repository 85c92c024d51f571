import type { Database } from '../store/database.ts';
import type { IndexedEntry, IndexView } from '../store/index-view.ts';
import { createLexicon, type Lexicon } from './lexicon.ts';
import { createNameIndex, type NameIndex } from './names.ts';
import { type EntryWords, readWords, unpackWords } from './words.ts';

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

/** Rows of one step: 3 ms or so. */
const LOAD_ROWS = 100;

const STEP = `SELECT entry_id AS id, terms FROM bodies
  WHERE entry_id > ? ORDER BY entry_id LIMIT ${LOAD_ROWS}`;
const TERMS = 'SELECT terms FROM bodies WHERE entry_id = ?';
const BODY = 'SELECT body FROM bodies WHERE entry_id = ?';

export function createHotIndex(): HotIndex {
  const lexicon = createLexicon();
  const names = createNameIndex();

  const set = (db: Database, entry: IndexedEntry, packed: ArrayBuffer | undefined): void => {
    names.set(entry.id, entry);
    const words = packed === undefined ? undefined : unpackWords(packed);
    lexicon.set(entry.id, words ?? makeWords(db, entry));
  };

  return {
    lexicon,
    names,
    *load(database, view) {
      for (let last = 0; ; ) {
        const db = database();
        const rows = db.all<{ id: number; terms: ArrayBuffer }>(STEP, last);
        if (rows.length === 0) break;
        for (const { id, terms } of rows) {
          const entry = view.entries.get(id);
          if (entry !== undefined) set(db, entry, terms);
        }
        last = rows.at(-1)!.id;
        yield;
      }
      for (const entry of view.entries.values())
        if (lexicon.wordsOf(entry.id) === undefined) set(database(), entry, undefined);
    },
    refresh(db, entry) {
      set(db, entry, db.get<{ terms: ArrayBuffer }>(TERMS, entry.id)?.terms);
    },
    delete(entryId) {
      lexicon.delete(entryId);
      names.delete(entryId);
    },
  };
}

/** From the text, where the index has none of this version's words yet. */
function makeWords(db: Database, entry: IndexedEntry): EntryWords {
  return readWords(entry, db.get<{ body: string }>(BODY, entry.id)?.body ?? '');
}
