import type { daemonStatus } from '../protocol/admin/daemon-status.ts';
import type { getMetrics } from '../protocol/admin/get-metrics.ts';
import type { getStatus } from '../protocol/admin/get-status.ts';
import type { listProblems } from '../protocol/admin/list-problems.ts';
import type { listSessions } from '../protocol/admin/list-sessions.ts';
import type { AdminMethod, ResultOf } from '../protocol/admin/method.ts';

export type DaemonStatus = ResultOf<typeof daemonStatus>;
export type SessionRow = ResultOf<typeof listSessions>[number];
export type Metrics = ResultOf<typeof getMetrics>;
export type Search = Metrics['searches'][number];
export type Status = ResultOf<typeof getStatus>;
export type Catalog = NonNullable<Status['catalogs']>[number];
export type Problem = ResultOf<typeof listProblems>[number];

/** What is asked often: cheap for the daemon. */
export interface Pulse {
  daemon: DaemonStatus;
  sessions: SessionRow[];
  /** Null where the daemon is older than `metrics.get`. */
  metrics: Metrics | null;
}

/** What is asked rarely: it looks at directories. */
export interface Standing {
  status: Status;
  problems: Problem[];
}

/** Everything the dashboard knows at one moment; what `--json` prints. */
export interface Snapshot {
  /** Unix ms. */
  at: number;
  pulse: Pulse | null;
  standing: Standing | null;
  /** Why there is no pulse, or why the standing is old; null when all is well. */
  failure: string | null;
}

/** Ask the daemon one thing; the method is named by its literal, as commands do. */
export type Ask = <M extends AdminMethod>(
  method: M['method'],
  params: Record<string, unknown>,
) => Promise<ResultOf<M>>;

/** Seconds of history that are asked for: what the daemon keeps. */
const HISTORY_SECONDS = 120;

/** @throws LecternError when the daemon cannot be asked */
export async function readPulse(ask: Ask): Promise<Pulse> {
  const [daemon, sessions, metrics] = await Promise.all([
    ask<typeof daemonStatus>('daemon.status', {}),
    ask<typeof listSessions>('sessions.list', {}),
    // An older daemon does not know it, and everything else is worth showing all the same.
    ask<typeof getMetrics>('metrics.get', { seconds: HISTORY_SECONDS }).catch(() => null),
  ]);
  return { daemon, sessions, metrics };
}

/** @throws LecternError such as workspace_not_found (13) */
export async function readStanding(ask: Ask, workspace: string | null): Promise<Standing> {
  const [status, problems] = await Promise.all([
    ask<typeof getStatus>('status.get', { workspace, verify: false }),
    ask<typeof listProblems>('problems.list', { workspace }),
  ]);
  return { status, problems };
}
