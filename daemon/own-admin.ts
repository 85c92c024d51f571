import { setTimeout as pause } from 'node:timers/promises';
import { isAtLeast, type LogLevel } from '../src/core/log-levels.ts';
import { daemonStatus } from '../src/protocol/admin/daemon-status.ts';
import { drainDaemon } from '../src/protocol/admin/drain-daemon.ts';
import { getMetrics } from '../src/protocol/admin/get-metrics.ts';
import { listSessions } from '../src/protocol/admin/list-sessions.ts';
import type { ParamsOf } from '../src/protocol/admin/method.ts';
import { readLogs } from '../src/protocol/admin/read-logs.ts';
import { reloadDaemon } from '../src/protocol/admin/reload-daemon.ts';
import { stopDaemon } from '../src/protocol/admin/stop-daemon.ts';
import { PROTOCOL } from '../src/protocol/link/hello.ts';
import { readEndOfOwnFile } from '../src/protocol/link/own-file.ts';
import type { AdminHandlers } from './composition.ts';
import type { DaemonView } from './daemon-view.ts';

/** Methods that the shell answers itself: the daemon as a process. */
export const ownAdminMethods = [
  daemonStatus,
  drainDaemon,
  getMetrics,
  listSessions,
  readLogs,
  reloadDaemon,
  stopDaemon,
];

/** The end of the log that is read: 10,000 lines of usual length. */
const TAIL_BYTES = 4 * 1024 * 1024;

/** How often a drain looks whether HTTP clients have their answers: nobody tells of each. */
const LOOK_MS = 20;

/** Handlers of the shell's own methods. */
export function ownAdminHandlers(daemon: DaemonView): AdminHandlers {
  const { options, sessions } = daemon;
  return {
    [listSessions.method]: async () => {
      const open = sessions.list();
      const workspaces = await options.composition.workspacesOf?.(open.map((it) => it.hello));
      return open.map((session, at) => ({
        id: session.id,
        role: session.hello.role,
        surface: session.hello.surface,
        harness: session.hello.harness,
        workspace: session.hello.workspace,
        cwd: session.hello.cwd,
        pid: session.hello.pid,
        version: session.hello.version,
        calls: session.calls,
        inFlight: session.inFlight,
        ageMs: performance.now() - session.bornAt,
        client: session.client,
        resolvedWorkspace: workspaces?.[at] ?? null,
      }));
    },

    [daemonStatus.method]: async () => ({
      pid: process.pid,
      version: options.version,
      protocol: PROTOCOL,
      stateRoot: options.paths.root,
      socket: daemon.socket,
      mode: options.listens ? 'socket' : 'stdio',
      isRetiring: daemon.isRetiring,
      uptimeMs: performance.now() - daemon.bornAt,
      sessions: sessions.size,
      inFlight: sessions.inFlight,
      calls: sessions.calls,
      rssBytes: process.memoryUsage.rss(),
      loopDelayP99Ms: daemon.loopDelayP99Ms(),
      idleExitMs: daemon.idleExitMs,
      logFile: options.logFile,
      startupFailure: options.startupFailure,
      http: options.composition.http?.() ?? null,
      configFailure: (await options.composition.configFailure?.()) ?? null,
    }),

    [getMetrics.method]: async ({ seconds }: ParamsOf<typeof getMetrics>) => ({
      ...daemon.metrics.read(seconds ?? 60),
      ...(options.composition.activity?.() ?? { searches: [], polled: [] }),
    }),

    [stopDaemon.method]: async (_params, { session }) => {
      options.log.info({ session: session.id }, 'asked to stop');
      // After this answer has left: draining waits for it.
      setImmediate(() => void daemon.retire('asked to stop'));
      return { pid: process.pid };
    },

    [drainDaemon.method]: async ({ timeoutMs }: ParamsOf<typeof drainDaemon>) => {
      const deadline = performance.now() + (timeoutMs ?? 5000);
      const overHttp = () => options.composition.http?.()?.inFlight ?? 0;
      // This request itself is in flight.
      await sessions.drained(timeoutMs ?? 5000, 1);
      while (overHttp() > 0 && performance.now() < deadline) await pause(LOOK_MS);
      const inFlight = Math.max(0, sessions.inFlight - 1) + overHttp();
      return { isIdle: inFlight === 0, inFlight };
    },

    [reloadDaemon.method]: async () => ({ reloaded: await daemon.reload() }),

    [readLogs.method]: async ({ lines, level }: ParamsOf<typeof readLogs>) => ({
      file: options.logFile,
      records: readTail(options.logFile, lines ?? 100, level ?? 'trace'),
    }),
  };
}

function readTail(file: string | null, lines: number, least: LogLevel): Record<string, unknown>[] {
  if (file === null) return [];
  const records: Record<string, unknown>[] = [];
  for (const line of readEnd(file).split('\n')) {
    try {
      const record = JSON.parse(line) as Record<string, unknown>;
      if (isAtLeast(record['level'], least)) records.push(record);
    } catch {
      // The first line is cut where the tail begins, the last is empty.
    }
  }
  return records.slice(-lines);
}

/** Nothing where there is no log yet, or what a person named is no file. */
function readEnd(file: string): string {
  try {
    return readEndOfOwnFile(file, TAIL_BYTES);
  } catch {
    return '';
  }
}
