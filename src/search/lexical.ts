import type { Database } from '../store/database.ts';
import type { Field, Lexicon } from './lexicon.ts';
import type { QueryWord } from './query-words.ts';
import { countOf, type Terms } from './terms.ts';
import type { EntryWords } from './words.ts';

/**
 * BM25F: how much one occurrence counts per field, and how strongly a long field
 * dampens it. Fitted by hand on the calibration queries; docs/search.md has the figures.
 */
const WEIGHT: Record<Field, number> = { name: 3, about: 3, opening: 1 };
const LENGTH_DAMPING: Record<Field, number> = { name: 0.5, about: 0.75, opening: 0.9 };
const SATURATION = 1.2;

/** FTS5's own column weights, for the order in which candidates come: name, description, when_to_use, body. */
const FTS_WEIGHTS = '8.0, 4.0, 4.0, 1.0';

/**
 * FTS5 looks at about this many rows for one query, by what the lexicon knows:
 * it scores some 500 a millisecond. The commonest words are then left to the
 * ranking, which still counts them in every candidate; on the corpus that
 * changes no place.
 */
const MAX_FTS_ROWS = 1_000;

/**
 * A word deep in a body, below the opening, still makes an entry a candidate;
 * FTS5's score then counts this much beside BM25F of the hot fields.
 */
const DEEP_WEIGHT = 0.03;

/** Candidates that are scored again; far beyond what any caller keeps. */
const MAX_RESCORED = 400;

export interface LexicalHit {
  id: number;
  /** BM25F plus the share of FTS5; > 0. */
  score: number;
}

/**
 * Entries that hold words of the query, best first. FTS5 finds the candidates
 * over the whole text; BM25F over the hot fields orders them.
 *
 * @param allowed applied before any limit: a filter never costs a candidate
 * @returns at most `limit`, equal scores in the order of `id`
 */
export function searchLexical(
  db: Database,
  lexicon: Lexicon,
  words: readonly QueryWord[],
  allowed: ReadonlySet<number>,
  limit: number,
): LexicalHit[] {
  const match = toMatch(words);
  if (match === '') return [];
  const hits: LexicalHit[] = [];
  for (const { id, rank } of findRows(db, match)) {
    if (!allowed.has(id)) continue;
    const entry = lexicon.wordsOf(id);
    const hot = entry === undefined ? 0 : scoreWords(words, entry, lexicon);
    hits.push({ id, score: hot + DEEP_WEIGHT * rank + Number.EPSILON });
    if (hits.length === MAX_RESCORED) break;
  }
  hits.sort((a, b) => b.score - a.score || a.id - b.id);
  return hits.slice(0, limit);
}

/**
 * Rows that match, best first, as FTS5 scores them (higher is better here). One
 * row of text carries them all: a call into the database for each would cost
 * more than the search.
 */
function findRows(db: Database, match: string): { id: number; rank: number }[] {
  const found = db.get<{ ids: string | null; ranks: string | null }>(
    `SELECT group_concat(id) AS ids, group_concat(rank) AS ranks FROM (
       SELECT rowid AS id, CAST(-1e6 * bm25(entries_fts, ${FTS_WEIGHTS}) AS INTEGER) AS rank
         FROM entries_fts WHERE entries_fts MATCH ? ORDER BY rank DESC, rowid)`,
    match,
  );
  if (found?.ids == null || found.ranks == null) return [];
  const ranks = found.ranks.split(',');
  return found.ids.split(',').map((id, i) => ({ id: Number(id), rank: Number(ranks[i]) / 1e6 }));
}

/** BM25F of one entry, all fields together. */
export function scoreWords(
  words: readonly QueryWord[],
  entry: EntryWords,
  lexicon: Lexicon,
): number {
  const { name, about, opening } = entry;
  // Once for an entry and not once for each word: this is the innermost loop of a search.
  const nameWeight = weighOccurrence(name, 'name', lexicon);
  const aboutWeight = weighOccurrence(about, 'about', lexicon);
  const openingWeight = weighOccurrence(opening, 'opening', lexicon);
  let score = 0;
  for (const { hash, idf } of words) {
    const frequency =
      nameWeight * countOf(name, hash) +
      aboutWeight * countOf(about, hash) +
      openingWeight * countOf(opening, hash);
    score += (idf * frequency) / (SATURATION + frequency);
  }
  return score;
}

/** BM25 of one field alone, with the same damping. */
export function scoreField(
  words: readonly QueryWord[],
  entry: EntryWords,
  field: Field,
  lexicon: Lexicon,
): number {
  const terms = entry[field];
  const weight = weighOccurrence(terms, field, lexicon);
  let score = 0;
  for (const { hash, idf } of words) {
    const frequency = weight * countOf(terms, hash);
    score += (idf * frequency) / (SATURATION + frequency);
  }
  return score;
}

/** What one occurrence counts in a field of this length. */
function weighOccurrence(terms: Terms, field: Field, lexicon: Lexicon): number {
  const damping = LENGTH_DAMPING[field];
  return WEIGHT[field] / (1 - damping + (damping * terms.length) / lexicon.meanLength(field));
}

/**
 * An FTS5 expression for any of the words. Tokens hold only letters, digits and
 * `_`; quoted, none can be an operator. Rarest first, while the rows they bring
 * stay within bounds.
 */
function toMatch(words: readonly QueryWord[]): string {
  const rarestFirst = [...words].sort((a, b) => a.entries - b.entries);
  const chosen: string[] = [];
  let rows = 0;
  for (const word of rarestFirst) {
    rows += word.entries;
    if (chosen.length > 0 && rows > MAX_FTS_ROWS) break;
    chosen.push(`"${word.token}"`);
  }
  return chosen.join(' OR ');
}
