import { linkSync, renameSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasLivingDaemon } from '../src/protocol/link/living-daemon.ts';
import { refuseMisplaced } from '../src/protocol/link/own-file.ts';
import type { StatePaths } from '../src/protocol/link/state-paths.ts';
import { findPlace } from '../src/store/file-place.ts';
import { mayBeHeldInSight, readHolders } from './lock-holder.ts';

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
 * How long a lock is tried again whose holder is in another container or on another
 * machine. One that is being born there announces itself within a second, and what
 * stands in for it meanwhile makes room for it.
 */
const OUT_OF_SIGHT_MS = 3000;

/** Listing locks reads the descriptors of their holders: not with each try. */
const LIST_MS = 250;

/** The state root is owned from where this process cannot see; nobody else can be its daemon. */
export class OutOfSightError extends Error {
  override readonly name = 'OutOfSightError';

  constructor(root: string) {
    super(
      `${root} is owned by a daemon out of sight, in another container or on another machine; end that one, or set LECTERN_HOME to another directory`,
    );
  }
}

/**
 * Take `BEGIN EXCLUSIVE` on owner.db: freed by the kernel when the process
 * dies, held while it is stopped or the machine sleeps. Nothing in this
 * process may open owner.db through `fs` afterwards: closing that descriptor
 * would drop the lock (POSIX advisory locks).
 *
 * @param unannouncedMs how long a lock without a living daemon on record is tried again
 * @returns undefined when a living daemon owns the state root
 * @throws OutOfSightError when a process that cannot be seen from here owns it
 * @throws MisplacedError where something else than a file is
 * @throws the database's error when the file cannot be made or locked at all
 */
export async function takeOwnerLock(
  paths: StatePaths,
  unannouncedMs = UNANNOUNCED_MS,
): Promise<OwnerLock | undefined> {
  refuseMisplaced(paths.ownerDb);
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
  let outOfSightSince: number | undefined;
  let listedAt = Number.NEGATIVE_INFINITY;
  /** Whether the kernel lists locks of this process: some do not, on some file systems. */
  const isListed = () => {
    const path = `${paths.ownerDb}.${process.pid}`;
    const db = new Database(path, { timeout: 0 });
    try {
      db.exec('BEGIN EXCLUSIVE');
      return readHolders().has(process.pid);
    } finally {
      db.close();
      rmSync(path, { force: true });
    }
  };
  for (;;) {
    const judged = findPlace(paths.ownerDb);
    try {
      const lock = tryOnce();
      if (lock !== undefined) return lock;
    } catch (error) {
      // Nothing is kept in owner.db, so a damaged one is simply set aside.
      if (!mayRepair || (error as { code?: string }).code !== 'SQLITE_NOTADB') throw error;
      mayRepair = false;
      setDamagedAside(paths.ownerDb, judged);
      continue;
    }
    if (hasLivingDaemon(paths)) return undefined;
    const now = performance.now();
    if (now >= deadline) return undefined;
    if (now - listedAt >= LIST_MS) {
      listedAt = now;
      if (mayBeHeldInSight(paths.ownerDb, isListed)) outOfSightSince = undefined;
      else outOfSightSince ??= now;
    }
    if (outOfSightSince !== undefined && now - outOfSightSince >= OUT_OF_SIGHT_MS) {
      throw new OutOfSightError(paths.root);
    }
    await sleep(25);
  }
}

/**
 * Another daemon may have done so meanwhile, and hold its lock on the file that it
 * made: then that was moved, and goes back.
 */
export function setDamagedAside(path: string, judged: string | null | undefined): void {
  const aside = `${path}.damaged`;
  renameSync(path, aside);
  if (findPlace(aside) === judged) return;
  try {
    linkSync(aside, path);
    rmSync(aside);
  } catch {
    // A third one made its own: whoever announced itself last stays, the others let go.
  }
}

function isBusy(error: unknown): boolean {
  const code = (error as { code?: string }).code;
  return code !== undefined && /^SQLITE_(BUSY|LOCKED)/.test(code);
}
