import { readdirSync, readFileSync } from 'node:fs';

/**
 * Proportional set size in MB (10^6 bytes): what this process costs the machine, shared pages
 * divided among their users. Linux only.
 */
export function pssMb(pid: number): number {
  return readMb(pid, 'Pss');
}

/**
 * What a process has allocated and touched, in MB (10^6 bytes): its part in files that other
 * processes have mapped too, which grows when they end, is left out. Linux only.
 */
export function anonymousMb(pid: number): number {
  return readMb(pid, 'Anonymous');
}

function readMb(pid: number, field: string): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const kib = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(rollup)?.[1];
  if (kib === undefined) throw new Error(`no ${field} in /proc/${pid}/smaps_rollup`);
  return (Number(kib) * 1024) / 1e6;
}

/** Pids whose parent is `pid`. */
export function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((child) => {
      try {
        const stat = readFileSync(`/proc/${child}/stat`, 'latin1');
        return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) === pid;
      } catch {
        return false; // it ended while we were reading
      }
    });
}

/** The same for a process and everything below it. */
export function treePssMb(pid: number): number {
  return childrenOf(pid).reduce((total, child) => total + treePssMb(child), pssMb(pid));
}
