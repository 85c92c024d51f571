import type { Config } from '../../src/core/config.ts';
import { readListenAddress } from '../../src/core/listen-address.ts';
import type { Scope } from '../../src/core/scope.ts';
import type { PartNote } from '../../src/library/parts.ts';
import type { LibraryService } from '../../src/mcp/library.ts';
import type { HttpStatus } from '../../src/protocol/admin/daemon-status.ts';
import type { StatePaths } from '../../src/protocol/link/state-paths.ts';
import type { Log } from '../log.ts';
import type { HttpListener } from './listen.ts';
import type { HttpService } from './serve.ts';
import { ensureHttpToken } from './token.ts';

/** When the port moves, what came to the old one is answered for so long (library contract 9.3). */
const DRAIN_MS = 5000;

/** A port that somebody else holds is tried again this often; nobody may be there to ask for it. */
const RETRY_MS = 30_000;

/** Whatever keeps it from listening, this is how it is tried again at once. */
const MENDED_BY = 'set http.listen to a free loopback address, then: lectern daemon reload';

/** Open subscriptions: no more than there may be connections. */
const MOST_SUBSCRIPTIONS = 512;

/** The library over loopback HTTP, open while `http.listen` is set. */
export interface HttpEndpoint {
  /** Null while `http.listen` is not set. */
  describe(): HttpStatus | null;
  /** What `status` should say; empty while all is well. */
  notes(): PartNote[];
  /** Open, close or move as the configuration says now. Never throws: a failure is in `describe`. */
  follow(config: Config): Promise<void>;
  /** Take no more requests; resolves when those that came are answered, or after `timeoutMs`. */
  drain(timeoutMs: number): Promise<void>;
}

interface Open {
  listener: HttpListener;
  service: HttpService;
  close(): Promise<void>;
}

export interface HttpEndpointOptions {
  library: LibraryService;
  paths: StatePaths;
  scope: Scope;
  log: Log;
  /** Home directory of the user whose daemon this is. */
  home: string | undefined;
}

/** An endpoint that is closed until it follows a configuration; the scope closes it. */
export function openHttpEndpoint(options: HttpEndpointOptions): HttpEndpoint {
  const { paths, scope, log } = options;
  let wanted: Config['http'];
  let open: Open | undefined;
  /** One whose port has moved, until what it took is answered. */
  let closing: Open | undefined;
  /** What `open` was opened with. */
  let stamp = '';
  let failure: string | null = null;
  let cancelRetry = () => {};
  let isEnding = false;
  /** Changes of the configuration are followed one after another. */
  let queue: Promise<void> = Promise.resolve();

  async function change(): Promise<void> {
    cancelRetry();
    const listen = wanted?.listen;
    try {
      const token = listen === undefined ? '' : ensureHttpToken(paths.httpToken);
      const next = JSON.stringify([listen, wanted?.allow_writes, token]);
      if (open !== undefined && next === stamp) return;
      await close();
      failure = null;
      if (listen === undefined || isEnding) return;
      open = await start(listen, token, wanted?.allow_writes === true);
      stamp = next;
      log.info({ url: open.listener.url }, 'listening for HTTP');
    } catch (error) {
      // A token that was taken away, and cannot be made anew, is not served on.
      await close();
      failure = explain(listen ?? '', error as NodeJS.ErrnoException);
      log.error({ err: error }, failure);
      if (!scope.isClosed)
        cancelRetry = scope.timeout(RETRY_MS, 'HTTP retry', () => void enqueue());
    }
  }

  function enqueue(): Promise<void> {
    queue = queue.then(change);
    return queue;
  }

  async function start(listen: string, token: string, allowsWrites: boolean): Promise<Open> {
    const address = readListenAddress(listen);
    if ('fault' in address) throw new Error(address.fault);
    // Most daemons never speak HTTP, and start sooner without its modules.
    const [{ openLibraryScopes }, { listenHttp }, { MAX_BODY_BYTES, serveHttp }] =
      await Promise.all([
        import('./library-scopes.ts'),
        import('./listen.ts'),
        import('./serve.ts'),
      ]);
    const scopes = openLibraryScopes(options.library, options.home, {
      maxBodyBytes: MAX_BODY_BYTES,
      maxSubscriptions: MOST_SUBSCRIPTIONS,
      ...(allowsWrites
        ? {}
        : {
            readOnlyReason:
              'this HTTP endpoint is read-only; http.allow_writes = true in config.toml changes that',
          }),
      onError: (error) => log.debug({ err: error }, 'a request was refused'),
    });
    const service = serveHttp(token, scopes, log);
    const listener = await listenHttp(address, service.handle).catch(async (error: unknown) => {
      await scopes.close();
      throw error;
    });
    return {
      listener,
      service,
      async close() {
        listener.stop();
        await service.drain(DRAIN_MS);
        await scopes.close();
        await listener.close();
      },
    };
  }

  async function close(): Promise<void> {
    closing = open;
    open = undefined;
    await closing?.close();
    closing = undefined;
  }

  async function drain(timeoutMs: number): Promise<void> {
    isEnding = true;
    open?.listener.stop();
    // What is over is not waited for anew: the databases have to be closed in time.
    await Promise.all([open?.service.drain(timeoutMs), closing?.service.drain(timeoutMs)]);
  }

  scope.own(
    undefined,
    async () => {
      cancelRetry();
      await drain(0);
      await queue;
      await close();
    },
    'HTTP endpoint',
  );
  return {
    describe: () =>
      wanted?.listen === undefined
        ? null
        : {
            url: open?.listener.url ?? null,
            tokenFile: paths.httpToken,
            allowsWrites: wanted.allow_writes === true,
            inFlight: open?.service.inFlight ?? 0,
            answered: open?.service.answered ?? 0,
            failure,
          },
    notes: () =>
      failure === null ? [] : [{ subsystem: 'http', diagnosis: failure, command: MENDED_BY }],
    follow(config) {
      wanted = config.http;
      return enqueue();
    },
    drain,
  };
}

function explain(listen: string, error: NodeJS.ErrnoException): string {
  const why =
    error.code === 'EADDRINUSE'
      ? 'another program listens there'
      : error.code === 'EACCES'
        ? 'this port is not for ordinary users'
        : error.message;
  return `nothing is served over HTTP on ${listen}: ${why}`;
}
