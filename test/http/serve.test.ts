import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
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
async function serveHere(limits: Parameters<typeof listenHttp>[2] = {}) {
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
  const listener = await listenHttp({ host: '127.0.0.1', port: 0 }, service.handle, limits);
  onTestFinished(() => listener.close());
  return { service, listener, url: listener.url, waiting, aborted, listeners };
}

/** A connection that sends `count` POSTs at once and reads nothing. */
function pipeline(url: string, count: number, more = ''): Socket {
  const lines = Object.entries({ ...HEADERS, host: 'localhost', 'content-length': '2' });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  socket.pause();
  socket.write(`POST /mcp HTTP/1.1\r\n${head}${more}\r\n{}`.repeat(count));
  return socket;
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

test('draining turns away what has not arrived, and waits for none of it', async () => {
  const { service, url } = await serveHere();
  const sent = Array.from({ length: 20 }, () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    const lines = Object.entries({ ...HEADERS, host: 'localhost', 'content-length': '50' });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    socket.write(`POST /mcp HTTP/1.1\r\n${head}\r\n{`);
    return once(socket, 'data').then(([answer]) => String(answer));
  });
  await eventually(() => expect(service.inFlight).toBe(20));
  await service.drain(60_000);
  expect(service.inFlight).toBe(0);
  for (const answer of await Promise.all(sent)) expect(answer).toContain('503');
});

test('what draining gave up is not waited for anew', async () => {
  const { service, url, waiting } = await serveHere();
  ask(url, { headers: HEADERS, body: '{}' }).catch(() => {});
  await eventually(() => expect(waiting).toHaveLength(1));
  const first = service.drain(60_000);
  await service.drain(0);
  await first;
  expect(service.inFlight).toBe(1);
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

test('a client that goes away takes along the requests that wait behind its first', async () => {
  const { url, waiting, aborted, service } = await serveHere();
  const socket = pipeline(url, 20);
  await eventually(() => expect(waiting).toHaveLength(20));
  for (const answer of waiting.slice(1)) answer(new Response('{}'));
  socket.destroy();
  await eventually(() => expect(aborted).toHaveLength(20));
  waiting[0]!(new Response(null, { status: 499 }));
  await eventually(() => expect(service.inFlight).toBe(0));
});

test('streams for news are bounded by themselves, whatever their connection', async () => {
  const { url, waiting, aborted, service } = await serveHere();
  const asksForNews = { ...HEADERS, 'mcp-method': 'subscriptions/listen' };
  const socket = pipeline(url, 512, 'mcp-method: subscriptions/listen\r\n');
  await eventually(() => expect(waiting).toHaveLength(512));
  expect((await ask(url, { headers: asksForNews, body: '{}' })).status).toBe(503);
  expect((await ask(url, { method: 'GET', headers: HEADERS })).status).toBe(503);
  expect(service.inFlight).toBe(0);
  socket.destroy();
  await eventually(() => expect(aborted).toHaveLength(512));
  const again = ask(url, { headers: asksForNews, body: '{}' });
  await eventually(() => expect(waiting).toHaveLength(513));
  waiting[512]!(new Response('{}'));
  expect((await again).status).toBe(200);
});

test('a connection is closed after the answer where its client asks for that', async () => {
  const { url, waiting } = await serveHere();
  const socket = pipeline(url, 1, 'Connection: close\r\n').resume();
  await eventually(() => expect(waiting).toHaveLength(1));
  const headers = { connection: 'keep-alive', 'content-type': 'text/event-stream' };
  waiting[0]!(new Response('data: {}\n\n', { headers }));
  await once(socket, 'end');
});

test('a connection too many is asked to come back, and others go on', async () => {
  const { url, waiting } = await serveHere({ mostConnections: 2 });
  const inWork = [1, 2].map(() => ask(url, { headers: HEADERS, body: '{}' }));
  await eventually(() => expect(waiting).toHaveLength(2));
  const refused = await ask(url, { headers: HEADERS, body: '{}' });
  expect(refused).toMatchObject({
    status: 503,
    headers: { 'retry-after': '1', connection: 'close' },
  });
  for (const answer of waiting) answer(new Response('{}'));
  for (const { status } of await Promise.all(inWork)) expect(status).toBe(200);
});

test('a request that has not arrived in time is ended, in its head or in its body', async () => {
  const { url, service } = await serveHere({ requestMs: 600 });
  const lines = Object.entries({ ...HEADERS, host: 'localhost', 'content-length': '50' });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  for (const text of ['POST /mcp HTTP/1.1\r\nHost: loc', `POST /mcp HTTP/1.1\r\n${head}\r\n{`]) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket
      .on('error', () => {})
      .resume()
      .write(text);
    let isEnded = false;
    socket.once('close', () => (isEnded = true));
    await eventually(() => expect(isEnded).toBe(true));
  }
  await eventually(() => expect(service.inFlight).toBe(0));
});

test('a client that never reads its answer is cut off, and its place is free again', async () => {
  const { url, waiting, service } = await serveHere({ stalledMs: 300 });
  const socket = pipeline(url, 1);
  await eventually(() => expect(waiting).toHaveLength(1));
  // More than the kernel takes for one connection.
  waiting[0]!(new Response('x'.repeat(64 * 1024 * 1024)));
  await eventually(() => expect(service.inFlight).toBe(0));
  socket.resume();
  await once(socket, 'close');
});
