import { expect, onTestFinished, test } from 'vitest';
import type { LibraryScopes } from '../../daemon/http/library-scopes.ts';
import { listenHttp } from '../../daemon/http/listen.ts';
import { serveHttp } from '../../daemon/http/serve.ts';
import { openSilentLog } from '../../daemon/log.ts';
import { eventually } from '../eventually.ts';
import { ask, JSON_HEADERS } from './client.ts';

const TOKEN = 't'.repeat(43);
const HEADERS = { ...JSON_HEADERS, authorization: `Bearer ${TOKEN}` };

/** A service whose surface answers a request when the test says so. */
async function serveHere() {
  const waiting: ((response: Response) => void)[] = [];
  const aborted: Request[] = [];
  const listeners = new Set<() => void>();
  const scopes: LibraryScopes = {
    of: () => ({
      fetch: (request) =>
        new Promise((resolve) => {
          waiting.push(resolve);
          request.signal.addEventListener('abort', () => aborted.push(request));
        }),
      onPrompts(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      close: async () => {},
    }),
    close: async () => {},
  };
  const service = serveHttp(TOKEN, scopes, openSilentLog());
  const listener = await listenHttp({ host: '127.0.0.1', port: 0 }, service.handle);
  onTestFinished(() => listener.close());
  return { service, listener, url: listener.url, waiting, aborted, listeners };
}

test('more requests in work than the limit are turned away, and taken again later', async () => {
  const { url, waiting, service } = await serveHere();
  const inWork = Array.from({ length: 256 }, () => ask(url, { headers: HEADERS, body: '{}' }));
  await eventually(() => expect(waiting).toHaveLength(256));
  const refused = await ask(url, { headers: HEADERS, body: '{}' });
  expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
  for (const answer of waiting.splice(0)) answer(new Response('{}'));
  for (const { status } of await Promise.all(inWork)) expect(status).toBe(200);
  const taken = ask(url, { headers: HEADERS, body: '{}' });
  await eventually(() => expect(waiting).toHaveLength(1));
  waiting[0]!(new Response('{}'));
  expect((await taken).status).toBe(200);
  expect(service.answered).toBe(257);
});

test('draining answers what came before, refuses what comes after and ends streams', async () => {
  const { service, url, waiting, listeners } = await serveHere();
  const before = ask(url, { headers: HEADERS, body: '{}' });
  const stream = ask(url, { method: 'GET', headers: HEADERS });
  await eventually(() => {
    expect(waiting).toHaveLength(1);
    expect(listeners.size).toBe(1);
  });
  for (const listener of listeners) listener();
  let isDrained = false;
  const drained = service.drain(60_000).then(() => (isDrained = true));
  expect((await stream).body).toContain('notifications/prompts/list_changed');
  expect((await ask(url, { headers: HEADERS, body: '{}' })).status).toBe(503);
  expect(isDrained).toBe(false);
  waiting[0]!(new Response('{"done":true}'));
  expect((await before).body).toBe('{"done":true}');
  await drained;
  expect(listeners.size).toBe(0);
});

test('a client that goes away aborts its request', async () => {
  const { url, waiting, aborted, service } = await serveHere();
  const gone = new AbortController();
  const asked = fetch(url, { method: 'POST', headers: HEADERS, body: '{}', signal: gone.signal });
  asked.catch(() => {});
  await eventually(() => expect(waiting).toHaveLength(1));
  gone.abort();
  await eventually(() => expect(aborted).toHaveLength(1));
  waiting[0]!(new Response(null, { status: 499 }));
  await eventually(() => expect(service.inFlight).toBe(0));
});

test('a listener that is closed frees its port although a client is connected', async () => {
  const { url, listener, listeners } = await serveHere();
  const stream = ask(url, { method: 'GET', headers: HEADERS }).catch((error: Error) => error);
  await eventually(() => expect(listeners.size).toBe(1));
  await listener.close();
  await stream;
  const again = await listenHttp({ host: '127.0.0.1', port: Number(new URL(url).port) }, () => {});
  await again.close();
});
