import type { OpenSurface, SessionContext, SurfacePeer } from '../src/mcp/surface.ts';
import { classifyLine } from '../src/protocol/link/classify.ts';
import { FRAME, type Frame, FrameError, type FrameKind } from '../src/protocol/link/frames.ts';
import { AskedRequests } from './asked-requests.ts';
import type { Log } from './log.ts';

/** Requests of one session received and not answered. Proxies stop reading their client before this. */
export const MOST_QUEUED = 256;

/** Of a client's own name: what a table can show; a name is not a place to keep megabytes in. */
const LONGEST_CLIENT_NAME = 64;

/** JSON-RPC server error of the implementation's own range (JSON-RPC 2.0 section 5.1). */
const OVERLOADED = -32000;

/** Whoever must know how requests fare. */
export interface ExchangeHost {
  isRetiring(): boolean;
  /** A request was answered, `ms` after it had come. */
  onAnswered(ms: number): void;
  /** A request was answered, or the session ended: what waits for idleness looks again. */
  onSettled(): void;
}

export interface ExchangeParts {
  context: SessionContext;
  open: OpenSurface;
  host: ExchangeHost;
  /** Write one frame; `payload` may be too large for one. */
  send(kind: FrameKind, seq: number, payload: Uint8Array | string): void;
  log: Log;
}

/** The MCP messages of one session, and which answer belongs to which request. */
export class McpExchange {
  readonly #parts: ExchangeParts;
  readonly #requests = new AskedRequests();
  readonly #peer: SurfacePeer;
  #answered = 0;
  #client: string | null = null;

  constructor(parts: ExchangeParts) {
    this.#parts = parts;
    this.#peer = parts.open(parts.context, (message, inReplyTo) => this.#send(message, inReplyTo));
  }

  get inFlight(): number {
    return this.#requests.outstanding;
  }

  get answered(): number {
    return this.#answered;
  }

  /** What the client calls itself; null until it has said so. */
  get client(): string | null {
    return this.#client;
  }

  /** One message of the client. */
  receive({ seq, payload }: Frame): void {
    const { context, host, send, log } = this.#parts;
    const line = classifyLine(payload, context.surface);
    // A cancelled request may never be answered.
    if (line.cancels !== null && this.#requests.take(line.cancels) !== undefined) host.onSettled();
    if (line.client !== null) this.#client = line.client.slice(0, LONGEST_CLIENT_NAME);
    if (line.wantsReply) {
      if (host.isRetiring()) {
        // Not taken: the client keeps it for our successor.
        send(FRAME.retire, seq, '');
        return;
      }
      if (this.#requests.outstanding >= MOST_QUEUED) {
        const message = `more than ${MOST_QUEUED} requests of one session are waiting`;
        send(FRAME.reply, seq, refuseRequest(line.idKey, message));
        return;
      }
      this.#requests.add(line.idKey, seq);
    }
    log.trace({ seq, method: line.method, tool: line.tool }, 'received');
    this.#peer.receive(payload);
  }

  /** Nothing is waited for any more. */
  async close(): Promise<void> {
    this.#requests.clear();
    await this.#peer.close();
  }

  #send(message: string, inReplyTo?: string | number | null): void {
    const { host, send } = this.#parts;
    if (inReplyTo === undefined) {
      send(FRAME.mcp, 0, toLine(message));
      return;
    }
    const idKey = JSON.stringify(inReplyTo);
    const asked = this.#takeAsked(idKey);
    if (asked === undefined) {
      // An answer that nobody waits for belongs to a cancelled request, unless it is about
      // a message whose id could not be read.
      if (inReplyTo === null) send(FRAME.mcp, 0, toLine(message));
      return;
    }
    try {
      send(FRAME.reply, asked.seq, toLine(message));
    } catch (error) {
      if (!(error instanceof FrameError)) throw error;
      send(FRAME.reply, asked.seq, refuseRequest(idKey, error.message));
    }
    this.#answered += 1;
    host.onAnswered(performance.now() - asked.at);
    host.onSettled();
  }

  #takeAsked(idKey: string) {
    const isInOrder = this.#parts.context.surface === 'tui';
    return isInOrder ? this.#requests.takeInOrder(idKey) : this.#requests.take(idKey);
  }
}

/**
 * A line is one message to the client; JSON holds raw newlines only as blanks between tokens.
 * With its line feed, so that the proxy passes the bytes on uncopied.
 */
function toLine(message: string): string {
  return `${/[\r\n]/.test(message) ? message.replace(/[\r\n]+/g, ' ') : message}\n`;
}

function refuseRequest(idKey: string, message: string): string {
  const data = '{"code":"limit_exceeded","retryable":true}';
  return `{"jsonrpc":"2.0","id":${idKey},"error":{"code":${OVERLOADED},"message":${JSON.stringify(message)},"data":${data}}}`;
}
