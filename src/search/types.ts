import type { IndexedEntry } from '../store/index-view.ts';

/** The scale of a score (library contract 5.4; design 7). */
export type Scoring = 'reranked' | 'embedding-similarity' | 'lexical';

export interface SearchRequest {
  /** Trimmed, 1 to 4,096 characters. */
  query: string;
  /** Ids that may be returned: enabled, searchable, inside every filter. */
  allowed: ReadonlySet<number>;
  topK: number;
  /** The learned ranking, where a model is available. */
  rerank: boolean;
}

export interface SearchHit {
  entry: IndexedEntry;
  score: number;
  /** Other allowed entries of identical text, folded into this one. */
  alsoIn: IndexedEntry[];
}

export interface SearchAnswer {
  scoring: Scoring;
  /** Best first; at most `topK`. */
  hits: SearchHit[];
  /** Absent (null) while scoring is lexical (design 7). */
  relevance: 'weak' | 'strong' | null;
  /** Why the answer is less than it could be (no model, embedder restarting); null when it is not. */
  degraded: string | null;
}

/** The name of what is wrong with embedding, or null when it works; for `status`. */
export interface ModelHealth {
  name: string | null;
  version: string | null;
  state: 'ok' | 'missing' | 'corrupt' | 'checksum_mismatched';
  detail: string | null;
}

/** How vectors are compared at present, for `status`. */
export interface VectorsInUse {
  /** Of entries and of pieces of their bodies. */
  rows: number;
  /** `hnsw` once there are enough of them, and their graph is complete. */
  entries: 'exact' | 'hnsw';
  bodies: 'exact' | 'hnsw';
  /** Those of the last life are being read: until they are there, words answer. */
  loading: boolean;
}

/** The search engine as the library sees it. */
export interface SearchEngine {
  /** Begin to embed a query whose search will follow: nothing is answered, nothing fails. */
  prepare(query: string): void;
  search(request: SearchRequest): Promise<SearchAnswer>;
  model(): ModelHealth;
  /** Null without a model. */
  vectors?(): VectorsInUse | null;
}
