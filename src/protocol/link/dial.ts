import { connect } from 'node:net';
import {
  type Connection,
  type ConnectionEvents,
  type Duplex,
  openConnection,
} from './connection.ts';
import { type DaemonRecord, readToken } from './daemon-file.ts';
import { type Hello, PROTOCOL } from './hello.ts';

/**
 * A local socket connects at once or not at all, unless the listener's backlog
 * is full: then the kernel holds us until the daemon accepts.
 */
const CONNECT_MS = 5000;

/**
 * From hello to welcome. A healthy daemon takes a millisecond; five seconds
 * cover one that is swapped out. Longer only means that it is stopped.
 */
const EXCHANGE_MS = 5000;

/** Everything of a hello but what the daemon's own record decides. */
export type Introduction = Omit<Hello, 'token' | 'protocol'>;

/**
 * Connect to the daemon named by `record` and exchange hello and welcome.
 *
 * @throws the socket's error, RefusedError, SilentError, HungUpError
 */
export async function dial(
  record: DaemonRecord,
  introduction: Introduction,
  events: ConnectionEvents,
): Promise<Connection> {
  const stream = await connectSocket(record.socket);
  const hello: Hello = {
    ...introduction,
    token: readToken(record),
    protocol: Math.min(PROTOCOL, record.protocol),
  };
  return openConnection(stream, hello, events, EXCHANGE_MS);
}

/**
 * Why no socket may be used here, whoever listens: some agent hosts keep their
 * agents from it. Found without a daemon, so that none need be born for it.
 *
 * @returns the system's code; undefined where one may
 */
export async function findSocketBan(): Promise<string | undefined> {
  if (process.platform === 'win32') return undefined;
  try {
    // In a directory that everybody may look into.
    (await connectSocket('/nobody-listens-here')).destroy();
    return undefined;
  } catch (error) {
    return judgeDial(error) === 'forbidden' ? (error as NodeJS.ErrnoException).code : undefined;
  }
}

function connectSocket(path: string): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    // As an option: a name of digits alone would be taken for a port.
    const socket = connect({ path });
    const timer = setTimeout(() => {
      const error = new Error(`the socket took no connection within ${CONNECT_MS} ms`);
      socket.destroy(Object.assign(error, { code: 'ETIMEDOUT' }));
    }, CONNECT_MS);
    const fail = (error: Error) => {
      clearTimeout(timer);
      reject(error);
    };
    socket.once('error', fail);
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.off('error', fail);
      resolve({ readable: socket, writable: socket, destroy: () => socket.destroy() });
    });
  });
}

/** What a failed dial says about the daemon behind the socket. */
export type DialVerdict = 'dead' | 'busy' | 'forbidden' | 'refused';

/**
 * Judge a failed dial. Only what the kernel proves counts as dead; a daemon
 * that is slow or stopped is busy, and a second one is never started beside it.
 */
export function judgeDial(error: unknown): DialVerdict {
  if (error instanceof Error && error.name === 'RefusedError') return 'refused';
  switch ((error as NodeJS.ErrnoException | null)?.code) {
    case 'ECONNREFUSED':
    case 'ENOENT':
    case 'ENOTSOCK':
    case 'ENOTDIR':
    case 'ELOOP':
    case 'EPROTOTYPE':
    case 'EINVAL':
      return 'dead';
    case 'EPERM':
    case 'EACCES':
    case 'EAFNOSUPPORT':
    case 'EPROTONOSUPPORT':
      return 'forbidden';
    default:
      return 'busy';
  }
}
