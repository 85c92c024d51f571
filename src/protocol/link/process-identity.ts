import { readFileSync, readlinkSync } from 'node:fs';

/**
 * A process that can be told from a later one with the same pid. `startTime`
 * is the kernel's (Linux: clock ticks since boot), `bootId` tells boots apart;
 * both are null where the system offers neither cheaply.
 */
export interface ProcessIdentity {
  pid: number;
  startTime: string | null;
  bootId: string | null;
}

export function identifySelf(): ProcessIdentity {
  return { pid: process.pid, startTime: readStartTime(process.pid), bootId: readBootId() };
}

/**
 * Whether the process named by `identity` still exists. Never judged by
 * latency: a stopped or sleeping process is alive, and so is one that we may
 * not signal (EPERM). A zombie is dead: it holds no lock and no socket.
 */
export function isAlive(identity: ProcessIdentity): boolean {
  if (!Number.isInteger(identity.pid) || identity.pid <= 0) return false;
  const bootId = readBootId();
  if (identity.bootId !== null && bootId !== null && identity.bootId !== bootId) return false;
  try {
    process.kill(identity.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const stat = readStat(identity.pid);
  if (stat === undefined) return true;
  if (stat.state === 'Z' || stat.state === 'X') return false;
  return identity.startTime === null || identity.startTime === stat.startTime;
}

/** Whether a signal has stopped the process (`kill -STOP`, Ctrl-Z); undefined where that cannot be read. */
export function isStopped(pid: number): boolean | undefined {
  const state = readStat(pid)?.state;
  return state === undefined ? undefined : state === 'T';
}

/** The kernel's name for the processes that this one sees: a container has its own. Null where unknown. */
export function readPidNamespace(): string | null {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return null;
  }
}

function readStartTime(pid: number): string | null {
  return readStat(pid)?.startTime ?? null;
}

/** State and start time from /proc; the name in parentheses may itself hold spaces and parentheses. */
function readStat(pid: number): { state: string; startTime: string } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // Fields 3 (state) and 22 (starttime) of proc(5), counted after the name.
    const [state, startTime] = [fields[0], fields[19]];
    return state === undefined || startTime === undefined ? undefined : { state, startTime };
  } catch {
    return undefined;
  }
}

function readBootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  } catch {
    return null;
  }
}
