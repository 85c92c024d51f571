import type { LexicalHit } from './lexical.ts';
import type { NearestSearch } from './vectors/nearest.ts';
import type { VectorTable } from './vectors/table.ts';

/** The vectors of one model over one index: entries, and chunks of their bodies. */
export interface VectorIndex {
  /** Identity of the model that made them; vectors of two models are never mixed. */
  readonly model: string;
  readonly entries: VectorTable;
  readonly chunks: VectorTable;
  readonly entrySearch: NearestSearch;
  readonly chunkSearch: NearestSearch;
  /** What there is no memory for, so that words alone rank it; null where all fits. */
  readonly shortage: string | null;
}

/** An entry that may answer a query, with what the first stage knows of it. */
export interface Candidate {
  id: number;
  /** Cosine of query and entry vector; for an entry not embedded yet, an estimate from its words. */
  entry: number;
  /** False while the entry has no vector. */
  isEmbedded: boolean;
  /** Cosines of query and body chunks, best first; empty without chunks. */
  chunks: readonly number[];
  /** Lexical score over the best of this query, in [0, 1]. */
  lexical: number;
  /** The first stage's score; see {@link fuse}. */
  fused: number;
}

/** Share of each signal in the first stage (model card: .5 entry, .5 best chunk, .12 lexical). */
const ENTRY_SHARE = 0.5;
const CHUNK_SHARE = 0.5;
const LEXICAL_SHARE = 0.12;

/** Nearest entries, nearest chunks and lexical hits that enter the first stage, at least. */
const MIN_POOL = 100;
const CHUNKS_PER_PLACE = 2;

/** How many of each signal to fetch so that `places` results are sure to be among them. */
export function poolSize(places: number): number {
  return Math.max(MIN_POOL, places * 2);
}

/**
 * The first stage: the union of the nearest entries, the nearest chunks and the
 * lexical hits, each scored by all three, best first (equal scores by id).
 *
 * @param query unit vector of the index's model
 * @param lexical hits inside `allowed`, best first
 */
export function gatherCandidates(
  index: VectorIndex,
  query: Float32Array,
  lexical: readonly LexicalHit[],
  allowed: ReadonlySet<number>,
  places: number,
): Candidate[] {
  const pool = poolSize(places);
  const ids = new Set<number>();
  const nearest = index.entrySearch.nearest(query, pool, allowed);
  for (const { owner } of nearest) ids.add(owner);
  for (const { owner } of index.chunkSearch.nearest(query, pool * CHUNKS_PER_PLACE, allowed))
    ids.add(owner);
  for (const { id } of lexical) ids.add(id);

  const bestLexical = lexical[0]?.score ?? 1;
  const lexicalById = new Map(lexical.map(({ id, score }) => [id, score / bestLexical]));
  const bestEntry = nearest[0]?.similarity ?? 0;
  const entryOf = measureOwners(index.entries, ids, query);
  const chunksOf = measureOwners(index.chunks, ids, query);
  const candidates: Candidate[] = [];
  for (const id of ids) {
    const words = lexicalById.get(id) ?? 0;
    const own = entryOf(id)[0];
    const isEmbedded = own !== undefined;
    // What was saved a moment ago competes by its words, up to the nearest embedded entry.
    const entry = own ?? bestEntry * words;
    const chunks = chunksOf(id);
    if (chunks.length > 1) chunks.sort((a, b) => b - a);
    const candidate = { id, entry, isEmbedded, chunks, lexical: words, fused: 0 };
    candidate.fused = fuse(candidate);
    candidates.push(candidate);
  }
  return candidates.sort((a, b) => b.fused - a.fused || a.id - b.id);
}

/**
 * Similarities of the rows of some owners, all measured at once.
 *
 * @returns takes the owners in the order that was given
 */
function measureOwners(
  table: VectorTable,
  owners: ReadonlySet<number>,
  query: Float32Array,
): (owner: number) => number[] {
  const rows: number[] = [];
  for (const owner of owners) rows.push(...table.rowsOf(owner));
  const measured = table.similarities(rows, query);
  let at = 0;
  return (owner) => {
    const own: number[] = [];
    for (let left = table.rowsOf(owner).length; left > 0; left--) own.push(measured[at++]!);
    return own;
  };
}

/** The first stage's score of a candidate. Without chunks, the entry stands for them. */
export function fuse(candidate: Pick<Candidate, 'entry' | 'chunks' | 'lexical'>): number {
  const chunk = candidate.chunks[0] ?? candidate.entry;
  return ENTRY_SHARE * candidate.entry + CHUNK_SHARE * chunk + LEXICAL_SHARE * candidate.lexical;
}
