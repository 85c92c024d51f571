import type { ServerResponse } from 'node:http';

/** A comment this often keeps proxies and sleeping clients from taking the stream for dead. */
const KEEP_ALIVE_MS = 15_000;

/**
 * The stream that a client of the revisions before 2026-07-28 opens with GET:
 * it carries `notifications/prompts/list_changed` and nothing else. Ends when
 * the client is `gone`, or by the returned function.
 */
export function openNews(
  target: ServerResponse,
  gone: AbortSignal,
  onPrompts: (listener: () => void) => () => void,
): () => void {
  target.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  target.flushHeaders();
  const stop = onPrompts(() => {
    const message = { jsonrpc: '2.0', method: 'notifications/prompts/list_changed' };
    target.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
  });
  const timer = setInterval(() => target.write(': here\n\n'), KEEP_ALIVE_MS);
  timer.unref();
  gone.addEventListener('abort', () => {
    clearInterval(timer);
    stop();
  });
  return () => target.end();
}
