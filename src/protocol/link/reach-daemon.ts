import { backoffMs, pause } from './backoff.ts';
import { awaitBirth, noteBirth, whyBirthWaits } from './births.ts';
import { monotonicMs } from './clock.ts';
import {
  type Connection,
  type ConnectionEvents,
  RefusedError,
  type SendEarly,
} from './connection.ts';
import { CONFINED_EXIT } from './daemon-exit.ts';
import { type DaemonRecord, readDaemonRecord } from './daemon-file.ts';
import { type DialVerdict, dial, type Introduction, judgeDial } from './dial.ts';
import { FRAME } from './frames.ts';
import { PROTOCOL, type Refusal } from './hello.ts';
import { isAlive } from './process-identity.ts';
import { readLastWords, spawnDaemon } from './spawn-daemon.ts';
import { takeSpawnTicket } from './spawn-ticket.ts';
import { ensureStateRoot, findStateRootFault, type StatePaths } from './state-paths.ts';
import { openStdioDaemon } from './stdio-daemon.ts';
import { isNewer } from './version-order.ts';

/** How often a birth is looked for; every cold start waits half of it. */
const LOOK_MS = 5;

/** A daemon writes its record about 200 ms after its spawn; a loaded machine may need seconds. */
const BIRTH_MS = 15_000;

/**
 * How long a held ticket is respected. Its holder may be stopped; after this
 * we start a daemon without it, and the lock on owner.db keeps it at one.
 */
const TICKET_MS = 10_000;

/** Births that may fail one after the other before we ask for a read-only session instead. */
const FAILED_BIRTHS = 2;

/** After a spawn that ended well at once, how long the daemon it speaks of may take to appear. */
export const ORDERED_MS = 3000;

/** How long a daemon that was asked to retire may take to go (it drains for 5 s). */
const RETIRE_MS = 8000;

/** What a client of `reachDaemon` is told of its connection. */
export interface ReachEvents extends Omit<ConnectionEvents, 'onConnect' | 'onHello'> {
  /**
   * Somebody took the connection.
   *
   * @param answersAsRecorded it is a daemon of our own version, which answers
   *   handshakes as they were recorded
   */
  onConnect?(answersAsRecorded: boolean): void;
  /** As for a connection; called for a daemon of our own version alone. */
  onHello?(sendEarly: SendEarly): void;
}

export interface ReachOptions {
  paths: StatePaths;
  env: NodeJS.ProcessEnv;
  introduction: Introduction;
  events: ReachEvents;
  /** Start a daemon when there is none. */
  autostart: boolean;
  /** Stop trying. */
  signal?: AbortSignal;
  /** Called with the reason, each time that nobody answers at once. */
  onAbsent?: (why: string) => void;
}

/** `UnreachableError.code` where the fault is the user's choice of a state root (library contract 1.1). */
export const STATE_ROOT_UNUSABLE = 'state_root_unusable';

/** No daemon could be reached, with the reason for people. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError';
  readonly verdict: DialVerdict | 'absent' | 'stillborn' | 'given-up';

  /** Of the daemon's `error` frame, where it refused; else STATE_ROOT_UNUSABLE or nothing. */
  readonly code: string | undefined;
  /** The `error` frame itself, where there was one. */
  readonly refusal: Refusal | undefined;

  constructor(
    verdict: UnreachableError['verdict'],
    message: string,
    reason?: string | Refusal | undefined,
  ) {
    super(message);
    this.verdict = verdict;
    this.refusal = typeof reason === 'object' ? reason : undefined;
    this.code = typeof reason === 'object' ? reason.code : reason;
  }
}

/**
 * Reach the daemon of this state root, whatever it takes: connect, or start
 * one through the spawn ticket, or fall back to a read-only one over stdio.
 * An older daemon is asked to retire first.
 *
 * @throws UnreachableError
 */
export async function reachDaemon(options: ReachOptions): Promise<Connection> {
  const fault = findStateRootFault(options.paths.root);
  if (fault !== undefined) throw new UnreachableError('refused', fault, STATE_ROOT_UNUSABLE);
  if (isOn(options.env['LECTERN_NO_DAEMON'])) {
    options.onAbsent?.('LECTERN_NO_DAEMON is set');
    return openStandIn(options);
  }
  try {
    return await reachOverSocket(options);
  } catch (error) {
    const isHopeless =
      error instanceof UnreachableError &&
      (error.verdict === 'forbidden' || error.verdict === 'stillborn');
    if (!isHopeless || !options.autostart) throw error;
    const standIn = await openStandIn(options).catch((other: unknown) => {
      // Why there is no daemon says more than that what stood in for it ended too.
      throw other instanceof UnreachableError ? other : error;
    });
    // Where sockets are forbidden they stay so; a daemon that could not be born may be there later.
    if (error.verdict === 'stillborn') standIn.isReplaceable = () => lives(options.paths);
    return standIn;
  }
}

/** @throws UnreachableError when it refuses us; what `openStdioDaemon` throws */
async function openStandIn(options: ReachOptions): Promise<Connection> {
  try {
    const { paths, introduction, events } = options;
    return await openStdioDaemon(paths, introduction, {
      ...events,
      onConnect: () => events.onConnect?.(false),
    });
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    throw new UnreachableError('refused', `lectern refuses: ${error.message}`, error.refusal);
  }
}

async function reachOverSocket(options: ReachOptions): Promise<Connection> {
  const { paths, signal } = options;
  let failedBirths = 0;
  // Once: a service file of the old version would bring the old daemon back for ever.
  let mayReplace = true;
  let lastWhy = 'no daemon answered';
  for (let retry = 0; !signal?.aborted; retry += 1) {
    const record = readDaemonRecord(paths.daemonFile);
    if (record !== undefined) {
      const attempt = await tryDial(record, options, mayReplace);
      if (attempt.connection !== undefined) {
        if (!attempt.isOutdated) return attempt.connection;
        mayReplace = false;
        await replaceDaemon(attempt.connection, record, options);
        continue;
      }
      if (attempt.verdict === 'forbidden') {
        options.onAbsent?.(attempt.why);
        throw new UnreachableError('forbidden', `sockets are not allowed here: ${attempt.why}`);
      }
      lastWhy = explainFailure(record, attempt);
      if (attempt.verdict !== 'dead') {
        options.onAbsent?.(lastWhy);
        if (!options.autostart || attempt.isFinal) {
          throw new UnreachableError(attempt.verdict, lastWhy, attempt.refusal);
        }
        await pause(backoffMs(retry, 20, 2000), signal);
        continue;
      }
    }
    options.onAbsent?.('no daemon is running');
    if (!options.autostart) throw new UnreachableError('absent', 'no daemon is running');
    const telling = {
      ...options,
      onAbsent: (why: string) => {
        const words = readLastWords(paths);
        lastWhy = words === '' ? why : `${why}; the last one said: ${words}`;
        options.onAbsent?.(lastWhy);
      },
    };
    const birth = await giveBirth(record, telling, failedBirths === 0);
    if (birth === 'failed') failedBirths += 1;
    if (failedBirths >= FAILED_BIRTHS) {
      throw new UnreachableError('stillborn', `the daemon did not start: ${readLastWords(paths)}`);
    }
    if (birth !== 'born') await pause(backoffMs(retry, 10, 500), signal);
  }
  throw new UnreachableError('given-up', lastWhy);
}

interface Attempt {
  connection?: Connection;
  /** The daemon is older than we are and will make room. */
  isOutdated: boolean;
  verdict: DialVerdict;
  why: string;
  /** Trying again cannot help. */
  isFinal: boolean;
  /** The daemon's `error` frame, where it refused. */
  refusal?: Refusal | undefined;
}

async function tryDial(
  record: DaemonRecord,
  options: ReachOptions,
  mayReplace: boolean,
): Promise<Attempt> {
  // A connection that is only made to retire an older daemon tells nobody of its frames and its end.
  let isOurs = true;
  const isSameVersion = record.version === options.introduction.version;
  const events: ConnectionEvents = {
    onFrame: (frame) => isOurs && options.events.onFrame(frame),
    onClose: (reason) => isOurs && options.events.onClose(reason),
    onDrain: () => isOurs && options.events.onDrain?.(),
    onConnect: () => options.events.onConnect?.(isSameVersion && record.answersAsRecorded),
    // An outdated daemon would answer what is sent early before we know that it is one.
    onHello: (sendEarly) => {
      if (isSameVersion) options.events.onHello?.(sendEarly);
    },
  };
  try {
    const connection = await dial(record, options.introduction, events);
    const isOutdated = mayReplace && shouldReplace(connection, options);
    isOurs = !isOutdated;
    return { connection, isOutdated, verdict: 'busy', why: '', isFinal: false };
  } catch (error) {
    const verdict = judgeDial(error);
    const refusal = (error as Partial<RefusedError>).refusal;
    const code = refusal?.code;
    // A daemon reborn between reading the record and the token refuses the old
    // token; one that retires is gone in seconds. The rest will not change.
    const isFinal = verdict === 'refused' && code !== 'wrong_token' && code !== 'retiring';
    return { isOutdated: false, verdict, why: (error as Error).message, isFinal, refusal };
  }
}

function explainFailure(record: DaemonRecord, { verdict, why }: Attempt): string {
  const who = `the daemon (pid ${record.pid})`;
  if (verdict === 'refused') return `${who} refuses: ${why}`;
  return verdict === 'dead' ? `${who} is gone: ${why}` : `${who} does not answer: ${why}`;
}

/**
 * Start a daemon, or wait for the one that somebody else starts.
 *
 * @returns `failed` when a daemon died at birth, `waited` when somebody else was at it
 */
async function giveBirth(
  gone: DaemonRecord | undefined,
  options: ReachOptions,
  mayUseService: boolean,
): Promise<'born' | 'failed' | 'waited'> {
  const { paths, signal } = options;
  const ticket = await claimTicket(gone, options);
  if (ticket === 'elsewhere') return 'waited';
  try {
    // Somebody may be born meanwhile: a login service is started by its manager.
    const isOver = () => signal?.aborted === true || isReborn(gone, paths);
    await awaitBirth(paths, isOver, (why) => options.onAbsent?.(why), signal);
    if (isOver()) return 'waited';
    noteBirth(paths);
    const child = await spawnDaemon(
      paths,
      options.env,
      options.introduction.version,
      mayUseService,
    ).catch((error: Error) => {
      throw new UnreachableError('stillborn', `no daemon can be started: ${error.message}`);
    });
    let exit: number | null | undefined;
    let exitedAt: number | undefined;
    child.once('exit', (code) => (exit = code));
    child.once('error', () => (exit = 127));
    for (
      const deadline = monotonicMs() + BIRTH_MS;
      monotonicMs() < deadline && !signal?.aborted;
    ) {
      if (isReborn(gone, paths)) return 'born';
      if (exit === CONFINED_EXIT) throw new UnreachableError('stillborn', readLastWords(paths));
      if (exit !== undefined && exit !== 0) return 'failed';
      // Exit 0: another daemon holds the lock, or a service manager took the order; give it a
      // moment. Managers answer whatever becomes of the daemon, and the lock may be held from
      // where we cannot see: another machine, on a shared disk.
      if (exit === 0) exitedAt ??= monotonicMs();
      if (exitedAt !== undefined && monotonicMs() - exitedAt > ORDERED_MS) return 'failed';
      await pause(LOOK_MS, signal);
    }
    return signal?.aborted ? 'waited' : 'failed';
  } finally {
    ticket?.release();
  }
}

async function claimTicket(
  gone: DaemonRecord | undefined,
  { paths, signal, onAbsent }: ReachOptions,
): Promise<{ release(): void } | undefined | 'elsewhere'> {
  for (let deadline = monotonicMs() + TICKET_MS; !signal?.aborted; ) {
    try {
      ensureStateRoot(paths.root);
      const ticket = takeSpawnTicket(paths.spawnTicket);
      if (ticket !== undefined) return ticket;
    } catch (error) {
      const why = (error as Error).message;
      throw new UnreachableError('stillborn', `the state root cannot be written: ${why}`);
    }
    if (isReborn(gone, paths)) return 'elsewhere';
    // Its holder may be waiting for the turn of the next birth, as we would have to.
    const why = whyBirthWaits(paths);
    if (why !== undefined) {
      onAbsent?.(why);
      deadline = monotonicMs() + TICKET_MS;
    }
    if (monotonicMs() > deadline) return undefined;
    await pause(10 + Math.random() * 30, signal);
  }
  return 'elsewhere';
}

function lives(paths: StatePaths): boolean {
  const record = readDaemonRecord(paths.daemonFile);
  return record !== undefined && isAlive(record);
}

/** Another record than that of the daemon found dead: somebody was born since. */
function isReborn(gone: DaemonRecord | undefined, paths: StatePaths): boolean {
  const record = readDaemonRecord(paths.daemonFile);
  return record !== undefined && record.socket !== gone?.socket;
}

/** Only ever upwards, and only where we could start the successor. */
function shouldReplace(connection: Connection, options: ReachOptions): boolean {
  return (
    options.autostart &&
    connection.welcome.protocol <= PROTOCOL &&
    isNewer(options.introduction.version, connection.welcome.version)
  );
}

/**
 * Ask an older daemon to retire and start its successor, holding the spawn
 * ticket meanwhile so that no older client starts an older one first.
 */
async function replaceDaemon(
  connection: Connection,
  record: DaemonRecord,
  options: ReachOptions,
): Promise<void> {
  const { paths, signal } = options;
  const ticket = takeSpawnTicket(paths.spawnTicket);
  try {
    connection.send(FRAME.retire, 0, '');
    for (
      const deadline = monotonicMs() + RETIRE_MS;
      monotonicMs() < deadline && !signal?.aborted;
    ) {
      if (readDaemonRecord(paths.daemonFile)?.socket !== record.socket) break;
      await pause(20, signal);
    }
    if (ticket !== undefined && readDaemonRecord(paths.daemonFile) === undefined) {
      await spawnDaemon(paths, options.env, options.introduction.version);
      for (
        const deadline = monotonicMs() + BIRTH_MS;
        monotonicMs() < deadline && !signal?.aborted;
      ) {
        if (readDaemonRecord(paths.daemonFile) !== undefined) break;
        await pause(10, signal);
      }
    }
  } finally {
    ticket?.release();
    connection.close();
  }
}

/** Flags are on when set, non-empty and not 0, false, no or off (library contract 13). */
export function isOn(value: string | undefined): boolean {
  return value !== undefined && value !== '' && !/^(0|false|no|off)$/i.test(value);
}
