import type { CatalogFormat, Problem } from '../catalog/types.ts';
import type { IndexView } from './index-view.ts';

/** A directory that the indexer keeps read and watched. */
export interface IndexRoot {
  /** Absolute, canonical. */
  root: string;
  kind: 'catalog' | 'project';
}

/** What one reading of a root came to. */
export interface RootReading {
  sourceId: number;
  format: CatalogFormat;
  name: string;
  plugins: number;
  entries: number;
  added: number;
  modified: number;
  removed: number;
  unchanged: number;
  problems: Problem[];
}

export interface IndexProgress {
  /** `reading` | `descriptions` | `bodies` | `idle` */
  stage: string;
  done: number;
  total: number;
}

/** How far the index is, for `status`. */
export interface IndexHealth {
  /** `ready`, or why the index cannot be written (searches go on). */
  state: 'ready' | 'rebuilding' | 'read-only';
  detail: string | null;
  progress: IndexProgress;
  sizeBytes: number;
  integrityOk: boolean;
  schemaVersion: number;
  /** Roots that are polled, with the reason (watch limit, network file system) and what helps. */
  polled: { root: string; reason: string; remedy: string }[];
  /** Files set aside because reading them killed a birth twice. */
  quarantined: { file: string; reason: string }[];
  reindexedAt: number | null;
}

/**
 * The indexer as the library sees it. Implemented by `daemon/indexer`; all
 * reading, watching and writing happens in its thread.
 */
export interface Indexer {
  readonly view: IndexView;
  /**
   * Read `root` now, keep it watched, and resolve once its entries are
   * searchable lexically. Catalog roots that are in the view at a start are
   * taken up again without being asked for, in the background.
   *
   * @throws LecternError manifest_invalid, io, … (nothing of the root stays in the index)
   */
  addRoot(root: IndexRoot, onProgress?: (progress: IndexProgress) => void): Promise<RootReading>;
  /** Forget a root: its rows go, its vectors stay for a later return. */
  removeRoot(root: string): Promise<void>;
  /** Watch only while needed (projects): add a lease; the returned function drops it. */
  leaseRoot(root: IndexRoot): Promise<() => void>;
  /** Read again, all or some; `force` rewrites unchanged entries too. */
  reindex(
    roots: readonly string[] | null,
    force: boolean,
    onProgress?: (progress: IndexProgress) => void,
  ): Promise<RootReading[]>;
  /** Give a quarantined file another chance and read it; false when it was not quarantined. */
  release(file: string): Promise<boolean>;
  /**
   * Wait until every change saved before this call is in the index: a cookie
   * file goes through the same watcher loop. False when `timeoutMs` passed first.
   */
  caughtUp(timeoutMs: number): Promise<boolean>;
  onChange(listener: (clock: number) => void): () => void;
  health(): IndexHealth;
}
