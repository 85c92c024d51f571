import type { Lexicon } from './lexicon.ts';
import { hashToken } from './terms.ts';
import { tokenise } from './tokenise.ts';

/** One distinct word of a query. */
export interface QueryWord {
  token: string;
  hash: number;
  /** How telling the word is here: log(1 + (N - n + ½) / (n + ½)), as in BM25. */
  idf: number;
  /** Entries that hold it in name, description or opening. */
  entries: number;
}

/**
 * Distinct words that a query may search with. A task takes 4 to 20; this is for
 * pasted logs, where the rarest words tell most and the rest only cost time.
 */
export const MAX_QUERY_WORDS = 32;

/** Characters of a query that are read (library contract: a query is at most 4,096). */
const MAX_QUERY_CHARS = 4_096;

/** Words that say nothing about a task, stemmed as the index has them. */
const STOP_WORDS = new Set(
  tokenise(
    'a an the of to in on for and or is it be i my me we our you your this that these those with from by at as are was were so do does did not no but if when how what which can could would should will into them they their its it has have had up out about just all any some one more too only still there then than been being who where why am us he she his her let lets',
  ),
);

/**
 * The words of a query with their weights, in the order they stand. Stop words
 * are left out unless there is nothing else. Any text is safe: what is no word
 * (control characters, emoji, FTS syntax) gives none.
 */
export function readQueryWords(query: string, lexicon: Lexicon): QueryWord[] {
  const tokens = [...new Set(tokenise(query.slice(0, MAX_QUERY_CHARS)))];
  const telling = tokens.filter((token) => !STOP_WORDS.has(token));
  const words = (telling.length > 0 ? telling : tokens).map((token) => {
    const hash = hashToken(token);
    const entries = lexicon.entriesWith(hash);
    return {
      token,
      hash,
      entries,
      idf: Math.log(1 + (lexicon.size - entries + 0.5) / (entries + 0.5)),
    };
  });
  if (words.length <= MAX_QUERY_WORDS) return words;
  // A word of no entry cannot find anything in the hot fields, but FTS may know it deeper in a body.
  const rarest = [...words].sort((a, b) => b.idf - a.idf).slice(0, MAX_QUERY_WORDS);
  const kept = new Set(rarest);
  return words.filter((word) => kept.has(word));
}
