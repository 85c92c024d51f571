import type { z } from 'zod';
import type { OpenSurface, SessionContext, SurfacePeer } from '../src/mcp/surface.ts';
import { helloSchema } from '../src/protocol/hello.ts';
import { classifyLine } from '../src/protocol/link/classify.ts';
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
import { type Asked, AskedRequests } from './asked-requests.ts';
import { ClientFiles } from './client-files.ts';
import type { Log } from './log.ts';

/** A client that connects and says nothing holds a descriptor; five seconds cover a swapped-out one. */
const HELLO_MS = 5000;

/** Requests of one session received and not answered. Proxies stop reading their client before this. */
export const MOST_QUEUED = 256;

/** Above this a client reads slower than it asks: its next requests wait in the kernel. */
const SLOW_BYTES = 1024 * 1024;

/** Above this the client does not read at all, and is let go. */
const MOST_OUTPUT_BYTES = 256 * 1024 * 1024;

/** Of a client's own name: what a table can show; a name is not a place to keep megabytes in. */
const LONGEST_CLIENT_NAME = 64;

/** How long a refused client has to take our last frame before its connection is cut. */
const LINGER_MS = 500;

/** What a session needs of the daemon around it. */
export interface SessionHost {
  log: Log;
  /** Judge a hello; undefined admits it. */
  refuse(hello: Hello): Refusal | undefined;
  welcome(session: number): Welcome;
  openSurface(hello: Hello): OpenSurface | undefined;
  openAdmin(context: SessionContext, send: (message: string) => void): AdminPeer;
  isRetiring(): boolean;
  /** A client asks this daemon to make room for a newer one. */
  onRetireAsked(hello: Hello): void;
  onOpen(session: Session): void;
  onClose(session: Session): void;
  /** An MCP request was answered, `ms` after it had come. */
  onAnswered(ms: number): void;
  /** A request was answered, or the session ended: what waits for idleness looks again. */
  onSettled(): void;
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
  let context: SessionContext | undefined;
  let peer: SurfacePeer | undefined;
  let admin: AdminPeer | undefined;
  let isOver = false;
  let calls = 0;
  let client: string | null = null;
  const requests = new AskedRequests();
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
      return calls + (admin?.answered ?? 0);
    },
    get inFlight() {
      return requests.outstanding + (admin?.inFlight ?? 0);
    },
    get client() {
      return client;
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
    log.warn({ code }, `refused: ${message}`);
    send(FRAME.error, 0, JSON.stringify({ code, message, rpc }));
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
    if (hello !== undefined) {
      log.info({ reason, calls: session.calls }, 'session closed');
      host.onClose(session);
    }
    requests.clear();
    await peer?.close().catch((error: unknown) => log.error({ err: error }, 'closing a session'));
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
    else if (frame.kind === FRAME.mcp && peer !== undefined) receiveMcp(frame);
    else if (frame.kind === FRAME.admin && admin !== undefined) {
      admin.receive(frame.payload.toString('utf8'));
    } else if (frame.kind === FRAME.readResult) files.receive(frame.seq, frame.payload);
    else if (frame.kind === FRAME.log) {
      clientLog.info(frame.payload.subarray(0, 2000).toString('utf8'));
    } else if (frame.kind === FRAME.retire) host.onRetireAsked(hello);
    else refuse('unexpected_frame', `a frame of kind ${frame.kind} has no place here`);
  }

  function receiveHello(frame: Frame): void {
    const given = frame.kind === FRAME.hello ? parseJson(frame.payload) : undefined;
    const checked = helloSchema.safeParse(given);
    if (!checked.success) {
      refuse('bad_hello', explainHello(given, checked.error));
      return;
    }
    const refusal = host.refuse(checked.data);
    if (refusal !== undefined) {
      refuse(refusal.code, refusal.message, refusal.rpc);
      return;
    }
    const open = checked.data.role === 'mcp' ? host.openSurface(checked.data) : undefined;
    if (checked.data.role === 'mcp' && open === undefined) {
      refuse(
        'unsupported_surface',
        `this version of lectern has no ${checked.data.surface} surface`,
      );
      return;
    }
    clearTimeout(timer);
    hello = checked.data;
    context = {
      id,
      surface: hello.surface,
      workspaceFlag: hello.workspace,
      harness: hello.harness,
      flags: hello.flags,
      cwd: hello.cwd,
      env: hello.env,
      pid: hello.pid,
      readFile: (path) => files.read(path),
    };
    host.onOpen(session);
    log.info(
      { role: hello.role, surface: hello.surface, pid: hello.pid, client: hello.version },
      'session opened',
    );
    send(FRAME.welcome, 0, JSON.stringify(host.welcome(id)));
    if (open === undefined) admin = host.openAdmin(context, (text) => send(FRAME.admin, 0, text));
    else peer = open(context, sendMcp);
  }

  function receiveMcp(frame: Frame): void {
    const line = classifyLine(frame.payload, hello!.surface);
    // A cancelled request may never be answered.
    if (line.cancels !== null && requests.take(line.cancels) !== undefined) host.onSettled();
    if (line.client !== null) client = line.client.slice(0, LONGEST_CLIENT_NAME);
    if (line.wantsReply) {
      if (host.isRetiring()) {
        // Not taken: the client keeps it for our successor.
        send(FRAME.retire, frame.seq, '');
        return;
      }
      if (requests.outstanding >= MOST_QUEUED) {
        const message = `more than ${MOST_QUEUED} requests of one session are waiting`;
        send(FRAME.reply, frame.seq, refuseRequest(line.idKey, message));
        return;
      }
      requests.add(line.idKey, frame.seq);
    }
    log.trace({ seq: frame.seq, method: line.method, tool: line.tool }, 'received');
    peer!.receive(frame.payload);
  }

  function sendMcp(message: string, inReplyTo?: string | number | null): void {
    // A line is one message to the client; JSON holds raw newlines only as blanks between tokens.
    // With its line feed, so that the proxy passes the bytes on uncopied.
    const line = `${/[\r\n]/.test(message) ? message.replace(/[\r\n]+/g, ' ') : message}\n`;
    const asked = inReplyTo === undefined ? undefined : takeAsked(JSON.stringify(inReplyTo));
    const seq = asked?.seq;
    // An answer that nobody waits for belongs to a cancelled request, unless it is about
    // a message whose id could not be read.
    if (inReplyTo !== undefined && inReplyTo !== null && seq === undefined) return;
    try {
      send(seq === undefined ? FRAME.mcp : FRAME.reply, seq ?? 0, line);
    } catch (error) {
      if (!(error instanceof FrameError) || seq === undefined) throw error;
      send(FRAME.reply, seq, refuseRequest(JSON.stringify(inReplyTo), error.message));
    }
    if (asked !== undefined) {
      calls += 1;
      host.onAnswered(performance.now() - asked.at);
      host.onSettled();
    }
  }

  function takeAsked(idKey: string): Asked | undefined {
    return hello!.surface === 'tui' ? requests.takeInOrder(idKey) : requests.take(idKey);
  }

  stream.readable.on('data', onData);
  stream.readable.on('end', () => void finish('client ended'));
  stream.readable.on('close', () => void finish('client closed'));
  stream.readable.on('error', () => void finish('read error'));
  stream.writable.on('error', () => void finish('write error'));
  stream.writable.on('drain', () => stream.readable.resume());
}

/** JSON-RPC server error of the implementation's own range (JSON-RPC 2.0 section 5.1). */
const OVERLOADED = -32000;

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

function refuseRequest(idKey: string, message: string): string {
  const data = '{"code":"limit_exceeded","retryable":true}';
  return `{"jsonrpc":"2.0","id":${idKey},"error":{"code":${OVERLOADED},"message":${JSON.stringify(message)},"data":${data}}}`;
}

/** Which member of a hello cannot be read, and the limit that it breaks. */
function explainHello(given: unknown, { issues }: z.ZodError): string {
  const [issue] = issues;
  if (given === undefined || issue === undefined || issue.path.length === 0) {
    return 'the first frame must be a hello that can be read';
  }
  return `the hello cannot be read: ${issue.path.join('.')}: ${issue.message}`;
}

function parseJson(payload: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(payload).toString('utf8'));
  } catch {
    return undefined;
  }
}
