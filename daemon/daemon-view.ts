import type { Scope } from '../src/core/scope.ts';
import type { StatePaths } from '../src/protocol/link/state-paths.ts';
import type { Composition } from './composition.ts';
import type { Log } from './log.ts';
import type { CallMetrics } from './metrics.ts';
import type { OpenSessions } from './open-sessions.ts';

/** What a daemon is started with. */
export interface DaemonOptions {
  paths: StatePaths;
  scope: Scope;
  log: Log;
  /** Records of MCP sessions (library contract 9.4). */
  sessionLog: Log;
  version: string;
  composition: Composition;
  /** Without it the daemon serves the one connection given to `serve`. */
  listens: boolean;
  /** Null stays for ever (the login service). */
  idleExitMs: number | null;
  logFile: string | null;
  startupFailure: string | null;
  /** False when the lock on the state root keeps nobody out any more. */
  holdsLock?: () => boolean;
  /** The daemon has drained and let go of its socket; the owner closes the scope and exits. */
  onEnd(reason: string): void;
}

/** What the daemon's own admin methods look at. */
export interface DaemonView {
  readonly options: DaemonOptions;
  readonly sessions: OpenSessions;
  readonly socket: string | null;
  readonly isRetiring: boolean;
  readonly bornAt: number;
  readonly idleExitMs: number | null;
  readonly metrics: CallMetrics;
  loopDelayP99Ms(): number;
  retire(reason: string): Promise<void>;
  reload(): Promise<boolean>;
}
