import { readdirSync, readFileSync } from 'node:fs';

/** Pids of all daemons on a state root. */
export function findDaemons(root: string): number[] {
  return findProcesses(root).filter((pid) => readProc(pid, 'cmdline').includes('/daemon/main.'));
}

/**
 * Pids of whatever runs on a state root, which it has in its environment. A
 * daemon that was just forked has the command line of its parent still.
 */
export function findProcesses(root: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => readProc(pid, 'environ').includes(`LECTERN_HOME=${root}\0`));
}

/** Empty for a process that has gone, or is another user's. */
function readProc(pid: number, file: 'cmdline' | 'environ'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
