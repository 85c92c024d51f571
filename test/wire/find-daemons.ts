import { readdirSync, readFileSync } from 'node:fs';

/** Pids of all daemons on a state root: they are told apart by it in their environment. */
export function findDaemons(root: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'latin1');
        if (!command.includes('/daemon/main.')) return false;
        return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`LECTERN_HOME=${root}\0`);
      } catch {
        return false;
      }
    })
    .map(Number);
}
