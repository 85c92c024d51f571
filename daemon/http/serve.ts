import { setMaxListeners } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Log } from '../log.ts';
import { judgeOrigin, judgeToken, type Refusal } from './authorise.ts';
import { readBody, toWebRequest, watchClient, writeRefusal, writeWebResponse } from './exchange.ts';
import type { Asker, LibraryScopes } from './library-scopes.ts';
import { openNews } from './news.ts';

/** The longest query is 4,096 characters and arguments of prompts are lines: this is plenty. */
export const MAX_BODY_BYTES = 1024 * 1024;

/** Requests in work at one time, over all clients; as many as one session over the socket may queue. */
const MOST_IN_FLIGHT = 256;

/** Streams that wait for news, over all clients: as many as there are connections (design 5). */
const MOST_STREAMS = 512;

const PATH = '/mcp';
const PARAMETERS = ['workspace', 'harness'];

const ABOUT_TO_END = comeBack('the daemon is about to end', true);

/** Requests of HTTP clients, from their arrival to their answer. */
export interface HttpService {
  /** @param isCrowded its connection is one too many, and closes with the answer */
  handle(request: IncomingMessage, response: ServerResponse, isCrowded: boolean): void;
  readonly inFlight: number;
  readonly answered: number;
  /**
   * Take nothing more and end the streams; resolves when all is answered, or after
   * `timeoutMs`. Asked again, the shorter time holds, and what is over is not waited for anew.
   */
  drain(timeoutMs: number): Promise<void>;
}

/** @param scopes closed by whoever opened them, after `drain` */
export function serveHttp(token: string, scopes: LibraryScopes, log: Log): HttpService {
  const news = new Set<() => void>();
  let inFlight = 0;
  let streams = 0;
  let answered = 0;
  const draining = new AbortController();
  // Each request on its way listens for it.
  setMaxListeners(0, draining.signal);
  let endDraining = () => {};
  const drained = new Promise<void>((resolve) => {
    endDraining = resolve;
  });

  function judge(request: IncomingMessage, url: URL, isCrowded: boolean): Refusal | undefined {
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
    const isFull = isStream(request) ? streams >= MOST_STREAMS : inFlight >= MOST_IN_FLIGHT;
    if (draining.signal.aborted) return ABOUT_TO_END;
    if (isCrowded) return comeBack('too many connections are open', true);
    return isFull ? comeBack('too many requests are waiting', false) : undefined;
  }

  async function answer(
    request: IncomingMessage,
    response: ServerResponse,
    target: URL,
    asker: Asker,
    gone: AbortSignal,
  ): Promise<void> {
    const body = await readBody(request, MAX_BODY_BYTES, draining.signal);
    if (body === undefined) {
      const message = `a request has at most ${MAX_BODY_BYTES} bytes`;
      writeRefusal(draining.signal.aborted ? ABOUT_TO_END : { status: 413, message }, response);
      return;
    }
    const scope = scopes.of(asker, gone);
    const answer = await scope.fetch(toWebRequest(request, target, body, gone));
    await writeWebResponse(answer, response, gone);
  }

  function listen(response: ServerResponse, asker: Asker, gone: AbortSignal): void {
    const end = openNews(response, gone, (listener) => scopes.of(asker, gone).onPrompts(listener));
    news.add(end);
    gone.addEventListener('abort', () => news.delete(end));
  }

  function handle(request: IncomingMessage, response: ServerResponse, isCrowded: boolean): void {
    response.on('error', () => {});
    const url = readTarget(request.url);
    const refusal = judge(request, url, isCrowded);
    if (refusal !== undefined) {
      log.debug({ status: refusal.status, method: request.method }, refusal.message);
      writeRefusal(refusal, response);
      return;
    }
    const asker = {
      workspace: url.searchParams.get('workspace'),
      harness: url.searchParams.get('harness'),
    };
    const gone = watchClient(request, response);
    if (gone.aborted) return;
    // A subscription lasts as long as its client; draining ends it instead of waiting for it.
    const isOpenEnded = isStream(request);
    if (isOpenEnded) {
      streams += 1;
      gone.addEventListener('abort', () => (streams -= 1));
    } else {
      inFlight += 1;
    }
    if (request.method === 'GET') {
      listen(response, asker, gone);
      return;
    }
    answer(request, response, url, asker, gone)
      .catch((error: unknown) => {
        if (!gone.aborted) log.error({ err: error }, 'a request failed');
        request.socket.destroy();
      })
      .finally(() => {
        if (isOpenEnded) return;
        inFlight -= 1;
        answered += 1;
        if (draining.signal.aborted && inFlight === 0) endDraining();
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
      draining.abort();
      for (const end of news) end();
      if (inFlight === 0) endDraining();
      const timer = setTimeout(endDraining, timeoutMs);
      void drained.then(() => clearTimeout(timer));
      return drained;
    },
  };
}

function comeBack(message: string, closes: boolean): Refusal {
  const headers = { 'retry-after': '1', ...(closes ? { connection: 'close' } : {}) };
  return { status: 503, message, headers };
}

/** Whether a request asks for news, in either era. */
function isStream({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' || headers['mcp-method'] === 'subscriptions/listen';
}

/** The path and query of a request; what cannot be read is the root, which is nobody. */
function readTarget(target: string | undefined): URL {
  try {
    return new URL(target ?? '', 'http://localhost');
  } catch {
    return new URL('http://localhost/');
  }
}
