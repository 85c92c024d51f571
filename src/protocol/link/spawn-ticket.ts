import {
  closeSync,
  linkSync,
  lstatSync,
  openSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { MisplacedError, readOwnFile } from './own-file.ts';
import { identifySelf, isAlive, type ProcessIdentity } from './process-identity.ts';

/**
 * The spawn ticket keeps fifty proxies from starting fifty daemons (design 4).
 * It saves work, it is not the truth: two daemons are impossible because of
 * the lock on owner.db, so a doubtful ticket may be taken over.
 */

/**
 * How old an unreadable ticket must be to count as abandoned. Its maker writes
 * it microseconds after creating it; two seconds cover a stalled disk.
 */
const TORN_MS = 2000;

/** Held by this process until released. */
export interface SpawnTicket {
  release(): void;
}

/**
 * Create the ticket, taking over one whose holder is provably dead.
 *
 * @param overdue what a ticket holds (`readSpawnTicket`) whose holder has had its time: taken over too
 * @returns undefined while a living process holds it
 * @throws MisplacedError where a directory is; the file system's error when the state root cannot be written
 */
export function takeSpawnTicket(path: string, overdue?: string): SpawnTicket | undefined {
  const mine = JSON.stringify(identifySelf());
  for (let attempt = 0; attempt < 3; attempt += 1) {
    if (createTicket(path, mine)) return { release: () => releaseTicket(path, mine) };
    if (!removeStaleTicket(path, overdue)) return undefined;
  }
  return undefined;
}

function createTicket(path: string, content: string): boolean {
  let fd: number;
  try {
    fd = openSync(path, 'wx', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  try {
    writeSync(fd, content);
  } finally {
    closeSync(fd);
  }
  return true;
}

/** True when the way is free: the ticket was stale and is gone, or vanished meanwhile. */
function removeStaleTicket(path: string, overdue: string | undefined): boolean {
  const judged = readSpawnTicket(path);
  if (judged === undefined) return true;
  if (judged !== overdue && !isStale(path, judged)) return false;
  // What is in it may be somebody's.
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    throw new MisplacedError(path, 'directory');
  }
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch {
    return true;
  }
  // Between reading and renaming, another process may have replaced the stale
  // ticket by its own: then what was moved is alive, and goes back.
  const moved = readSpawnTicket(aside);
  if (moved !== judged) {
    try {
      linkSync(aside, path);
    } catch {
      // A third process holds a ticket already; the lock on owner.db decides.
    }
  }
  unlinkSync(aside);
  return moved === judged;
}

function isStale(path: string, content: string): boolean {
  try {
    return !isAlive(JSON.parse(content) as ProcessIdentity);
  } catch {
    try {
      // One from the future was written before the clock was set back.
      return Math.abs(Date.now() - lstatSync(path).mtimeMs) > TORN_MS;
    } catch {
      return true;
    }
  }
}

/** What the ticket holds; undefined where none is, empty for what cannot be read, such as a pipe in its place. */
export function readSpawnTicket(path: string): string | undefined {
  try {
    return readOwnFile(path);
  } catch {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined ? undefined : '';
  }
}

function releaseTicket(path: string, mine: string): void {
  if (readSpawnTicket(path) === mine) {
    try {
      unlinkSync(path);
    } catch {
      // Gone already: that is what was wanted.
    }
  }
}
