import { JSONRPCServer } from 'json-rpc-2.0';
import { LecternError, toLecternError } from '../src/core/errors.ts';
import type { SessionContext } from '../src/mcp/surface.ts';
import type { AdminMethod } from '../src/protocol/admin/method.ts';
import { parseObject } from '../src/protocol/link/hello.ts';
import { packError } from '../src/protocol/rpc-error.ts';
import type { AdminHandlers } from './composition.ts';
import type { Log } from './log.ts';

/**
 * Requests of one administrator in work at a time; the others wait. `lectern top`
 * asks four things at once. Each may read a database or megabytes of log, so
 * hundreds at once would take every descriptor and all memory.
 */
const MOST_AT_ONCE = 8;

/** JSON-RPC server error of the implementation's own range (JSON-RPC 2.0 section 5.1). */
const OVERLOADED = -32000;

const INVALID_REQUEST = -32600;

/** The json-rpc-2.0 end of one admin session. */
export interface AdminPeer {
  /** One message, the JSON text of an `admin` frame. Bad input is answered. */
  receive(text: string): void;
  /** The client is gone: what waits is not begun. */
  close(): void;
  readonly inFlight: number;
  readonly answered: number;
}

/** Everything that administrators can ask. */
export interface ServedAdmin {
  handlers: AdminHandlers;
  /** By name; parameters are checked against them. */
  methods: ReadonlyMap<string, AdminMethod>;
}

/**
 * Serve one admin session; what it asks waits until `served` is there.
 *
 * @param mostWaiting requests received and not answered yet; one more is refused
 */
export function openAdminPeer(
  served: Promise<ServedAdmin>,
  session: SessionContext,
  send: (message: string) => void,
  log: Log,
  mostWaiting: number,
): AdminPeer {
  const waiting: string[] = [];
  let inWork = 0;
  let answered = 0;
  const server = new JSONRPCServer({
    errorListener: (message, cause) => log.debug({ cause: String(cause) }, message),
  });
  server.mapErrorToJSONRPCErrorResponse = (id, caught) => {
    const error = toLecternError(caught);
    if (error.category === 'internal')
      log.error({ err: caught, session: session.id }, error.message);
    return { jsonrpc: '2.0', id, error: packError(error) };
  };
  const ready = served.then(({ handlers, methods }) => {
    for (const [name, handle] of Object.entries(handlers)) {
      server.addMethodAdvanced(name, async (request) => {
        const params = checkParams(methods.get(name), request.params);
        const result = await handle(params, {
          session,
          progress: (what, done, total) =>
            send(
              JSON.stringify({
                jsonrpc: '2.0',
                method: 'progress',
                params: { id: request.id, what, done, total },
              }),
            ),
        });
        return { jsonrpc: '2.0', id: request.id ?? null, result: result ?? null };
      });
    }
  });

  function answerNext(): void {
    const text = inWork < MOST_AT_ONCE ? waiting.shift() : undefined;
    if (text === undefined) return;
    inWork += 1;
    void ready
      .then(() => server.receiveJSON(text))
      .then(
        (response) => {
          if (response !== null) send(JSON.stringify(response));
        },
        (error: unknown) => {
          // Nobody waits for ever, whatever became of the methods.
          log.error({ err: error, session: session.id }, 'an admin answer failed');
          refuse(readId(text), packError(toLecternError(error)));
        },
      )
      .then(() => {
        inWork -= 1;
        answered += 1;
        answerNext();
      });
  }

  function refuse(id: string | number | null, error: object): void {
    send(JSON.stringify({ jsonrpc: '2.0', id, error }));
  }

  return {
    get inFlight() {
      return inWork + waiting.length;
    },
    get answered() {
      return answered;
    },
    receive(text) {
      if (/^\s*\[/.test(text)) {
        const message = 'batches are not served; send one message a frame';
        refuse(null, { code: INVALID_REQUEST, message });
      } else if (inWork + waiting.length >= mostWaiting) {
        const message = `more than ${mostWaiting} requests of one session are waiting`;
        const data = { code: 'limit_exceeded', retryable: true };
        refuse(readId(text), { code: OVERLOADED, message, data });
      } else {
        waiting.push(text);
        answerNext();
      }
    },
    close() {
      waiting.length = 0;
    },
  };
}

function readId(text: string): string | number | null {
  return parseObject<{ id: string | number }>(Buffer.from(text))?.id ?? null;
}

function checkParams(method: AdminMethod | undefined, params: unknown): unknown {
  if (method === undefined) return params;
  const checked = method.params.safeParse(params ?? {});
  if (checked.success) return checked.data;
  const issue = checked.error.issues[0];
  const at = issue?.path.join('.') ?? '';
  throw new LecternError(
    'usage',
    `${method.method}: ${at === '' ? '' : `${at}: `}${issue?.message}`,
  );
}
