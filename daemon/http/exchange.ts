import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import type { Refusal } from './authorise.ts';

/** JSON-RPC server error of the implementation's own range (JSON-RPC 2.0 section 5.1). */
const REFUSED = -32000;

/**
 * The body of a request; undefined when it is longer than `maxBytes`, or not all
 * here when `cut` is aborted. What is left of it is read and dropped by Node once
 * the answer is written, bounded by the server's request timeout.
 */
export async function readBody(
  request: IncomingMessage,
  maxBytes: number,
  cut: AbortSignal,
): Promise<Buffer | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return undefined;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const giveUp = () => {
      request.off('data', onData);
      resolve(undefined);
    };
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > maxBytes) giveUp();
      else chunks.push(chunk);
    };
    request.on('data', onData);
    request.once('end', () => resolve(Buffer.concat(chunks)));
    request.once('error', reject);
    cut.addEventListener('abort', giveUp);
    request.once('close', () => {
      cut.removeEventListener('abort', giveUp);
      reject(new Error('the client is gone'));
    });
  });
}

/**
 * Aborted once the client is gone or has its answer, whichever comes first. An
 * answer that waits behind another one of its connection has no socket yet, and is
 * told nothing when that closes; so the connection itself is watched.
 */
export function watchClient(request: IncomingMessage, response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  const { socket } = request;
  const leave = () => {
    socket.off('close', leave);
    gone.abort();
  };
  socket.once('close', leave);
  response.once('close', leave);
  if (socket.closed) leave();
  return gone.signal;
}

/** The request as the SDK takes it. `signal` is aborted when the client goes away. */
export function toWebRequest(
  request: IncomingMessage,
  target: URL,
  body: Buffer,
  signal: AbortSignal,
): Request {
  const headers = new Headers();
  for (let at = 0; at < request.rawHeaders.length; at += 2) {
    headers.append(request.rawHeaders[at]!, request.rawHeaders[at + 1]!);
  }
  return new Request(target, {
    method: request.method!,
    headers,
    body: request.method === 'POST' ? new Uint8Array(body) : null,
    signal,
  });
}

/** Write the SDK's response, streamed or whole. Resolves when it is out or the client `gone`. */
export async function writeWebResponse(
  response: Response,
  target: ServerResponse,
  gone: AbortSignal,
): Promise<void> {
  const headers = Object.fromEntries(response.headers);
  // Whether the connection stays is between Node and the client, who may have asked to close it.
  delete headers['connection'];
  target.writeHead(response.status, headers);
  if (response.body === null) {
    target.end();
    return;
  }
  // A stream may have nothing to say for a long time; its client wants to know that it stands.
  target.flushHeaders();
  const body = Readable.fromWeb(response.body as ReadableStream<Uint8Array>);
  // Fails only by the client going away, which the signal of its request has told already. That
  // is waited for beside it: a target that never had a socket tells of no end.
  const isOut = pipeline(body, target, { signal: gone }).catch(() => {});
  await Promise.race([isOut, gone.aborted || once(gone, 'abort')]);
}

/** Turn a request away, in the form in which MCP clients read errors. */
export function writeRefusal(refusal: Refusal, target: ServerResponse): void {
  const error = { code: REFUSED, message: refusal.message };
  const text = JSON.stringify({ jsonrpc: '2.0', id: null, error });
  target.writeHead(refusal.status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...refusal.headers,
  });
  target.end(text);
}
