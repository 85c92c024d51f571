import { connect, type Socket } from 'node:net';
import { FRAME, type Frame, FrameDecoder, type FrameKind } from '../../src/protocol/link/frames.ts';
import type { Hello } from '../../src/protocol/link/hello.ts';
import { encodeFrame } from '../protocol/encode-frame.ts';

/** A hello that the daemon admits, but for its token. */
export const plainHello: Omit<Hello, 'token'> = {
  protocol: 1,
  version: '1.0.0',
  role: 'mcp',
  surface: 'library',
  workspace: null,
  harness: null,
  flags: {},
  cwd: '/',
  env: {},
  pid: 1,
};

/** A socket that sends what it is told, and keeps every frame that comes. */
export class RawClient {
  readonly socket: Socket;
  readonly frames: Frame[] = [];
  readonly closed: Promise<void>;
  readonly #decoder = new FrameDecoder();
  readonly #listeners = new Set<() => void>();

  constructor(path: string) {
    this.socket = connect(path);
    this.socket.on('error', () => {});
    this.socket.on('data', (chunk) => {
      this.frames.push(...this.#decoder.push(chunk));
      for (const look of [...this.#listeners]) look();
    });
    this.closed = new Promise((resolve) => {
      this.socket.once('close', () => {
        resolve();
        for (const look of [...this.#listeners]) look();
      });
    });
  }

  send(kind: FrameKind, seq: number, payload: string | Uint8Array): void {
    this.socket.write(encodeFrame(kind, seq, payload));
  }

  hello(token: string, more: Partial<Hello> = {}): void {
    this.send(FRAME.hello, 0, JSON.stringify({ ...plainHello, token, ...more }));
  }

  call(seq: number, id: string | number, name: string, args: object = {}): void {
    const params = { name, arguments: args };
    this.send(FRAME.mcp, seq, JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }));
  }

  /** The first frame of `kind` (and number), once it is there; undefined when the connection closed without it. */
  frame(kind: FrameKind, seq?: number): Promise<Frame | undefined> {
    return new Promise((resolve) => {
      const look = () => {
        const found = this.frames.find(
          (f) => f.kind === kind && (seq === undefined || f.seq === seq),
        );
        if (found === undefined && !this.socket.destroyed) return;
        this.#listeners.delete(look);
        resolve(found);
      };
      this.#listeners.add(look);
      look();
    });
  }

  /** The refusal that the daemon closed with. */
  async refusal(): Promise<{ code: string; message: string } | undefined> {
    const frame = await this.frame(FRAME.error);
    return frame && JSON.parse(frame.payload.toString('utf8'));
  }
}

export function parsed(frame: Frame | undefined): Record<string, never> {
  return JSON.parse(frame!.payload.toString('utf8'));
}
