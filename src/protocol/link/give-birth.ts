import type { ChildProcess } from 'node:child_process';
import { pause } from './backoff.ts';
import { awaitBirth, forgetLastBirth, noteBirth, whyBirthWaits } from './births.ts';
import { monotonicMs } from './clock.ts';
import { CONFINED_EXIT, OUT_OF_SIGHT_EXIT } from './daemon-exit.ts';
import { type DaemonRecord, readDaemonRecord } from './daemon-file.ts';
import { isServiceInstalled, readLastWords, spawnDaemon } from './spawn-daemon.ts';
import { readSpawnTicket, type SpawnTicket, takeSpawnTicket } from './spawn-ticket.ts';
import { ensureStateRoot, type StatePaths } from './state-paths.ts';
import { UnreachableError } from './unreachable.ts';

/** How often a birth is looked for; every cold start waits half of it. */
const LOOK_MS = 5;

/** A daemon writes its record about 200 ms after its spawn; a loaded machine may need seconds. */
export const BIRTH_MS = 15_000;

/**
 * How long a held ticket is respected. Its holder may be stopped; after this we
 * take it over, so that the next birth need not wait as long, or start a daemon
 * without it where others had it meanwhile. The lock on owner.db keeps it at one.
 */
const TICKET_MS = 10_000;

/** After a spawn that ended well at once, how long the daemon it speaks of may take to appear. */
const ORDERED_MS = 3000;

/** Who starts a daemon, and in whose name. */
export interface Parent {
  paths: StatePaths;
  env: NodeJS.ProcessEnv;
  /** Of the client: a newer daemon that was here is started instead of its own. */
  version: string;
  signal?: AbortSignal | undefined;
}

export interface BirthOptions extends Parent {
  /** False after the service manager failed to start a daemon. */
  mayUseService: boolean;
  /** Called with what is waited for. */
  onWait(why: string): void;
}

/**
 * Start a daemon, or wait for the one that somebody else starts.
 *
 * @param gone the record of the daemon that was found dead; undefined where there was none
 * @returns `failed` when a daemon died at birth, `waited` when somebody else was at it
 * @throws UnreachableError stillborn, when trying again would not help
 */
export async function giveBirth(
  gone: DaemonRecord | undefined,
  options: BirthOptions,
): Promise<'born' | 'failed' | 'waited'> {
  const { paths, signal } = options;
  const ticket = await claimTicket(gone, options);
  if (ticket === 'elsewhere') return 'waited';
  try {
    // Somebody may be born meanwhile: a login service is started by its manager.
    const isOver = () => signal?.aborted === true || isReborn(gone, paths);
    await awaitBirth(paths, isOver, options.onWait, signal);
    if (isOver()) return 'waited';
    noteBirth(paths);
    return await awaitChild(await spawnChild(options), gone, options);
  } finally {
    ticket?.release();
  }
}

/** @returns undefined where we go on without a ticket, `elsewhere` where somebody was born meanwhile */
async function claimTicket(
  gone: DaemonRecord | undefined,
  { paths, signal, onWait }: BirthOptions,
): Promise<SpawnTicket | undefined | 'elsewhere'> {
  /** Whoever holds it since we wait. */
  let holder: string | undefined;
  for (let deadline = monotonicMs() + TICKET_MS; !signal?.aborted; ) {
    const isOverdue = monotonicMs() > deadline;
    try {
      ensureStateRoot(paths.root);
      const ticket = takeSpawnTicket(paths.spawnTicket, isOverdue ? holder : undefined);
      if (ticket !== undefined) return ticket;
    } catch (error) {
      const why = (error as Error).message;
      throw new UnreachableError('stillborn', `the state root cannot be written: ${why}`);
    }
    if (isReborn(gone, paths)) return 'elsewhere';
    // Its holder may be waiting for the turn of the next birth, as we would have to.
    const why = whyBirthWaits(paths);
    if (why !== undefined) {
      onWait(why);
      deadline = monotonicMs() + TICKET_MS;
      holder = undefined;
    } else if (isOverdue) return undefined;
    holder ??= readSpawnTicket(paths.spawnTicket);
    await pause(10 + Math.random() * 30, signal);
  }
  return 'elsewhere';
}

async function spawnChild({
  paths,
  env,
  version,
  mayUseService,
}: BirthOptions): Promise<ChildProcess> {
  try {
    return await spawnDaemon(paths, env, version, mayUseService);
  } catch (error) {
    const why = (error as Error).message;
    throw new UnreachableError('stillborn', `no daemon can be started: ${why}`);
  }
}

/** Wait until the spawned process, or whoever it has given the order to, is a daemon. */
async function awaitChild(
  child: ChildProcess,
  gone: DaemonRecord | undefined,
  { paths, signal, mayUseService }: BirthOptions,
): Promise<'born' | 'failed' | 'waited'> {
  let end: { code: number | null; at: number } | undefined;
  child.once('exit', (code) => (end = { code, at: monotonicMs() }));
  child.once('error', () => (end = { code: 127, at: monotonicMs() }));
  for (const deadline = monotonicMs() + BIRTH_MS; monotonicMs() < deadline && !signal?.aborted; ) {
    if (isReborn(gone, paths)) return 'born';
    if (end?.code === CONFINED_EXIT || end?.code === OUT_OF_SIGHT_EXIT) {
      forgetLastBirth(paths);
      throw new UnreachableError('stillborn', readLastWords(paths));
    }
    if (end !== undefined && end.code !== 0) return 'failed';
    // Exit 0: another daemon holds the lock, or a service manager took the order; give it a
    // moment. Managers answer whatever becomes of the daemon, and the lock may be held from
    // where we cannot see: another machine, on a shared disk.
    if (end !== undefined && monotonicMs() - end.at > ORDERED_MS) {
      // What a service manager was ordered to start may have died at birth.
      if (!mayUseService || !isServiceInstalled(paths)) forgetLastBirth(paths);
      return 'failed';
    }
    await pause(LOOK_MS, signal);
  }
  return signal?.aborted ? 'waited' : 'failed';
}

/** Another record than that of the daemon found dead: somebody was born since. */
function isReborn(gone: DaemonRecord | undefined, paths: StatePaths): boolean {
  const record = readDaemonRecord(paths.daemonFile);
  return record !== undefined && record.socket !== gone?.socket;
}
