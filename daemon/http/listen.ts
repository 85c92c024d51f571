import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { ListenAddress } from '../../src/core/listen-address.ts';

/** As many as sessions over the socket (design 5); each costs a descriptor. */
const MOST_CONNECTIONS = 512;

/** So many more are taken only to be asked to come back; past them there is no answer at all. */
const MOST_CROWDED = 512;

/** A request over loopback is here in milliseconds; this ends those who send a byte a second. */
const REQUEST_MS = 30_000;

/** How often in that time it is looked who has used it up. */
const CHECKS = 10;

/** Agents think for minutes between two calls; keeping their connection saves a handshake at most. */
const KEEP_ALIVE_MS = 60_000;

/**
 * A connection on which nothing moves for so long is cut: its client does not read
 * its answer, and holds the place of another's request. Work takes seconds, and
 * streams say every 15 s that they stand.
 */
const STALLED_MS = 60_000;

/** A server that listens. */
export interface HttpListener {
  url: string;
  /** Take no new connections, and close those that wait for a next request. */
  stop(): void;
  /** Cut what is open. Resolves when the port is free. */
  close(): Promise<void>;
}

/**
 * Listen on a loopback address.
 *
 * @param onRequest told whether the request's connection is one too many
 * @throws the socket's error: the port is taken, or sockets are not allowed here
 */
export async function listenHttp(
  { host, port }: ListenAddress,
  onRequest: (request: IncomingMessage, response: ServerResponse, isCrowded: boolean) => void,
  { mostConnections = MOST_CONNECTIONS, requestMs = REQUEST_MS, stalledMs = STALLED_MS } = {},
): Promise<HttpListener> {
  const crowd = new WeakSet<Socket>();
  let connections = 0;
  const server = createServer(
    {
      requestTimeout: requestMs,
      headersTimeout: requestMs / 2,
      // Node looks every 30 s by itself: what was to be ended by then could go on for another 30.
      connectionsCheckingInterval: requestMs / CHECKS,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    (request, response) => onRequest(request, response, crowd.has(request.socket)),
  );
  server.timeout = stalledMs;
  server.maxConnections = mostConnections + MOST_CROWDED;
  server.on('connection', (socket) => {
    connections += 1;
    if (connections > mostConnections) crowd.add(socket);
    socket.once('close', () => (connections -= 1));
    // Each request in work on it listens for its end, and clients may pipeline.
    socket.setMaxListeners(0);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, exclusive: true }, () => {
      server.off('error', reject);
      resolve();
    });
  });
  // Accept errors (EMFILE) are transient; the client tries again.
  server.on('error', () => {});
  const closed = new Promise<void>((resolve) => server.once('close', () => resolve()));
  const bound = server.address() as AddressInfo;
  const name = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address;
  return {
    url: `http://${name}:${bound.port}/mcp`,
    stop: () => server.close(),
    async close() {
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
