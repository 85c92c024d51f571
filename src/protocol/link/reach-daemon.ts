import { backoffMs, pause } from './backoff.ts';
import {
  type Connection,
  type ConnectionEvents,
  RefusedError,
  type SendEarly,
} from './connection.ts';
import { type DaemonRecord, readDaemonRecord } from './daemon-file.ts';
import { type DialVerdict, dial, findSocketBan, type Introduction, judgeDial } from './dial.ts';
import { giveBirth, type Parent } from './give-birth.ts';
import type { Refusal } from './hello.ts';
import { isOn } from './is-on.ts';
import { hasLivingDaemon } from './living-daemon.ts';
import { isAlive } from './process-identity.ts';
import { isElder, isOutdated, replaceDaemon } from './replace-daemon.ts';
import { readLastWords } from './spawn-daemon.ts';
import { findStateRootFault, type StatePaths } from './state-paths.ts';
import { openStdioDaemon } from './stdio-daemon.ts';
import { STATE_ROOT_UNUSABLE, UnreachableError } from './unreachable.ts';

/** Births that may fail one after the other before we ask for a read-only session instead. */
const FAILED_BIRTHS = 2;

/** What a client of `reachDaemon` is told of its connection. */
export interface ReachEvents extends Omit<ConnectionEvents, 'onHello'> {
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
    const found = readDaemonRecord(options.paths.daemonFile);
    const standIn = await openStandIn(options, error.message).catch((other: unknown) => {
      // Why there is no daemon says more than that what stood in for it ended too.
      throw other instanceof UnreachableError ? other : error;
    });
    // Where sockets are forbidden they stay so; a daemon that could not be born may be there later.
    if (error.verdict === 'stillborn') {
      // One from where we cannot see may have a socket that we can reach: a new record is worth a try.
      standIn.isReplaceable = () =>
        hasLivingDaemon(options.paths) ||
        (readDaemonRecord(options.paths.daemonFile)?.socket ?? found?.socket) !== found?.socket;
    }
    return standIn;
  }
}

/**
 * @param because why there is no daemon, for its answers
 * @throws UnreachableError when it refuses us; what `openStdioDaemon` throws
 */
async function openStandIn(options: ReachOptions, because?: string): Promise<Connection> {
  try {
    const { paths, introduction, events } = options;
    return await openStdioDaemon(paths, introduction, events, because);
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    throw new UnreachableError('refused', `lectern refuses: ${error.message}`, error.refusal);
  }
}

async function reachOverSocket(options: ReachOptions): Promise<Connection> {
  const { paths, env, signal } = options;
  const parent: Parent = { paths, env, version: options.introduction.version, signal };
  let failedBirths = 0;
  // Once: a service file of the old version would bring the old daemon back for ever.
  let mayReplace = true;
  let lastWhy = 'no daemon answered';
  for (let retry = 0; !signal?.aborted; retry += 1) {
    const record = readDaemonRecord(paths.daemonFile);
    if (record !== undefined) {
      const attempt = await tryDial(record, options, mayReplace);
      if (attempt.connection !== undefined) {
        if (!attempt.isReplaced) return attempt.connection;
        mayReplace = false;
        await replaceDaemon(attempt.connection, record, parent);
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
    if (!options.autostart) {
      const isThere = hasLivingDaemon(paths);
      throw new UnreachableError('absent', isThere ? lastWhy : 'no daemon is running');
    }
    // Thirty agents of one sandbox need not all try; a person's command tells what a birth says.
    const ban = options.introduction.role === 'mcp' ? await findSocketBan() : undefined;
    if (ban !== undefined) {
      throw new UnreachableError('forbidden', `sockets are not allowed here (${ban})`);
    }
    const birth = await giveBirth(record, {
      ...parent,
      mayUseService: failedBirths === 0,
      onWait: (why) => {
        const words = readLastWords(paths);
        lastWhy = words === '' ? why : `${why}; the last one said: ${words}`;
        options.onAbsent?.(lastWhy);
      },
    });
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
  /** The daemon is older than we are and is to make room. */
  isReplaced: boolean;
  verdict: DialVerdict;
  why: string;
  /** Trying again cannot help. */
  isFinal: boolean;
  /** The daemon's `error` frame, where it refused. */
  refusal?: Refusal | undefined;
}

async function tryDial(
  record: DaemonRecord,
  { introduction, events, autostart }: ReachOptions,
  mayReplace: boolean,
): Promise<Attempt> {
  // A connection that is only made to retire an older daemon tells nobody of its frames and its end.
  let isOurs = true;
  const isSameVersion = record.version === introduction.version;
  const ours: ConnectionEvents = {
    onFrame: (frame) => isOurs && events.onFrame(frame),
    onClose: (reason) => isOurs && events.onClose(reason),
    onDrain: () => isOurs && events.onDrain?.(),
    // An outdated daemon would answer what is sent early before we know that it is one.
    onHello: (sendEarly) => {
      if (isSameVersion) events.onHello?.(sendEarly);
    },
  };
  // Only where we could start the successor.
  const couldReplace = mayReplace && autostart;
  try {
    const connection = await dial(record, introduction, ours);
    const isReplaced = couldReplace && isOutdated(connection, introduction.version);
    isOurs = !isReplaced;
    return { connection, isReplaced, verdict: 'busy', why: '', isFinal: false };
  } catch (error) {
    const verdict = judgeDial(error);
    const refusal = (error as Partial<RefusedError>).refusal;
    const code = refusal?.code;
    // A daemon reborn between reading the record and the token refuses the old
    // token; one that retires is gone in seconds. The rest will not change.
    const isFinal = verdict === 'refused' && code !== 'wrong_token' && code !== 'retiring';
    if (isFinal && couldReplace && isElder(record, introduction.version)) {
      const connection = await dial(record, introducePlainly(introduction), MUTE).catch(() => {});
      if (connection) return { connection, isReplaced: true, verdict, why: '', isFinal: false };
    }
    return { isReplaced: false, verdict, why: (error as Error).message, isFinal, refusal };
  }
}

const MUTE: ConnectionEvents = { onFrame: () => {}, onClose: () => {} };

/** What every version of a daemon admits, however little of our session it understands. */
function introducePlainly({ version, pid }: Introduction): Introduction {
  const nothing = { workspace: null, harness: null, flags: {}, cwd: '/', env: {} };
  return { version, pid, role: 'admin', surface: 'library', ...nothing };
}

function explainFailure(record: DaemonRecord, { verdict, why }: Attempt): string {
  const who = `the daemon (pid ${record.pid})`;
  if (verdict === 'refused') return `${who} refuses: ${why}`;
  if (verdict !== 'dead') return `${who} does not answer: ${why}`;
  // It may live where other paths lead to its state root, as in a sandbox.
  return isAlive(record) ? `${who} cannot be reached from here: ${why}` : `${who} is gone: ${why}`;
}
