import { pause } from './backoff.ts';
import { monotonicMs } from './clock.ts';
import type { Connection } from './connection.ts';
import { type DaemonRecord, readDaemonRecord } from './daemon-file.ts';
import { FRAME } from './frames.ts';
import { BIRTH_MS, type Parent } from './give-birth.ts';
import { PROTOCOL } from './hello.ts';
import { spawnDaemon } from './spawn-daemon.ts';
import { takeSpawnTicket } from './spawn-ticket.ts';
import { isNewer } from './version-order.ts';

/** How long a daemon that was asked to retire may take to go (it drains for 5 s). */
const RETIRE_MS = 8000;

/** How often its end is looked for, and then the birth of its successor. */
const LOOK_MS = 10;

/** Whether a daemon is older than the client that reached it: only ever upwards. */
export function isOutdated({ welcome }: Connection, version: string): boolean {
  return welcome.protocol <= PROTOCOL && isNewer(version, welcome.version);
}

/**
 * Whether a daemon that refuses a client should make room for one that may admit
 * it. One that was born after the client is what a login service of the older
 * version brings back: it would go and come for ever.
 *
 * @param startedAt Unix ms of the client's own birth
 */
export function isElder(
  { version, bornAt }: Pick<DaemonRecord, 'version' | 'bornAt'>,
  ours: string,
  startedAt: number = Date.now() - process.uptime() * 1000,
): boolean {
  return isNewer(ours, version) && bornAt < startedAt;
}

/**
 * Ask an older daemon to retire and start its successor, holding the spawn
 * ticket meanwhile so that no older client starts an older one first.
 */
export async function replaceDaemon(
  connection: Connection,
  record: DaemonRecord,
  { paths, env, version, signal }: Parent,
): Promise<void> {
  const isGone = () => readDaemonRecord(paths.daemonFile)?.socket !== record.socket;
  const isAbsent = () => readDaemonRecord(paths.daemonFile) === undefined;
  const ticket = takeSpawnTicket(paths.spawnTicket);
  try {
    connection.send(FRAME.retire, 0, '');
    await waitUntil(isGone, RETIRE_MS, signal);
    if (ticket !== undefined && isAbsent()) {
      await spawnDaemon(paths, env, version);
      await waitUntil(() => !isAbsent(), BIRTH_MS, signal);
    }
  } finally {
    ticket?.release();
    connection.close();
  }
}

/** Resolves when it is so, after `mostMs`, or with the signal. */
async function waitUntil(
  isSo: () => boolean,
  mostMs: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const deadline = monotonicMs() + mostMs;
  while (monotonicMs() < deadline && !signal?.aborted && !isSo()) await pause(LOOK_MS, signal);
}
