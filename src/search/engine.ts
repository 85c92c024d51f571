import type { Database } from '../store/database.ts';
import type { IndexedEntry, IndexView } from '../store/index-view.ts';
import { type Candidate, gatherCandidates, poolSize, type VectorIndex } from './candidates.ts';
import { type Embedder, EmbedderUnavailable } from './embed/embedder.ts';
import { keepQueryVectors } from './embed/query-vectors.ts';
import { type LexicalHit, searchLexical } from './lexical.ts';
import type { Lexicon } from './lexicon.ts';
import type { NameIndex } from './names.ts';
import { type QueryWord, readQueryWords } from './query-words.ts';
import { computeFeatures, FEATURES } from './rank/features.ts';
import { rankRows, WEIGHTS } from './rank/ranker.ts';
import type {
  ModelHealth,
  Scoring,
  SearchAnswer,
  SearchEngine,
  SearchHit,
  SearchRequest,
} from './types.ts';

/** The learned ranking looks at this many, or at as many as are asked for (design 7). */
const RANKED = 40;

/** Lexical hits beside each place of the vectors: words find many, and are cheap. */
const LEXICAL_PER_PLACE = 2;

/**
 * Below this share of embedded entries an answer by meaning would mostly show
 * what happens to be embedded; words then judge all entries alike.
 */
const MIN_EMBEDDED_SHARE = 0.5;

/** A result whose name is the query is what was asked for: at least this probable. */
const EXACT_NAME_PROBABILITY = 0.97;

/** For what is not over by itself. */
const ADVICE = ' (what to do: lectern doctor)';

/** A model with the vectors it made; they serve together and are replaced together. */
export interface ServingModel {
  embedder: Embedder;
  index: VectorIndex;
}

export interface SearchEngineOptions {
  view: IndexView;
  /** The read connection; asked for at each search, because a rebuilt index has another. */
  database(): Database;
  lexicon: Lexicon;
  names: NameIndex;
  /** Null while there is no model; then words alone answer. */
  serving(): ServingModel | null;
  /** Why `serving` is null, or what is wrong with the model. */
  modelHealth(): ModelHealth;
  /** Told before this thread's own work on a query begins; calls back when that is over. */
  onWork?: (query: string) => () => void;
}

/** One result with everything that placed it, for `lectern explain`. */
export interface Explanation {
  entry: IndexedEntry;
  rank: number;
  score: number;
  /** Null without vectors. */
  candidate: Candidate | null;
  /** Lexical score before it is divided by the best. */
  lexical: number;
  /** Rank in the first stage. */
  firstStageRank: number | null;
  /** Each feature with its value, and what it added to the learned score. */
  features: { name: string; value: number; contribution: number }[];
  isExactName: boolean;
  alsoIn: IndexedEntry[];
}

export interface ExplainedAnswer extends Omit<SearchAnswer, 'hits'> {
  words: QueryWord[];
  results: Explanation[];
}

export interface ExplainingSearchEngine extends SearchEngine {
  explain(request: SearchRequest): Promise<ExplainedAnswer>;
}

interface Placed {
  id: number;
  score: number;
  isExactName: boolean;
  candidate: Candidate | null;
  lexical: number;
  firstStageRank: number | null;
  features: Float64Array | null;
}

/** What the words of a query find. */
interface FoundWords {
  words: QueryWord[];
  /** Best first. */
  lexical: LexicalHit[];
}

/** A query's vector with the model that made it; both null while words alone answer. */
interface Embedded {
  model: ServingModel | null;
  query: Float32Array | null;
  degraded: string | null;
}

interface Answer {
  scoring: Scoring;
  placed: Placed[];
  words: QueryWord[];
  relevance: SearchAnswer['relevance'];
  degraded: string | null;
}

/** The search engine over one live index. It only reads; whoever owns lexicon and vectors keeps them current. */
export function createSearchEngine(options: SearchEngineOptions): ExplainingSearchEngine {
  const { view, lexicon, names } = options;
  const queryVectors = keepQueryVectors();

  const answer = async (request: SearchRequest): Promise<Answer> => {
    // The vector is made in another process; words are searched here meanwhile.
    const embedding = embed(request);
    // Awaited below; a failure of the words must not leave it unheard.
    embedding.catch(() => {});
    const found = guarded(request.query, () => findWords(request));
    const embedded = await embedding;
    return guarded(request.query, () => rank(request, found, embedded));
  };

  /** Work of this thread on a query, which says which query it is at. */
  const guarded = <T>(query: string, work: () => T): T => {
    const workIsOver = options.onWork?.(query);
    try {
      return work();
    } finally {
      workIsOver?.();
    }
  };

  const findWords = ({ query, allowed, topK }: SearchRequest): FoundWords => {
    const words = readQueryWords(query, lexicon);
    const most = poolSize(topK) * LEXICAL_PER_PLACE;
    return { words, lexical: searchLexical(options.database(), lexicon, words, allowed, most) };
  };

  const rank = (
    request: SearchRequest,
    { words, lexical }: FoundWords,
    { model, query, degraded }: Embedded,
  ): Answer => {
    const { allowed } = request;
    const isAsked = names.find(request.query);
    let result: Answer;
    if (model === null || query === null) {
      result = {
        scoring: 'lexical',
        placed: placeByWords(lexical, words),
        words,
        relevance: null,
        degraded,
      };
    } else if (request.rerank) {
      result = { ...placeByRanking(model.index, query, words, lexical, request), words, degraded };
    } else {
      result = {
        scoring: 'embedding-similarity',
        placed: placeBySimilarity(model.index, query, lexical, request),
        words,
        relevance: null,
        degraded,
      };
    }
    if (result.scoring !== 'embedding-similarity') putFirst(result, isAsked, allowed);
    sortTies(result.placed);
    return result;
  };

  /** Why words alone answer; what is not over by itself says who knows what to do. */
  const byWordsOnly = (reason: string, lasts = options.modelHealth().state !== 'ok'): string =>
    `searched by words only: ${reason}${lasts ? ADVICE : ''}`;

  /** The query's vector with the index it belongs to, or why there is none. */
  const embed = async (request: SearchRequest): Promise<Embedded> => {
    const model = options.serving();
    if (model === null) {
      const { detail } = options.modelHealth();
      return { model, query: null, degraded: byWordsOnly(detail ?? 'no model') };
    }
    const all = request.allowed.size;
    // Usually every entry is; counting them takes a millisecond where there are twenty thousand.
    const isWhole = model.index.entries.ownerCount >= view.entries.size;
    const embedded = isWhole ? all : countEmbedded(model.index, request.allowed);
    if (embedded < all * MIN_EMBEDDED_SHARE) {
      const { state, detail } = options.modelHealth();
      const { shortage } = model.index;
      if (state === 'ok' && shortage !== null)
        return { model: null, query: null, degraded: byWordsOnly(shortage, true) };
      // "So far" would promise what a model that cannot run will not keep.
      const reason =
        state === 'ok'
          ? `${embedded} of ${all} entries are embedded so far`
          : (detail ?? `the model is ${state}`);
      return { model: null, query: null, degraded: byWordsOnly(reason) };
    }
    try {
      const query = await queryVectors.of(model.embedder, request.query);
      return { model, query, degraded: tellMissing(all - embedded, all, model.index) };
    } catch (error) {
      if (!(error instanceof EmbedderUnavailable)) throw error;
      return {
        model: null,
        query: null,
        degraded: byWordsOnly(error.message),
      };
    }
  };

  const placeByRanking = (
    index: VectorIndex,
    query: Float32Array,
    words: readonly QueryWord[],
    lexical: readonly LexicalHit[],
    request: SearchRequest,
  ): Pick<Answer, 'scoring' | 'placed' | 'relevance'> => {
    const places = Math.max(RANKED, request.topK);
    const gathered = gatherCandidates(index, query, lexical, request.allowed, request.topK);
    const candidates = firstOfEachText(gathered).slice(0, places);
    const scores = new Map(lexical.map(({ id, score }) => [id, score]));
    const rows = computeFeatures(
      { lexicon, index, entryOf: (id) => view.entries.get(id) },
      query,
      words,
      candidates,
    );
    const ranked = rankRows(rows);
    return {
      scoring: 'reranked',
      relevance: (ranked[0]?.probability ?? 0) >= WEIGHTS.abstention ? 'strong' : 'weak',
      placed: ranked.map(({ at, probability }) => {
        const candidate = candidates[at]!;
        return {
          id: candidate.id,
          score: probability,
          isExactName: false,
          candidate,
          lexical: scores.get(candidate.id) ?? 0,
          firstStageRank: at + 1,
          features: rows[at]!,
        };
      }),
    };
  };

  const placeBySimilarity = (
    index: VectorIndex,
    query: Float32Array,
    lexical: readonly LexicalHit[],
    request: SearchRequest,
  ): Placed[] => {
    const scores = new Map(lexical.map(({ id, score }) => [id, score]));
    return index.entrySearch
      .nearest(query, poolSize(request.topK), request.allowed)
      .map(({ owner, similarity }) => ({
        id: owner,
        score: similarity,
        isExactName: false,
        candidate: null,
        lexical: scores.get(owner) ?? 0,
        firstStageRank: null,
        features: null,
      }));
  };

  /** Of entries with identical text only the best one takes a place. */
  const firstOfEachText = (candidates: readonly Candidate[]): Candidate[] => {
    const seen = new Set<string>();
    return candidates.filter(({ id }) => {
      const hash = view.entries.get(id)?.fileHash;
      if (hash === undefined || seen.has(hash)) return false;
      seen.add(hash);
      return true;
    });
  };

  /** Entries that are named as the query go first, best of them first. */
  const putFirst = (
    result: Answer,
    asked: ReadonlySet<number>,
    allowed: ReadonlySet<number>,
  ): void => {
    if (asked.size === 0) return;
    const { placed } = result;
    for (const id of asked) {
      if (allowed.has(id) && !placed.some((place) => place.id === id))
        placed.push({
          id,
          score: 0,
          isExactName: true,
          candidate: null,
          lexical: 0,
          firstStageRank: null,
          features: null,
        });
    }
    const named = placed.filter(({ id }) => asked.has(id));
    if (named.length === 0) return;
    const best = placed.reduce((most, { score }) => Math.max(most, score), EXACT_NAME_PROBABILITY);
    for (const place of named) {
      place.isExactName = true;
      place.score = best;
    }
    const others = placed.filter(({ id }) => !asked.has(id));
    placed.splice(0, placed.length, ...named, ...others);
    if (result.relevance !== null) result.relevance = 'strong';
  };

  /** Equal scores in an order that does not depend on when an entry was indexed. */
  const sortTies = (placed: Placed[]): void => {
    const key = (id: number): string => {
      const entry = view.entries.get(id);
      return entry === undefined
        ? ''
        : [entry.plugin, entry.kind, entry.name, entry.file].join('\u0000');
    };
    placed.sort(
      (a, b) =>
        Number(b.isExactName) - Number(a.isExactName) ||
        b.score - a.score ||
        (key(a.id) < key(b.id) ? -1 : 1),
    );
  };

  /** Places as results: one for each text, `topK` at most. */
  const toHits = (placed: readonly Placed[], request: SearchRequest) => {
    const hits: { place: Placed; hit: SearchHit }[] = [];
    const seen = new Set<string>();
    for (const place of placed) {
      const entry = view.entries.get(place.id);
      // Gone while the query was being embedded.
      if (entry === undefined || seen.has(entry.fileHash)) continue;
      seen.add(entry.fileHash);
      if (hits.length === request.topK) break;
      const alsoIn = names
        .withText(entry.fileHash)
        .filter((id) => id !== entry.id && request.allowed.has(id))
        .map((id) => view.entries.get(id))
        .filter((other) => other !== undefined);
      hits.push({ place, hit: { entry, score: place.score, alsoIn } });
    }
    return hits;
  };

  return {
    prepare(query) {
      const model = options.serving();
      // Whoever searches asks again and hears what is wrong.
      if (model !== null && query !== '')
        void queryVectors.of(model.embedder, query).catch(() => {});
    },
    async search(request) {
      const { scoring, placed, relevance, degraded } = await answer(request);
      const hits = toHits(placed, request).map(({ hit }) => hit);
      return { scoring, hits, relevance, degraded };
    },
    async explain(request) {
      const { scoring, placed, relevance, degraded, words } = await answer(request);
      const results = toHits(placed, request).map(({ place, hit }, at) => ({
        entry: hit.entry,
        rank: at + 1,
        score: hit.score,
        candidate: place.candidate,
        lexical: place.lexical,
        firstStageRank: place.firstStageRank,
        isExactName: place.isExactName,
        alsoIn: hit.alsoIn,
        features:
          place.features === null
            ? []
            : FEATURES.map((name, i) => ({
                name,
                value: place.features![i]!,
                contribution: place.features![i]! * (WEIGHTS.features[name] ?? 0),
              })),
      }));
      return { scoring, relevance, degraded, words, results };
    },
    model: options.modelHealth,
  };
}

/** Lexical scores as the share of the query's weight that an entry holds, in [0, 1]. */
function placeByWords(lexical: readonly LexicalHit[], words: readonly QueryWord[]): Placed[] {
  const total = words.reduce((sum, word) => sum + word.idf, 0) || 1;
  return lexical.map(({ id, score }) => ({
    id,
    score: Math.min(1, score / total),
    isExactName: false,
    candidate: null,
    lexical: score,
    firstStageRank: null,
    features: null,
  }));
}

/** What an answer by meaning ranks by words, and why; null where nothing. */
function tellMissing(missing: number, all: number, { shortage }: VectorIndex): string | null {
  if (shortage !== null) return `${shortage}: words rank them${ADVICE}`;
  return missing > 0 ? `${missing} of ${all} entries are ranked by words until embedded` : null;
}

function countEmbedded(index: VectorIndex, allowed: ReadonlySet<number>): number {
  let embedded = 0;
  for (const id of allowed) if (index.entries.rowsOf(id).length > 0) embedded++;
  return embedded;
}
