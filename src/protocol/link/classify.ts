import type { Surface } from './hello.ts';

/** What proxy and session must know of a client's line; nothing of it is changed. */
export interface ClientLine {
  /** False when it is not JSON. */
  isJson: boolean;
  isBatch: boolean;
  hasId: boolean;
  /** Exactly one answer will come for it. */
  wantsReply: boolean;
  /** `JSON.stringify` of the id, `null` when it has none: how an answer finds its request. */
  idKey: string;
  method: string | null;
  /** `params.name` of a tools/call. */
  tool: string | null;
  /** `clientInfo.name` of an initialize. */
  client: string | null;
  /** Id of the request that a notifications/cancelled names; on tui notifications do nothing (U-214). */
  cancels: string | null;
  /** A request that its client keeps open on purpose, and that holds up no exit; tui knows none (U-215). */
  isOpenEnded: boolean;
  /** An answer to a request of the server's own. */
  isResponse: boolean;
  /** The request names its protocol version itself (2026-07-28 and later: no handshake). */
  isStateless: boolean;
}

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';

/**
 * Read what a line is.
 *
 * On the tui surface every line that is not a well-formed notification is
 * answered, even one that is not JSON (U-213, U-214).
 */
export function classifyLine(line: Uint8Array, surface: Surface): ClientLine {
  let value: unknown;
  let isJson = true;
  try {
    value = JSON.parse(Buffer.from(line.buffer, line.byteOffset, line.byteLength).toString('utf8'));
  } catch {
    isJson = false;
  }
  const message = asObject(value);
  const params = asObject(message?.['params']);
  const method = typeof message?.['method'] === 'string' ? message['method'] : null;
  const hasId = message !== undefined && 'id' in message;
  const isNotification =
    message !== undefined && message['jsonrpc'] === '2.0' && method !== null && !hasId;
  const hasGoodId =
    hasId && (typeof message['id'] === 'string' || Number.isSafeInteger(message['id']));
  const name = method === 'tools/call' ? params?.['name'] : undefined;
  const client = method === 'initialize' ? asObject(params?.['clientInfo'])?.['name'] : undefined;
  return {
    isJson,
    isBatch: Array.isArray(value),
    hasId,
    // MCP, base protocol: a request's id is a string or an integer. tui echoes any JSON value (U-212).
    wantsReply: surface === 'tui' ? !isNotification : hasGoodId && method !== null,
    idKey: hasId ? (JSON.stringify(message['id']) ?? 'null') : 'null',
    method,
    tool: typeof name === 'string' ? name : null,
    client: typeof client === 'string' && client !== '' ? client : null,
    cancels:
      surface !== 'tui' &&
      method === 'notifications/cancelled' &&
      params !== undefined &&
      'requestId' in params
        ? (JSON.stringify(params['requestId']) ?? null)
        : null,
    isOpenEnded: surface !== 'tui' && method === 'subscriptions/listen',
    isResponse: method === null && hasId && (hasOwn(message, 'result') || hasOwn(message, 'error')),
    isStateless: asObject(params?.['_meta'])?.[VERSION_KEY] !== undefined,
  };
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

function hasOwn(message: object, key: string): boolean {
  return Object.hasOwn(message, key);
}
