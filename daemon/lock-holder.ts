import { readdirSync, readFileSync, statSync } from 'node:fs';

/** Bytes that SQLite locks for `BEGIN EXCLUSIVE` (its file format, section 2.7: the lock-byte page). */
const FIRST_LOCK_BYTE = 0x40000000;
const LAST_LOCK_BYTE = FIRST_LOCK_BYTE + 511;

/**
 * Whether a process that can be seen from here may hold SQLite's exclusive lock on
 * a database. False is proof: the kernel's list of locks, which holds those of this
 * pid namespace alone, names nobody who has the file open, so that the holder is in
 * another container or on another machine.
 *
 * @param path of the database, which this process must not hold a lock on
 * @param isListed whether the list is known to name such locks here; else true is answered
 */
export function mayBeHeldInSight(path: string, isListed: () => boolean): boolean {
  try {
    const file = statSync(path, { bigint: true });
    for (const pid of readHolders()) if (pid !== process.pid && mayHaveOpen(pid, file)) return true;
    return !isListed();
  } catch {
    return true;
  }
}

/** Pids of processes that hold an exclusive lock of SQLite's on whatever file (proc_locks(5)). */
export function readHolders(): Set<number> {
  const holders = new Set<number>();
  for (const line of readFileSync('/proc/locks', 'latin1').split('\n')) {
    const held = /^\d+: POSIX +\w+ +WRITE (\d+) \S+ (\d+) (\d+|EOF)$/.exec(line);
    if (held === null) continue;
    const [pid, start, end] = [Number(held[1]), Number(held[2]), Number(held[3])];
    if (start <= LAST_LOCK_BYTE && !(end < FIRST_LOCK_BYTE)) holders.add(pid);
  }
  return holders;
}

function mayHaveOpen(pid: number, file: { dev: bigint; ino: bigint }): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => {
      const open = statSync(`/proc/${pid}/fd/${fd}`, { bigint: true, throwIfNoEntry: false });
      return open?.dev === file.dev && open.ino === file.ino;
    });
  } catch (error) {
    // Another user's process keeps it to itself; one that has just ended holds nothing.
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}
