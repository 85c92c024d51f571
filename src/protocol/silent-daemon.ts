import { isStopped } from './link/process-identity.ts';

/** What to do about a living daemon that says nothing, as the system knows the process. */
export function mendSilence(pid: number): string {
  const stopped = isStopped(pid);
  if (stopped === true) return `kill -CONT ${pid}`;
  const logs = 'lectern daemon logs';
  return stopped === false ? logs : `kill -CONT ${pid}   (if it was stopped), or: ${logs}`;
}

/** One line for a person who waits for it. */
export function describeSilence(pid: number): string {
  const why = isStopped(pid) === true ? 'does not answer: it was stopped' : 'does not answer yet';
  return `the daemon (pid ${pid}) ${why} (${mendSilence(pid)})`;
}
