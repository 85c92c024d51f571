import { JSONRPCClient, JSONRPCErrorException } from 'json-rpc-2.0';
import { LecternError } from '../core/errors.ts';
import { VERSION } from '../core/version.ts';
import type { AdminMethod, AdminProgress, ParamsOf, ResultOf } from './admin/method.ts';
import { answerRead } from './link/answer-read.ts';
import type { Connection } from './link/connection.ts';
import { currentDirectory } from './link/current-directory.ts';
import { type DaemonRecord, readDaemonRecord } from './link/daemon-file.ts';
import { pickSessionEnvironment } from './link/environment.ts';
import { FRAME, type Frame } from './link/frames.ts';
import { isOn } from './link/is-on.ts';
import { isAlive } from './link/process-identity.ts';
import { reachDaemon } from './link/reach-daemon.ts';
import {
  resolveStateRoot,
  type StatePaths,
  StateRootError,
  statePaths,
} from './link/state-paths.ts';
import { STATE_ROOT_UNUSABLE, UnreachableError } from './link/unreachable.ts';
import { unpackError } from './rpc-error.ts';
import { describeSilence, mendSilence } from './silent-daemon.ts';
import { GIVEN_UP_MS, NOTED_MS, watchSilence } from './watch-silence.ts';

/** A person waits: longer than the limiter of births holds anybody back, shorter than patience. */
const REACH_MS = 30_000;

/** JSON-RPC 2.0 section 5.1: what a daemon of another version answers to a method that is not its own. */
const METHOD_NOT_FOUND = -32601;

/** Any answer to it is a sign of life: a daemon of whatever version says that it knows no such method. */
const PING = JSON.stringify({ jsonrpc: '2.0', id: 'ping', method: 'ping' });

export interface AdminClientOptions {
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  /** Start the daemon when there is none. Default true. */
  autostart?: boolean;
  /** `--workspace`, when given. */
  workspace?: string | null;
  signal?: AbortSignal;
  /** Told why nobody answers yet, each time that this is known better. */
  onAbsent?: (why: string) => void;
  /** Told in a line for people when nobody has said anything for `NOTED_MS`. */
  onSilent?: (what: string) => void;
}

export interface CallOptions {
  onProgress?: (progress: Omit<AdminProgress, 'id'>) => void;
}

/** The CLI's connection to the daemon. */
export interface AdminClient {
  /** Version of the daemon. */
  readonly version: string;
  /**
   * Ask the daemon one thing. Parameters and result are checked with the
   * method's schemas.
   *
   * @throws LecternError of the daemon's category; `mcp_io` when the daemon goes away,
   *   or says nothing for `GIVEN_UP_MS`: no answer, no progress, not even to a ping
   */
  call<M extends AdminMethod>(
    method: M,
    params: ParamsOf<M>,
    options?: CallOptions,
  ): Promise<ResultOf<M>>;
  close(): void;
}

/**
 * Connect to the daemon of this state root, starting it when needed.
 *
 * @throws LecternError usage (bad state root), mcp_startup (no daemon can be reached)
 */
export async function connectAdmin(options: AdminClientOptions = {}): Promise<AdminClient> {
  const env = options.env ?? process.env;
  const paths = statePaths(findStateRoot(env));
  const listeners = new Map<number, (progress: AdminProgress) => void>();
  let connection: Connection | undefined;
  let nextId = 0;
  let lost: string | undefined;
  let isGivenUp = false;
  let whyAbsent: string | undefined;

  const rpc = new JSONRPCClient(
    (message) => void connection?.send(FRAME.admin, 0, JSON.stringify(message)),
    () => (nextId += 1),
  );

  const silence = watchSilence({
    ask: () => void connection?.send(FRAME.admin, 0, PING),
    onSilent: () => options.onSilent?.(describeSilence(connection!.welcome.pid)),
    onGivenUp: () => {
      isGivenUp = true;
      connection?.close();
    },
  });

  const receive = (frame: Frame) => {
    silence.hear();
    if (frame.kind === FRAME.read) {
      answerRead(frame, (seq, payload) => connection?.send(FRAME.readResult, seq, payload));
    }
    if (frame.kind !== FRAME.admin) return;
    const message = JSON.parse(frame.payload.toString('utf8'));
    if (message.method === 'progress') listeners.get(message.params.id)?.(message.params);
    else rpc.receive(message);
  };

  const overdue = AbortSignal.timeout(REACH_MS);
  const autostart = options.autostart ?? true;
  let isLate = false;
  let isTold = false;
  // An older daemon that is asked to make room is none that says nothing: then there is no why.
  const tellLate = () => {
    if (!isLate || isTold || whyAbsent === undefined) return;
    isTold = true;
    options.onSilent?.(describeAbsence(env, paths, whyAbsent));
  };
  const late = () => {
    isLate = true;
    tellLate();
  };
  // Without a start one dial decides, which takes no longer than this and then says the same.
  const waited = autostart ? setTimeout(late, NOTED_MS) : undefined;
  try {
    connection = await reachDaemon({
      paths,
      env,
      introduction: {
        version: VERSION,
        role: 'admin',
        surface: 'library',
        workspace: options.workspace ?? null,
        harness: null,
        flags: {},
        cwd: options.cwd ?? currentDirectory(env),
        env: pickSessionEnvironment(env),
        pid: process.pid,
      },
      events: {
        onFrame: receive,
        onClose: (reason) => {
          lost = reason;
          rpc.rejectAllPendingRequests(reason);
        },
      },
      autostart,
      onAbsent: (why) => {
        whyAbsent = why;
        options.onAbsent?.(why);
        tellLate();
      },
      signal: options.signal === undefined ? overdue : AbortSignal.any([overdue, options.signal]),
    });
  } catch (error) {
    if (error instanceof UnreachableError && error.code === STATE_ROOT_UNUSABLE) {
      throw new LecternError('usage', error.message, {
        next: 'set LECTERN_HOME to a directory of yours',
      });
    }
    const silent = findSilent(error, readDaemonRecord(paths.daemonFile));
    throw new LecternError('mcp_startup', (error as Error).message, {
      cause: error,
      ...(silent === undefined ? {} : { next: mendSilence(silent.pid) }),
      ...(error instanceof UnreachableError ? { extras: { verdict: error.verdict } } : {}),
    });
  } finally {
    clearTimeout(waited);
  }
  const open = connection;

  return {
    version: open.welcome.version,
    async call(method, params, { onProgress } = {}) {
      const checked = method.params.parse(params);
      const id = nextId + 1;
      if (onProgress !== undefined) {
        listeners.set(id, ({ what, done, total }) => onProgress({ what, done, total }));
      }
      const settle = silence.expect();
      try {
        if (lost !== undefined) throw new Error(lost);
        const answer = await rpc.request(method.method, checked, undefined);
        return method.result.parse(answer) as never;
      } catch (error) {
        if (isGivenUp) throw givenUp(open.welcome.pid, error);
        if (lost !== undefined) {
          throw new LecternError('mcp_io', `the daemon went away: ${lost}`, {
            next: 'lectern status, to see what it did; then the same command again',
            cause: error,
          });
        }
        if (!(error instanceof JSONRPCErrorException)) throw error;
        if (error.code !== METHOD_NOT_FOUND) throw unpackError(error);
        throw new LecternError(
          'internal',
          `the daemon that runs, version ${open.welcome.version}, does not know ${method.method}`,
          { rpc: error.code, next: 'lectern daemon restart', cause: error },
        );
      } finally {
        settle();
        listeners.delete(id);
      }
    },
    close: () => open.close(),
  };
}

/** The daemon took the connection and then said nothing. */
function givenUp(pid: number, cause: unknown): LecternError {
  const message = `the daemon (pid ${pid}) does not answer: it has said nothing for ${GIVEN_UP_MS / 1000} s`;
  return new LecternError('mcp_io', message, { next: mendSilence(pid), cause });
}

/** The daemon that is there and says nothing, when that is why nobody was reached. */
function findSilent(error: unknown, record: DaemonRecord | undefined): DaemonRecord | undefined {
  if (!(error instanceof UnreachableError) || record === undefined) return undefined;
  const isSilent = error.verdict === 'busy' || error.verdict === 'given-up';
  return isSilent && isAlive(record) ? record : undefined;
}

/** Why there is no daemon to talk to yet, in one line. */
function describeAbsence(env: NodeJS.ProcessEnv, { daemonFile }: StatePaths, why: string): string {
  // With LECTERN_NO_DAEMON the daemon of the record is not the one that we wait for.
  const record = isOn(env['LECTERN_NO_DAEMON']) ? undefined : readDaemonRecord(daemonFile);
  if (record !== undefined && isAlive(record)) return describeSilence(record.pid);
  return `no daemon answers yet: ${why} (lectern daemon logs)`;
}

function findStateRoot(env: NodeJS.ProcessEnv): string {
  try {
    return resolveStateRoot(env);
  } catch (error) {
    if (error instanceof StateRootError)
      throw new LecternError('usage', error.message, {
        next: 'set LECTERN_HOME or HOME to an absolute directory of yours',
      });
    throw error;
  }
}
