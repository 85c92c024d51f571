import type { OpenSurface, SessionContext } from '../src/mcp/surface.ts';
import type { Duplex } from '../src/protocol/link/connection.ts';
import {
  FRAME,
  type Frame,
  FrameDecoder,
  FrameError,
  type FrameKind,
} from '../src/protocol/link/frames.ts';
import type { Hello, Refusal, RefusalCode, Welcome } from '../src/protocol/link/hello.ts';
import { writeFrame } from '../src/protocol/link/write-frame.ts';
import type { AdminPeer } from './admin.ts';
import { ClientFiles } from './client-files.ts';
import type { Log } from './log.ts';
import { type ExchangeHost, McpExchange } from './mcp-exchange.ts';
import { readHello } from './read-hello.ts';

/** A client that connects and says nothing holds a descriptor; five seconds cover a swapped-out one. */
const HELLO_MS = 5000;

/** Above this a client reads slower than it asks: its next requests wait in the kernel. */
const SLOW_BYTES = 1024 * 1024;

/** Above this the client does not read at all, and is let go. */
const MOST_OUTPUT_BYTES = 256 * 1024 * 1024;

/** How long a refused client has to take our last frame before its connection is cut. */
const LINGER_MS = 500;

/**
 * Of what is refused, a refusal repeats no more: one of megabytes would not have
 * left when the connection is cut, nor find room in the log.
 */
const MOST_REPEATED = 1000;

/** What a session needs of the daemon around it. */
export interface SessionHost extends ExchangeHost {
  log: Log;
  /** Judge a hello; undefined admits it. */
  refuse(hello: Hello): Refusal | undefined;
  welcome(session: number): Welcome;
  openSurface(hello: Hello): OpenSurface | undefined;
  openAdmin(context: SessionContext, send: (message: string) => void): AdminPeer;
  /** A client asks this daemon to make room for a newer one. */
  onRetireAsked(hello: Hello): void;
  onOpen(session: Session): void;
  onClose(session: Session): void;
}

/** One connection from its hello to its end. */
export interface Session {
  readonly id: number;
  readonly hello: Hello;
  readonly bornAt: number;
  readonly calls: number;
  readonly inFlight: number;
  /** What the client calls itself; null until it has said so. */
  readonly client: string | null;
  /** Tell the client to reconnect soon; what it has asked is still answered. */
  announceRetirement(): void;
  close(): Promise<void>;
}

/**
 * Serve one connection. One session per connection, and nothing that a client
 * sends reaches another session: garbage, silence and giant frames end with
 * one `error` frame and a close.
 */
export function serveConnection(stream: Duplex, id: number, host: SessionHost): void {
  const log = host.log.child({ target: 'session', session: id });
  const clientLog = host.log.child({ target: 'proxy', session: id });
  const decoder = new FrameDecoder();
  const bornAt = performance.now();
  let hello: Hello | undefined;
  /** What is served once the hello has said which: MCP messages or an administrator. */
  let exchange: McpExchange | undefined;
  let admin: AdminPeer | undefined;
  let isOver = false;
  const files = new ClientFiles((number, path) =>
    send(FRAME.read, number, JSON.stringify({ path })),
  );

  const timer = setTimeout(
    () => refuse('hello_timeout', `no hello within ${HELLO_MS} ms`),
    HELLO_MS,
  );

  const session: Session = {
    id,
    bornAt,
    get hello() {
      return hello!;
    },
    get calls() {
      return (exchange ?? admin)?.answered ?? 0;
    },
    get inFlight() {
      return (exchange ?? admin)?.inFlight ?? 0;
    },
    get client() {
      return exchange?.client ?? null;
    },
    announceRetirement: () => send(FRAME.retire, 0, ''),
    close: () => finish('the daemon closes'),
  };

  function send(kind: FrameKind, seq: number, payload: Uint8Array | string): void {
    if (isOver) return;
    const { writable } = stream;
    writeFrame(writable, kind, seq, payload);
    const queued = (writable as { writableLength?: number }).writableLength ?? 0;
    if (queued > MOST_OUTPUT_BYTES && kind !== FRAME.error) {
      refuse(
        'output_limit',
        `more than ${MOST_OUTPUT_BYTES} bytes of answers are waiting to be read`,
      );
    } else if (queued > SLOW_BYTES) {
      stream.readable.pause();
    }
  }

  function refuse(code: RefusalCode, message: string, rpc?: Refusal['rpc']): void {
    if (isOver) return;
    const said = message.slice(0, MOST_REPEATED);
    const answer = rpc && { ...rpc, message: rpc.message.slice(0, MOST_REPEATED) };
    log.warn({ code }, `refused: ${said}`);
    send(FRAME.error, 0, JSON.stringify({ code, message: said, rpc: answer }));
    stream.writable.end();
    void finish(code, true);
  }

  async function finish(reason: string, isFlushing = false): Promise<void> {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    stream.readable.removeListener('data', onData);
    // What the client still sends is drained, so that its end reads our last frame and no reset.
    stream.readable.resume();
    if (isFlushing) setTimeout(() => stream.destroy(), LINGER_MS).unref();
    else stream.destroy();
    files.close();
    admin?.close();
    if (hello !== undefined) {
      log.info({ reason, calls: session.calls }, 'session closed');
      host.onClose(session);
    }
    await exchange
      ?.close()
      .catch((error: unknown) => log.error({ err: error }, 'closing a session'));
    host.onSettled();
  }

  function onData(chunk: Buffer): void {
    try {
      for (const frame of decoder.push(chunk)) {
        if (isOver) return;
        receive(frame);
      }
    } catch (error) {
      if (error instanceof FrameError) refuse(error.code, error.message);
      else {
        log.error({ err: error }, 'a session failed');
        void finish('fault');
      }
    }
  }

  function receive(frame: Frame): void {
    if (hello === undefined) receiveHello(frame);
    else if (frame.kind === FRAME.mcp && exchange !== undefined) exchange.receive(frame);
    else if (frame.kind === FRAME.admin && admin !== undefined) {
      admin.receive(frame.payload.toString('utf8'));
    } else if (frame.kind === FRAME.readResult) files.receive(frame.seq, frame.payload);
    else if (frame.kind === FRAME.log) {
      clientLog.info(frame.payload.subarray(0, 2000).toString('utf8'));
    } else if (frame.kind === FRAME.retire) host.onRetireAsked(hello);
    else refuse('unexpected_frame', `a frame of kind ${frame.kind} has no place here`);
  }

  function receiveHello(frame: Frame): void {
    const read = readHello(frame);
    if ('fault' in read) {
      refuse('bad_hello', read.fault);
      return;
    }
    const refusal = host.refuse(read);
    if (refusal !== undefined) {
      refuse(refusal.code, refusal.message, refusal.rpc);
      return;
    }
    const open = read.role === 'mcp' ? host.openSurface(read) : undefined;
    if (read.role === 'mcp' && open === undefined) {
      const message = `this version of lectern has no ${read.surface} surface`;
      refuse('unsupported_surface', message);
      return;
    }
    clearTimeout(timer);
    hello = read;
    const context = describeHost(id, hello, (path) => files.read(path));
    host.onOpen(session);
    log.info(
      { role: hello.role, surface: hello.surface, pid: hello.pid, client: hello.version },
      'session opened',
    );
    send(FRAME.welcome, 0, JSON.stringify(host.welcome(id)));
    if (open === undefined) admin = host.openAdmin(context, (text) => send(FRAME.admin, 0, text));
    else exchange = new McpExchange({ context, open, host, send, log });
  }

  stream.readable.on('data', onData);
  stream.readable.on('end', () => void finish('client ended'));
  stream.readable.on('close', () => void finish('client closed'));
  stream.readable.on('error', () => void finish('read error'));
  stream.writable.on('error', () => void finish('write error'));
  stream.writable.on('drain', () => stream.readable.resume());
}

/** One `error` frame and a close, without a session. */
export function refuseConnection(stream: Duplex, message: string): void {
  stream.readable.on('error', () => {});
  stream.writable.on('error', () => {});
  // What the client has sent is drained, so that its end reads our frame and no reset.
  stream.readable.resume();
  writeFrame(stream.writable, FRAME.error, 0, JSON.stringify({ code: 'session_limit', message }));
  stream.writable.end();
  setTimeout(() => stream.destroy(), LINGER_MS).unref();
}

function describeHost(
  id: number,
  { surface, workspace, harness, flags, cwd, env, pid }: Hello,
  readFile: SessionContext['readFile'],
): SessionContext {
  return { id, surface, workspaceFlag: workspace, harness, flags, cwd, env, pid, readFile };
}
