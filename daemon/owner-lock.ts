import { renameSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasLivingDaemon } from '../src/protocol/link/living-daemon.ts';
import type { StatePaths } from '../src/protocol/link/state-paths.ts';
import { findPlace } from '../src/store/file-place.ts';

/** The right to be the daemon of a state root. */
export interface OwnerLock {
  /** False when the locked file was removed or replaced: then the lock keeps nobody out. */
  isHeld(): boolean;
  release(): void;
}

/**
 * How long a held lock is tried again when no living daemon is on record: its
 * holder is either announcing itself (then a record comes) or closing its
 * databases (then the lock falls free).
 */
const UNANNOUNCED_MS = 6000;

/**
 * Take `BEGIN EXCLUSIVE` on owner.db: freed by the kernel when the process
 * dies, held while it is stopped or the machine sleeps. Nothing in this
 * process may open owner.db through `fs` afterwards: closing that descriptor
 * would drop the lock (POSIX advisory locks).
 *
 * @param unannouncedMs how long a lock without a living daemon on record is tried again
 * @returns undefined when a living daemon owns the state root
 * @throws the database's error when the file cannot be made or locked at all
 */
export async function takeOwnerLock(
  paths: StatePaths,
  unannouncedMs = UNANNOUNCED_MS,
): Promise<OwnerLock | undefined> {
  // The lock is all that a losing daemon loads.
  const { default: Database } = await import('libsql');
  const tryOnce = (): OwnerLock | undefined => {
    const db = new Database(paths.ownerDb, { timeout: 0 });
    try {
      db.exec('BEGIN EXCLUSIVE');
      const place = findPlace(paths.ownerDb);
      const isHeld = () => {
        const now = findPlace(paths.ownerDb);
        return now === undefined || now === place;
      };
      return { isHeld, release: () => db.close() };
    } catch (error) {
      db.close();
      if (isBusy(error)) return undefined;
      throw error;
    }
  };

  const deadline = performance.now() + unannouncedMs;
  let mayRepair = true;
  for (;;) {
    try {
      const lock = tryOnce();
      if (lock !== undefined) return lock;
    } catch (error) {
      // Nothing is kept in owner.db, so a damaged one is simply set aside.
      if (!mayRepair || (error as { code?: string }).code !== 'SQLITE_NOTADB') throw error;
      mayRepair = false;
      renameSync(paths.ownerDb, `${paths.ownerDb}.damaged`);
      continue;
    }
    if (hasLivingDaemon(paths)) return undefined;
    if (performance.now() >= deadline) return undefined;
    await sleep(25);
  }
}

function isBusy(error: unknown): boolean {
  const code = (error as { code?: string }).code;
  return code !== undefined && /^SQLITE_(BUSY|LOCKED)/.test(code);
}
