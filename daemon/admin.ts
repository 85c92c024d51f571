import { JSONRPCServer } from 'json-rpc-2.0';
import { LecternError, toLecternError } from '../src/core/errors.ts';
import type { SessionContext } from '../src/mcp/surface.ts';
import type { AdminMethod } from '../src/protocol/admin/method.ts';
import { parseObject } from '../src/protocol/link/hello.ts';
import { packError } from '../src/protocol/rpc-error.ts';
import type { AdminHandlers } from './composition.ts';
import type { Log } from './log.ts';

/** The json-rpc-2.0 end of one admin session. */
export interface AdminPeer {
  /** One message, the JSON text of an `admin` frame. Bad input is answered. */
  receive(text: string): void;
  readonly inFlight: number;
  readonly answered: number;
}

/** Everything that administrators can ask. */
export interface ServedAdmin {
  handlers: AdminHandlers;
  /** By name; parameters are checked against them. */
  methods: ReadonlyMap<string, AdminMethod>;
}

/** Serve one admin session; what it asks waits until `served` is there. */
export function openAdminPeer(
  served: Promise<ServedAdmin>,
  session: SessionContext,
  send: (message: string) => void,
  log: Log,
): AdminPeer {
  let inFlight = 0;
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
  return {
    get inFlight() {
      return inFlight;
    },
    get answered() {
      return answered;
    },
    receive(text) {
      inFlight += 1;
      void ready
        .then(() => server.receiveJSON(text))
        .then(
          (response) => {
            if (response !== null) send(JSON.stringify(response));
          },
          (error: unknown) => {
            log.error({ err: error, session: session.id }, 'an admin answer failed');
            send(JSON.stringify(answerFailure(text, error)));
          },
        )
        .then(() => {
          inFlight -= 1;
          answered += 1;
        });
    },
  };
}

/** Nobody waits for ever, whatever became of the methods. */
function answerFailure(text: string, caught: unknown) {
  const id = parseObject<{ id: string | number }>(Buffer.from(text))?.id ?? null;
  return { jsonrpc: '2.0', id, error: packError(toLecternError(caught)) };
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
