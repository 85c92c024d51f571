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
import { isAlive } from './link/process-identity.ts';
import { reachDaemon } from './link/reach-daemon.ts';
import { resolveStateRoot, StateRootError, statePaths } from './link/state-paths.ts';
import { STATE_ROOT_UNUSABLE, UnreachableError } from './link/unreachable.ts';
import { unpackError } from './rpc-error.ts';

/** A person waits: longer than the limiter of births holds anybody back, shorter than patience. */
const REACH_MS = 30_000;

/** JSON-RPC 2.0 section 5.1: what a daemon of another version answers to a method that is not its own. */
const METHOD_NOT_FOUND = -32601;

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
   * @throws LecternError of the daemon's category; `mcp_io` when the daemon goes away
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

  const rpc = new JSONRPCClient(
    (message) => void connection?.send(FRAME.admin, 0, JSON.stringify(message)),
    () => (nextId += 1),
  );

  const receive = (frame: Frame) => {
    if (frame.kind === FRAME.read) {
      answerRead(frame, (seq, payload) => connection?.send(FRAME.readResult, seq, payload));
    }
    if (frame.kind !== FRAME.admin) return;
    const message = JSON.parse(frame.payload.toString('utf8'));
    if (message.method === 'progress') listeners.get(message.params.id)?.(message.params);
    else rpc.receive(message);
  };

  const overdue = AbortSignal.timeout(REACH_MS);
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
      autostart: options.autostart ?? true,
      ...(options.onAbsent === undefined ? {} : { onAbsent: options.onAbsent }),
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
      ...(silent === undefined ? {} : { next: wake(silent) }),
      ...(error instanceof UnreachableError ? { extras: { verdict: error.verdict } } : {}),
    });
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
      try {
        if (lost !== undefined) throw new Error(lost);
        const answer = await rpc.request(method.method, checked, undefined);
        return method.result.parse(answer) as never;
      } catch (error) {
        if (lost !== undefined) {
          throw new LecternError('mcp_io', `the daemon went away: ${lost}`, { cause: error });
        }
        if (!(error instanceof JSONRPCErrorException)) throw error;
        if (error.code !== METHOD_NOT_FOUND) throw unpackError(error);
        throw new LecternError(
          'internal',
          `the daemon that runs, version ${open.welcome.version}, does not know ${method.method}`,
          { rpc: error.code, next: 'lectern daemon restart', cause: error },
        );
      } finally {
        listeners.delete(id);
      }
    },
    close: () => open.close(),
  };
}

/** The daemon that is there and says nothing, when that is why nobody was reached. */
function findSilent(error: unknown, record: DaemonRecord | undefined): DaemonRecord | undefined {
  if (!(error instanceof UnreachableError) || record === undefined) return undefined;
  const isSilent = error.verdict === 'busy' || error.verdict === 'given-up';
  return isSilent && isAlive(record) ? record : undefined;
}

/** One that hangs is ended by its own watchdog: what stays silent was stopped from outside. */
function wake({ pid }: DaemonRecord): string {
  return `kill -CONT ${pid}   (if it was stopped), or kill -9 ${pid}: the next call starts another`;
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
