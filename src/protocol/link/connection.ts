import { FRAME, type Frame, FrameDecoder, type FrameKind } from './frames.ts';
import { type Hello, parseObject, type Refusal, type Welcome } from './hello.ts';
import { writeFrame } from './write-frame.ts';

/** The two directions of a connection: a socket, or a child's stdio. */
export interface Duplex {
  readable: NodeJS.ReadableStream;
  writable: NodeJS.WritableStream;
  /** Let go of both directions at once. */
  destroy(): void;
}

/** Sends one message before the welcome. */
export type SendEarly = (seq: number, payload: Uint8Array) => void;

export interface ConnectionEvents {
  onFrame(frame: Frame): void;
  /** Called once, after the last frame. */
  onClose(reason: string): void;
  /** Everything queued has left; called after `send` returned false. */
  onDrain?(): void;
  /**
   * The hello is out and the welcome is not here: `sendEarly` sends a message
   * without waiting for it. Only for what may be sent twice: a refused hello
   * leaves it unread, a daemon that dies before its welcome may have read it.
   */
  onHello?(sendEarly: SendEarly): void;
}

/** A connection whose welcome has come. */
export interface Connection {
  readonly welcome: Welcome;
  /** Numbers of the messages that were sent before the welcome. */
  readonly early: readonly number[];
  /** @returns false when the other side reads slower than we write */
  send(kind: FrameKind, seq: number, payload: Uint8Array | string): boolean;
  /** Read no more until `resume`: what the daemon sends waits in the kernel. */
  pause(): void;
  resume(): void;
  close(): void;
  /** On a stand-in for the daemon: whether the daemon can be reached again. */
  isReplaceable?(): boolean;
}

/** The daemon answered the hello with an `error` frame. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** No welcome within the exchange timeout: the process behind the socket is stopped or overloaded. */
export class SilentError extends Error {
  override readonly name = 'SilentError';
}

/** The connection ended before the welcome. */
export class HungUpError extends Error {
  override readonly name = 'HungUpError';
}

/**
 * Say hello and wait for the welcome.
 *
 * @throws RefusedError, SilentError, HungUpError; the stream is destroyed then
 */
export function openConnection(
  stream: Duplex,
  hello: Hello,
  events: ConnectionEvents,
  exchangeMs: number,
): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const decoder = new FrameDecoder();
    let connection: Connection | undefined;
    let isOver = false;
    const early: number[] = [];

    const finish = (error: Error) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      stream.destroy();
      if (connection === undefined) reject(error);
      else events.onClose(error.message);
    };
    const timer = setTimeout(
      () => finish(new SilentError(`no welcome within ${exchangeMs} ms`)),
      exchangeMs,
    );

    const receive = (frame: Frame) => {
      if (isOver) return;
      if (frame.kind === FRAME.error) {
        const refusal = parseObject<Refusal>(frame.payload);
        finish(
          new RefusedError({
            code: refusal?.code ?? 'bad_hello',
            message: refusal?.message ?? 'refused',
            ...(refusal?.rpc === undefined ? {} : { rpc: refusal.rpc }),
          }),
        );
      } else if (connection !== undefined) {
        events.onFrame(frame);
      } else if (frame.kind === FRAME.welcome) {
        clearTimeout(timer);
        connection = {
          welcome: parseWelcome(frame.payload),
          early,
          send,
          pause: () => stream.readable.pause(),
          resume: () => stream.readable.resume(),
          close: () => finish(new HungUpError('closed')),
        };
        resolve(connection);
      } else {
        finish(new HungUpError('something else than a welcome came first'));
      }
    };

    const send = (kind: FrameKind, seq: number, payload: Uint8Array | string): boolean => {
      return isOver || writeFrame(stream.writable, kind, seq, payload);
    };

    stream.readable.on('data', (chunk: Buffer) => {
      try {
        for (const frame of decoder.push(chunk)) receive(frame);
      } catch (error) {
        finish(error as Error);
      }
    });
    const hungUp = () => finish(new HungUpError('the daemon closed the connection'));
    stream.readable.on('end', hungUp);
    stream.readable.on('close', hungUp);
    stream.readable.on('error', finish);
    stream.writable.on('error', finish);
    stream.writable.on('drain', () => events.onDrain?.());
    send(FRAME.hello, 0, JSON.stringify(hello));
    events.onHello?.((seq, payload) => {
      if (isOver || connection !== undefined) return;
      send(FRAME.mcp, seq, payload);
      early.push(seq);
    });
  });
}

function parseWelcome(payload: Uint8Array): Welcome {
  const given = parseObject<Welcome>(payload) ?? {};
  return {
    protocol: given.protocol ?? 1,
    version: given.version ?? '0.0.0',
    features: given.features ?? [],
    limits: { messageBytes: 0, sessions: 0, queuedRequests: 0, ...given.limits },
    clock: given.clock ?? null,
    session: given.session ?? 0,
    pid: given.pid ?? 0,
  };
}
