import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../log.ts';
import { judgeOrigin, judgeToken, type Refusal } from './authorise.ts';
import { readBody, toWebRequest, writeRefusal, writeWebResponse } from './exchange.ts';
import type { Asker, LibraryScopes } from './library-scopes.ts';
import { openNews } from './news.ts';

/** The longest query is 4,096 characters and arguments of prompts are lines: this is plenty. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** Requests in work at one time, over all clients; as many as one session over the socket may queue. */
const MOST_IN_FLIGHT = 256;

const PATH = '/mcp';
const PARAMETERS = ['workspace', 'harness'];

/** Requests of HTTP clients, from their arrival to their answer. */
export interface HttpService {
  handle(request: IncomingMessage, response: ServerResponse): void;
  readonly inFlight: number;
  readonly answered: number;
  /** Take nothing more and end the streams; resolves when all is answered, or after `timeoutMs`. */
  drain(timeoutMs: number): Promise<void>;
}

/** @param scopes closed by whoever opened them, after `drain` */
export function serveHttp(token: string, scopes: LibraryScopes, log: Log): HttpService {
  const news = new Set<() => void>();
  let inFlight = 0;
  let answered = 0;
  let isDraining = false;
  let onIdle = () => {};

  function judge(request: IncomingMessage, url: URL): Refusal | undefined {
    const { headers, method } = request;
    const fromPage = judgeOrigin(headers);
    if (fromPage !== undefined) return fromPage;
    if (url.pathname !== PATH) return { status: 404, message: `there is only ${PATH} here` };
    const byToken = judgeToken(headers, token);
    if (byToken !== undefined) return byToken;
    const unknown = [...url.searchParams.keys()].find((name) => !PARAMETERS.includes(name));
    if (unknown !== undefined) {
      const message = `unknown parameter "${unknown}"; there is: ${PARAMETERS.join(', ')}`;
      return { status: 400, message };
    }
    // Sessions are not numbered here, so there is none to end with DELETE.
    if (method !== 'POST' && method !== 'GET') {
      return { status: 405, message: 'only POST and GET', headers: { allow: 'GET, POST' } };
    }
    if (isDraining || inFlight >= MOST_IN_FLIGHT) {
      const message = isDraining ? 'the daemon is about to end' : 'too many requests are waiting';
      const headers = { 'retry-after': '1', ...(isDraining ? { connection: 'close' } : {}) };
      return { status: 503, message, headers };
    }
    return undefined;
  }

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    target: URL,
    asker: Asker,
  ): Promise<void> {
    const body = await readBody(request, MAX_BODY_BYTES);
    if (body === undefined) {
      const message = `a request has at most ${MAX_BODY_BYTES} bytes`;
      writeRefusal({ status: 413, message }, response);
      return;
    }
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const answer = await scopes.of(asker).fetch(toWebRequest(request, target, body, gone.signal));
    await writeWebResponse(answer, response);
  }

  function listen(response: ServerResponse, asker: Asker): void {
    const end = openNews(response, (listener) => scopes.of(asker).onPrompts(listener));
    news.add(end);
    response.once('close', () => news.delete(end));
  }

  function handle(request: IncomingMessage, response: ServerResponse): void {
    response.on('error', () => {});
    const url = readTarget(request.url);
    const refusal = judge(request, url);
    if (refusal !== undefined) {
      log.debug({ status: refusal.status, method: request.method }, refusal.message);
      writeRefusal(refusal, response);
      return;
    }
    const asker = {
      workspace: url.searchParams.get('workspace'),
      harness: url.searchParams.get('harness'),
    };
    if (request.method === 'GET') {
      listen(response, asker);
      return;
    }
    // A subscription lasts as long as its client; draining ends it instead of waiting for it.
    const isCounted = request.headers['mcp-method'] !== 'subscriptions/listen';
    if (isCounted) inFlight += 1;
    answer(request, response, url, asker)
      .catch((error: unknown) => {
        if (!response.destroyed) log.error({ err: error }, 'a request failed');
        response.destroy();
      })
      .finally(() => {
        if (!isCounted) return;
        inFlight -= 1;
        answered += 1;
        if (inFlight === 0) onIdle();
      });
  }

  return {
    handle,
    get inFlight() {
      return inFlight;
    },
    get answered() {
      return answered;
    },
    drain(timeoutMs) {
      isDraining = true;
      for (const end of news) end();
      if (inFlight === 0) return Promise.resolve();
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, timeoutMs);
        onIdle = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    },
  };
}

/** The path and query of a request; what cannot be read is the root, which is nobody. */
function readTarget(target: string | undefined): URL {
  try {
    return new URL(target ?? '', 'http://localhost');
  } catch {
    return new URL('http://localhost/');
  }
}
