import { existsSync } from 'node:fs';
import { LecternError } from '../core/errors.ts';
import { type DaemonRecord, readDaemonRecord } from '../protocol/link/daemon-file.ts';
import { isOn } from '../protocol/link/is-on.ts';
import { isAlive, isStopped, readPidNamespace } from '../protocol/link/process-identity.ts';
import { readLastWords } from '../protocol/link/spawn-daemon.ts';
import { resolveStateRoot, statePaths } from '../protocol/link/state-paths.ts';

/**
 * A daemon that was asked to stop answers what is in flight (at most 5 s) and
 * closes its databases; one that takes twice as long is stuck.
 */
const STOP_MS = 10_000;
const LOOK_MS = 20;

/** The daemon of this state root, when its process is alive or cannot be seen from here. */
export function livingDaemon(): DaemonRecord | undefined {
  const record = readDaemonRecord(statePaths(resolveStateRoot()).daemonFile);
  if (record === undefined) return undefined;
  return isAlive(record) || isOutOfSight(record) ? record : undefined;
}

/** Its pid is nobody's here, in a container for one, but its socket is still there. */
function isOutOfSight({ pidNamespace, socket }: DaemonRecord): boolean {
  const ours = readPidNamespace();
  const isElsewhere = pidNamespace !== null && ours !== null && pidNamespace !== ours;
  return isElsewhere && existsSync(socket);
}

/** Whether people asked for no daemon: every command then reads the index by itself. */
export function isDaemonForbidden(): boolean {
  return isOn(process.env['LECTERN_NO_DAEMON']);
}

/**
 * For commands that are about the daemon itself: without this they would start,
 * describe or stop the process that serves their own question.
 *
 * @throws LecternError usage when LECTERN_NO_DAEMON is set
 */
export function requireDaemonAllowed(): void {
  if (!isDaemonForbidden()) return;
  throw new LecternError('usage', 'LECTERN_NO_DAEMON is set: no daemon is started or asked', {
    next: 'unset LECTERN_NO_DAEMON',
  });
}

/**
 * For commands that start a daemon: where none could be born, a read-only one has
 * stood in for it, for this command alone.
 *
 * @throws LecternError mcp_startup, with the reason
 */
export function requireBorn({ mode }: { mode: 'socket' | 'stdio' }): void {
  if (mode === 'socket') return;
  const words = readLastWords(statePaths(resolveStateRoot()));
  throw new LecternError('mcp_startup', `no daemon started${words === '' ? '' : `: ${words}`}`, {
    next: 'lectern doctor',
  });
}

/**
 * Wait until the process of `record` is gone.
 *
 * @throws LecternError internal when it is still there after twice its own limit
 */
export async function waitForEnd(record: DaemonRecord): Promise<void> {
  const deadline = performance.now() + STOP_MS;
  while (isAlive(record) || isOutOfSight(record)) {
    if (performance.now() > deadline) {
      throw new LecternError(
        'internal',
        `the daemon (pid ${record.pid}) did not stop within ${STOP_MS / 1000} s`,
        // A stopped process takes no signal that it could answer until it goes on.
        { next: `kill ${isStopped(record.pid) === true ? '-CONT ' : ''}${record.pid}` },
      );
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
