import type { LenientConfig } from '../core/config.ts';
import type { SessionContext } from '../mcp/surface.ts';
import type { StatePaths } from '../protocol/link/state-paths.ts';
import type { SearchEngine } from '../search/types.ts';
import type { Indexer } from '../store/indexer-port.ts';
import type { StateStore } from '../store/state/state-store.ts';
import type { GitPort } from './git-port.ts';

/** Whose question it is: the process behind one proxy or one command. */
export type LibrarySession = Pick<SessionContext, 'workspaceFlag' | 'harness' | 'env'> & {
  /** Null where no working directory is known: a client over HTTP. Then there is no project either. */
  cwd: string | null;
  /** Told which index clock an answer is made from: everything saved up to it is in. */
  onLook?: (clock: number) => void;
};

/** A session that has a working directory: everyone's but an HTTP client's. */
export type LocatedSession = LibrarySession & { cwd: string };

/** Where the library says what nobody is waiting for. */
export interface LibraryLog {
  info(facts: Record<string, unknown>, message: string): void;
  warn(facts: Record<string, unknown>, message: string): void;
}

/** One search that was answered, as `metrics.get` shows it. */
export interface AnsweredSearch {
  /** Unix ms of the answer. */
  at: number;
  query: string;
  /** Who asked: the host's name, null for a command. */
  harness: string | null;
  workspace: string;
  /** Milliseconds from the request to the answer, waiting for the watcher included. */
  ms: number;
  matches: number;
  /** Name of the first match. */
  best: string | null;
  scoring: string;
  relevance: 'weak' | 'strong' | null;
}

/** What every part of the library works with. Owned by whoever made it; nothing here closes it. */
export interface LibraryParts {
  state: StateStore;
  indexer: Indexer;
  search: SearchEngine;
  paths: StatePaths;
  git: GitPort;
  log: LibraryLog;
  /** Unix ms. */
  now: () => number;
  /** config.toml as it is now; malformed counts as defaults (library contract 6.2). */
  readConfig: () => Promise<LenientConfig>;
  /** What parts beside the library have to say in `status` and `doctor`. */
  notes?: () => readonly PartNote[];
  /** Told of every search that was answered; it must cost nothing. */
  onSearch?: (search: AnsweredSearch) => void;
}

/** What works less well than it could, and what to do about it. */
export interface PartNote {
  subsystem: string;
  diagnosis: string;
  command: string;
}

/** Where a long operation has got to. */
export type ReportProgress = (what: string, done: number, total: number | null) => void;
