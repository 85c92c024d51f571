import { LecternError } from '../core/errors.ts';
import { type DaemonRecord, readDaemonRecord } from '../protocol/link/daemon-file.ts';
import { isAlive } from '../protocol/link/process-identity.ts';
import { resolveStateRoot, statePaths } from '../protocol/link/state-paths.ts';

/**
 * A daemon that was asked to stop answers what is in flight (at most 5 s) and
 * closes its databases; one that takes twice as long is stuck.
 */
const STOP_MS = 10_000;
const LOOK_MS = 20;

/** The daemon of this state root, when its process is alive. */
export function livingDaemon(): DaemonRecord | undefined {
  const record = readDaemonRecord(statePaths(resolveStateRoot()).daemonFile);
  return record !== undefined && isAlive(record) ? record : undefined;
}

/**
 * Wait until the process of `record` is gone.
 *
 * @throws LecternError internal when it is still there after twice its own limit
 */
export async function waitForEnd(record: DaemonRecord): Promise<void> {
  const deadline = performance.now() + STOP_MS;
  while (isAlive(record)) {
    if (performance.now() > deadline) {
      throw new LecternError(
        'internal',
        `the daemon (pid ${record.pid}) did not stop within ${STOP_MS / 1000} s`,
        {
          next: `kill ${record.pid}`,
        },
      );
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
