import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/server';

/** JSON-RPC 2.0 section 5.1. */
const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const INVALID_PARAMS = -32602;

/** Members of JSON-RPC's messages (sections 4 and 5). */
const MEMBERS = ['jsonrpc', 'id', 'method', 'params', 'result', 'error'] as const;

/** Delivers one message to the client; `inReplyTo` is the id that a response answers. */
export type SendRaw = (message: string, inReplyTo?: string | number | null) => void;

/**
 * The SDK's transport over the raw lines of one session. What cannot be read
 * as a message is answered, never thrown; requests are counted until they are
 * answered or cancelled.
 */
export class RawTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #send: SendRaw;
  readonly #waiting = new Map<string, number>();
  #inFlight = 0;

  constructor(send: SendRaw) {
    this.#send = send;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  async start(): Promise<void> {}

  async send(message: JSONRPCMessage): Promise<void> {
    const text = JSON.stringify(message);
    if ('method' in message) {
      this.#send(text);
      return;
    }
    const id = message.id ?? null;
    this.#settle(id);
    this.#send(text, id);
  }

  async close(): Promise<void> {
    this.#waiting.clear();
    this.#inFlight = 0;
    this.onclose?.();
  }

  /** One line of the client. */
  receive(bytes: Uint8Array): void {
    let message: unknown;
    try {
      message = JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString());
    } catch {
      this.#refuse(null, PARSE_ERROR, 'this line is not JSON');
      return;
    }
    const fault = findFault(message);
    if (fault !== undefined) {
      // A response to nothing of ours needs no answer; anything else does.
      if (fault.isAnswered) this.#refuse(fault.id, fault.code, fault.message);
      return;
    }
    const checked = withoutOtherMembers(message as object) as JSONRPCMessage & {
      id?: string | number;
      params?: unknown;
    };
    if ('method' in checked && checked.id !== undefined) this.#expect(checked.id);
    if ('method' in checked && checked.method === 'notifications/cancelled') {
      const cancelled = (checked.params as { requestId?: string | number } | undefined)?.requestId;
      if (cancelled !== undefined) this.#settle(cancelled);
    }
    this.onmessage?.(checked);
  }

  #refuse(id: string | number | null, code: number, message: string): void {
    this.#send(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }), id);
  }

  #expect(id: string | number): void {
    const key = JSON.stringify(id);
    this.#waiting.set(key, (this.#waiting.get(key) ?? 0) + 1);
    this.#inFlight++;
  }

  /** A client may use an id twice; each use is counted. */
  #settle(id: string | number | null): void {
    const key = JSON.stringify(id);
    const count = this.#waiting.get(key);
    if (count === undefined) return;
    if (count === 1) this.#waiting.delete(key);
    else this.#waiting.set(key, count - 1);
    this.#inFlight--;
  }
}

/** The SDK would drop a message with a member that it does not know, and the client would wait for ever. */
function withoutOtherMembers(message: object): object {
  const known: [string, unknown][] = [];
  for (const name of MEMBERS) {
    if (Object.hasOwn(message, name)) known.push([name, message[name as keyof typeof message]]);
  }
  return Object.fromEntries(known);
}

interface Fault {
  id: string | number | null;
  code: number;
  message: string;
  isAnswered: boolean;
}

/** Anything that the SDK takes, but for its parameters. */
const REQUEST = { jsonrpc: '2.0', id: 0, method: '' };

/** What keeps a JSON value from being one JSON-RPC message; undefined for a good one. */
function findFault(value: unknown): Fault | undefined {
  if (Array.isArray(value)) {
    return {
      id: null,
      code: INVALID_REQUEST,
      message: 'batches are not served; send one message a line',
      isAnswered: true,
    };
  }
  if (typeof value !== 'object' || value === null) {
    return {
      id: null,
      code: INVALID_REQUEST,
      message: 'a message must be an object',
      isAnswered: true,
    };
  }
  const message = value as Record<string, unknown>;
  const id = typeof message['id'] === 'string' || isId(message['id']) ? message['id'] : null;
  const fault = (text: string, code = INVALID_REQUEST): Fault => ({
    id: id as string | number | null,
    code,
    message: text,
    isAnswered: 'method' in message || !('result' in message || 'error' in message),
  });
  if (message['jsonrpc'] !== '2.0') return fault('`jsonrpc` must be "2.0"');
  if ('id' in message && id === null && 'method' in message) {
    return fault('`id` must be a string or an integer');
  }
  if ('method' in message) {
    if (typeof message['method'] !== 'string') return fault('`method` must be a string');
    const params = message['params'];
    const isObject = typeof params === 'object' && params !== null && !Array.isArray(params);
    if (params !== undefined && !isObject) return fault('`params` must be an object');
    // The SDK would take it for an answer, and the client would wait for one.
    if ('result' in message || 'error' in message) {
      return fault('a message has `method`, or `result` or `error`, not both');
    }
    // Of parameters the SDK checks `_meta` before it finds out who answers, and drops what it refuses.
    if (id !== null && isObject && '_meta' in params && !isJSONRPCRequest({ ...REQUEST, params })) {
      return fault(
        '`params._meta` must be an object, and its `progressToken` a string or an integer',
        INVALID_PARAMS,
      );
    }
    return undefined;
  }
  if (id === null || !('result' in message || 'error' in message)) {
    return fault('a message needs `method`, or `id` and `result` or `error`');
  }
  return undefined;
}

function isId(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value);
}
