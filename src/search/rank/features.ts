import type { IndexedEntry } from '../../store/index-view.ts';
import type { Candidate, VectorIndex } from '../candidates.ts';
import { scoreField, scoreWords } from '../lexical.ts';
import { FIELDS, type Lexicon } from '../lexicon.ts';
import type { QueryWord } from '../query-words.ts';
import { countOf } from '../terms.ts';
import type { EntryWords } from '../words.ts';

/**
 * What the ranker knows of a candidate, by name and in order. Training and
 * product share this code; a change here needs `scripts/train/ranker.ts` again.
 * "rel" is the distance to the best of the list, "z" the place in its spread.
 */
export const FEATURES = [
  'entry',
  'entryRel',
  'entryZ',
  'entryRank',
  'chunk',
  'chunkRel',
  'chunkZ',
  'chunkRank',
  'chunkSecond',
  'chunkMean',
  'bestView',
  'worstView',
  'fused',
  'fusedRel',
  'fusedZ',
  'fusedRank',
  'lexical',
  'lexicalRank',
  'lexicalDensity',
  'bm25Name',
  'bm25About',
  'bm25Opening',
  'coverName',
  'coverAbout',
  'coverOpening',
  'coverAny',
  'rareName',
  'rareAbout',
  'rareAny',
  'nameMatched',
  'nameWords',
  'phrases',
  'feedback',
  'likeFirst',
  'hubness',
  'isCommand',
  'isAgent',
  'bodyLength',
  'aboutLength',
] as const;
export type FeatureName = (typeof FEATURES)[number];

export interface RankingContext {
  lexicon: Lexicon;
  index: VectorIndex;
  /** Kinds and sizes of the candidates. */
  entryOf(id: number): Pick<IndexedEntry, 'kind' | 'bodyChars'> | undefined;
}

/** Training bodies are cut here; a longer one must not look like nothing the ranker has seen. */
const MEASURED_BODY_CHARS = 6_000;

/** The nearest candidates whose mean vector stands for what the query is about. */
const FEEDBACK_ENTRIES = 4;

/**
 * One row of features for each candidate, in {@link FEATURES} order.
 *
 * @param candidates the head of the first stage, best first
 */
export function computeFeatures(
  context: RankingContext,
  query: Float32Array,
  words: readonly QueryWord[],
  candidates: readonly Candidate[],
): Float64Array[] {
  const { lexicon, index } = context;
  const totalIdf = words.reduce((sum, word) => sum + word.idf, 0) || 1;
  const greatestIdf = Math.max(...words.map((word) => word.idf), 1e-9);
  const pairs = pairsOf(words);
  const texts = candidates.map((candidate) => lexicon.wordsOf(candidate.id));

  const entry = describe(candidates.map((candidate) => candidate.entry));
  const chunk = describe(candidates.map((candidate) => candidate.chunks[0] ?? candidate.entry));
  const fused = describe(candidates.map((candidate) => candidate.fused));
  const lexical = describe(candidates.map((candidate) => candidate.lexical));
  const fields = FIELDS.map((field) =>
    describe(
      texts.map((text) => (text === undefined ? 0 : scoreField(words, text, field, lexicon))),
    ),
  );
  const rows = candidates.map((candidate) => index.entries.rowsOf(candidate.id)[0]);
  const about = feedbackVector(index, query, rows);
  const first = rows[0] === undefined ? undefined : index.entries.vectorAt(rows[0]);
  const centre = centreOf(index, rows);
  const toAbout = measureRows(index, rows, about);
  const toFirst = measureRows(index, rows, first);
  const toCentre = measureRows(index, rows, centre);

  return candidates.map((candidate, i) => {
    const text = texts[i];
    const facts = context.entryOf(candidate.id);
    const chunks = candidate.chunks.length > 0 ? candidate.chunks : [candidate.entry];
    const chunkMean = chunks.reduce((sum, value) => sum + value, 0) / chunks.length;
    const cover = text === undefined ? NO_COVER : coverWords(words, text, totalIdf, greatestIdf);
    const values: Record<FeatureName, number> = {
      entry: entry.values[i]!,
      entryRel: entry.values[i]! - entry.best,
      entryZ: entry.z(i),
      entryRank: 1 / entry.rank(i),
      chunk: chunk.values[i]!,
      chunkRel: chunk.values[i]! - chunk.best,
      chunkZ: chunk.z(i),
      chunkRank: 1 / chunk.rank(i),
      chunkSecond: chunks[1] ?? chunks[0]!,
      chunkMean,
      bestView: Math.max(candidate.entry, chunks[0]!),
      worstView: Math.min(candidate.entry, chunks[0]!),
      fused: candidate.fused,
      fusedRel: candidate.fused - fused.best,
      fusedZ: fused.z(i),
      fusedRank: 1 / fused.rank(i),
      lexical: candidate.lexical,
      lexicalRank: candidate.lexical > 0 ? 1 / lexical.rank(i) : 0,
      lexicalDensity: text === undefined ? 0 : scoreWords(words, text, lexicon) / (totalIdf || 1),
      bm25Name: fields[0]!.share(i),
      bm25About: fields[1]!.share(i),
      bm25Opening: fields[2]!.share(i),
      ...cover,
      phrases: text === undefined ? 0 : sharePhrases(pairs, text),
      feedback: toAbout[i]!,
      likeFirst: toFirst[i]!,
      hubness: toCentre[i]!,
      isCommand: facts?.kind === 'command' ? 1 : 0,
      isAgent: facts?.kind === 'agent' ? 1 : 0,
      bodyLength: Math.log1p(Math.min(MEASURED_BODY_CHARS, facts?.bodyChars ?? 0)),
      aboutLength: Math.log1p(text?.about.length ?? 0),
    };
    return Float64Array.from(FEATURES, (name) => values[name]);
  });
}

/** A list of values with its best, its spread and each one's rank (1 = best, equal values share). */
function describe(values: readonly number[]) {
  const best = Math.max(...values);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  const spread = Math.sqrt(variance) || 1;
  const descending = [...values].sort((a, b) => b - a);
  const rankOf = new Map<number, number>();
  descending.forEach((value, at) => {
    if (!rankOf.has(value)) rankOf.set(value, at + 1);
  });
  return {
    values,
    best,
    z: (i: number) => (values[i]! - mean) / spread,
    rank: (i: number) => rankOf.get(values[i]!)!,
    share: (i: number) => (best > 0 ? values[i]! / best : 0),
  };
}

const NO_COVER = {
  coverName: 0,
  coverAbout: 0,
  coverOpening: 0,
  coverAny: 0,
  rareName: 0,
  rareAbout: 0,
  rareAny: 0,
  nameMatched: 0,
  nameWords: 0,
};

/** Which share of the query's weight each field holds, and which share of the name is asked for. */
function coverWords(
  words: readonly QueryWord[],
  text: EntryWords,
  totalIdf: number,
  greatestIdf: number,
): typeof NO_COVER {
  const cover = { ...NO_COVER, nameWords: text.name.hashes.length };
  let matched = 0;
  for (const { hash, idf } of words) {
    const inName = countOf(text.name, hash) > 0;
    const inAbout = countOf(text.about, hash) > 0;
    const inOpening = countOf(text.opening, hash) > 0;
    const weight = idf / totalIdf;
    const rarity = idf / greatestIdf;
    if (inName) {
      matched++;
      cover.coverName += weight;
      cover.rareName = Math.max(cover.rareName, rarity);
    }
    if (inAbout) {
      cover.coverAbout += weight;
      cover.rareAbout = Math.max(cover.rareAbout, rarity);
    }
    if (inOpening) cover.coverOpening += weight;
    if (inName || inAbout || inOpening) {
      cover.coverAny += weight;
      cover.rareAny = Math.max(cover.rareAny, rarity);
    }
  }
  cover.nameMatched = matched / Math.max(1, cover.nameWords);
  return cover;
}

/** Pairs of neighbouring words of a query, each with its number. */
function pairsOf(words: readonly QueryWord[]): Map<number, number> {
  const pairs = new Map<number, number>();
  for (let i = 0; i + 1 < words.length; i++)
    pairs.set(pairKey(words[i]!.hash, words[i + 1]!.hash), i);
  return pairs;
}

/** Which share of the query's pairs also follow each other in name or description. */
function sharePhrases(pairs: ReadonlyMap<number, number>, { order }: EntryWords): number {
  if (pairs.size === 0) return 0;
  // A query has at most 32 words (MAX_QUERY_WORDS): its pairs are the bits of one number.
  let found = 0;
  let count = 0;
  for (let i = 0; i + 1 < order.length; i++) {
    const pair = pairs.get(pairKey(order[i]!, order[i + 1]!));
    if (pair === undefined || (found & (1 << pair)) !== 0) continue;
    found |= 1 << pair;
    count++;
  }
  return count / pairs.size;
}

/** Two 32-bit hashes in one number below 2^53. */
function pairKey(first: number, second: number): number {
  return (first & 0x1fffff) * 0x100000000 + second;
}

/** Similarity of each candidate's row with a direction; 0 where either is missing. */
function measureRows(
  index: VectorIndex,
  rows: readonly (number | undefined)[],
  direction: Float32Array | undefined,
): Float64Array {
  const found = new Float64Array(rows.length);
  if (direction === undefined) return found;
  const known = rows.filter((row) => row !== undefined);
  const measured = index.entries.similarities(known, direction);
  let at = 0;
  for (let i = 0; i < rows.length; i++) if (rows[i] !== undefined) found[i] = measured[at++]!;
  return found;
}

/** Pseudo-relevance feedback: query and nearest entries as one direction. */
function feedbackVector(
  index: VectorIndex,
  query: Float32Array,
  rows: readonly (number | undefined)[],
): Float32Array {
  const sum = Float32Array.from(query);
  let taken = 0;
  for (const row of rows) {
    if (row === undefined) continue;
    if (taken++ === FEEDBACK_ENTRIES) break;
    const vector = index.entries.vectorAt(row);
    for (let i = 0; i < sum.length; i++) sum[i]! += vector[i]! / FEEDBACK_ENTRIES;
  }
  return toUnit(sum);
}

/** Mean direction of the candidates: an entry near it is near to everything. */
function centreOf(index: VectorIndex, rows: readonly (number | undefined)[]): Float32Array {
  const sum = new Float32Array(index.entries.dim);
  for (const row of rows) {
    if (row === undefined) continue;
    const vector = index.entries.vectorAt(row);
    for (let i = 0; i < sum.length; i++) sum[i]! += vector[i]!;
  }
  return toUnit(sum);
}

function toUnit(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const value of vector) squares += value * value;
  const length = Math.sqrt(squares) || 1;
  for (let i = 0; i < vector.length; i++) vector[i]! /= length;
  return vector;
}
