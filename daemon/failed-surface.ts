import { type LecternError, toRpcError } from '../src/core/errors.ts';
import type { OpenSurface } from '../src/mcp/surface.ts';
import { classifyLine } from '../src/protocol/link/classify.ts';
import type { Composition } from './composition.ts';

/** Offered when a client asks for no version that can be read. */
const FALLBACK_VERSION = '2025-11-25';

/**
 * What is served when the state cannot be opened: every handshake succeeds, so
 * that the host shows a server and not a crash, and every request is answered
 * with the failure (design 14, L-178).
 */
export function composeFailure(failure: LecternError): Composition {
  const open = failedSurface(failure);
  const fail = async () => {
    throw failure;
  };
  return {
    surfaces: { library: open, registry: open },
    // A person must read why, and not that the daemon does not know the method.
    admin: async () => {
      const { COMPOSED_METHODS: methods } = await import('./composed-methods.ts');
      return { methods, handlers: Object.fromEntries(methods.map(({ method }) => [method, fail])) };
    },
  };
}

function failedSurface(failure: LecternError): OpenSurface {
  return (context, send) => ({
    inFlight: 0,
    close: async () => {},
    receive(bytes) {
      const line = classifyLine(bytes, context.surface);
      if (!line.wantsReply) return;
      const message = JSON.parse(Buffer.from(bytes).toString('utf8'));
      const answer =
        line.method === 'ping'
          ? { result: {} }
          : line.method === 'initialize'
            ? { result: describe(failure, message.params?.protocolVersion) }
            : { error: toRpcError(failure) };
      send(JSON.stringify({ jsonrpc: '2.0', id: message.id, ...answer }), message.id);
    },
  });
}

function describe(failure: LecternError, asked: unknown): object {
  return {
    protocolVersion: typeof asked === 'string' ? asked : FALLBACK_VERSION,
    capabilities: { tools: {} },
    serverInfo: { name: 'lectern', version: '0' },
    instructions: `lectern could not start: ${failure.message}. Next: ${failure.next ?? 'lectern doctor'}`,
  };
}
