import type { ErrorCategory, ErrorDetails } from '../../src/core/errors.ts';
import { LecternError, toLecternError } from '../../src/core/errors.ts';
import type { IndexChange } from '../../src/store/index-view.ts';
import type { VectorRow } from '../../src/store/index-write/put-vectors.ts';
import type {
  IndexHealth,
  IndexProgress,
  IndexRoot,
  RootReading,
} from '../../src/store/indexer-port.ts';
import type { Heartbeat } from '../watchdog.ts';

/** What the thread is asked to do, and what each answers. */
export interface IndexerAsks {
  add: { params: { root: IndexRoot }; result: RootReading };
  remove: { params: { root: string }; result: undefined };
  lease: { params: { root: IndexRoot }; result: RootReading };
  unlease: { params: { root: string }; result: undefined };
  reindex: { params: { roots: readonly string[] | null; force: boolean }; result: RootReading[] };
  release: { params: { file: string }; result: boolean };
  catchUp: { params: { timeoutMs: number }; result: boolean };
  storeVectors: { params: { model: string; rows: VectorRow[] }; result: undefined };
  ping: { params: Record<string, never>; result: undefined };
  verify: { params: Record<string, never>; result: string[] };
  /** The file was removed or replaced: make it anew, unless that has happened. */
  lost: { params: Record<string, never>; result: undefined };
  reopen: { params: Record<string, never>; result: undefined };
  close: { params: Record<string, never>; result: undefined };
}

export type Ask = keyof IndexerAsks;
export type AskParams<A extends Ask> = IndexerAsks[A]['params'];
export type AskResult<A extends Ask> = IndexerAsks[A]['result'];

/** Main thread → indexer thread. */
export type ToIndexer = {
  [A in Ask]: { id: number; ask: A; params: AskParams<A> };
}[Ask];

/** The part of the health that only the thread knows. */
export type ThreadHealth = Pick<
  IndexHealth,
  'state' | 'detail' | 'polled' | 'quarantined' | 'reindexedAt' | 'integrityOk'
> & { reading: IndexProgress };

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

/** Indexer thread → main thread. Changes come in the order in which they were written. */
export type FromIndexer =
  | { tell: 'ready' }
  | { tell: 'done'; id: number; result: unknown }
  | { tell: 'failed'; id: number; error: CarriedError }
  | { tell: 'progress'; id: number; progress: IndexProgress }
  | { tell: 'change'; change: IndexChange }
  | { tell: 'health'; health: ThreadHealth }
  | { tell: 'damaged'; reason: string }
  | { tell: 'log'; level: LogLevel; message: string; fields: Record<string, unknown> };

/** The first message to a thread: it may boot long before it is told where to work. */
export interface BeginIndexing {
  begin: IndexerThreadData;
}

/** Where the thread works. */
export interface IndexerThreadData {
  indexDb: string;
  cookies: string;
  breadcrumb: string;
  /** The main thread's heartbeat, and the log that says so when it stops; null leaves it alone. */
  watched: { beats: Heartbeat; log: string } | null;
}

/** An error of the family in a form that survives the way between threads. */
export interface CarriedError {
  category: ErrorCategory;
  message: string;
  details: Omit<ErrorDetails, 'cause'>;
}

export function carryError(caught: unknown): CarriedError {
  const error = toLecternError(caught);
  const { cause: _, ...details } = error.details;
  return { category: error.category, message: error.message, details };
}

export function uncarryError(carried: CarriedError): LecternError {
  return new LecternError(carried.category, carried.message, carried.details);
}
