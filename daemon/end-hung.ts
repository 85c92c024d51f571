import { openSync, writeSync } from 'node:fs';
import { APPEND_FLAGS } from '../src/protocol/link/own-file.ts';

/**
 * End this process from a thread beside the one that hangs, as a crash would:
 * what was in work is still in its breadcrumb, proxies send again what may be
 * sent again, and the kernel frees the lock. Nothing gentler reaches a thread
 * that takes no turn.
 *
 * @param log the daemon's log, whose own writer hangs with it; null where nothing is written
 */
export function endHung(log: string | null, hungMs: number): never {
  const msg = `the daemon answered nothing for ${hungMs / 1000} s and is ended; what it had in work counts as the cause`;
  const record = { level: 'fatal', ts: new Date().toISOString(), target: 'watchdog', msg };
  try {
    // The descriptor itself: a thread's `process.stderr` goes through the thread that hangs.
    writeSync(2, `lectern: ${msg}\n`);
    if (log !== null) {
      writeSync(openSync(log, APPEND_FLAGS, 0o600), `${JSON.stringify(record)}\n`);
    }
  } catch {
    // A full disk, or a pipe in place of the log, must not keep a hung daemon alive.
  }
  process.kill(process.pid, 'SIGKILL');
  throw new Error('a signal that cannot be caught was sent');
}
