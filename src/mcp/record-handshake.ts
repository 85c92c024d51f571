import type { HandshakeSnapshot } from '../protocol/link/snapshot.ts';
import type { OpenSurface, SessionContext, SurfaceName } from './surface.ts';

/** Versions that clients ask for, the newest first (MCP, base protocol: lifecycle). */
const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'] as const;

/** A version that nobody has: what the surface offers instead. */
const NO_VERSION = '1999-01-01';

/** The revision whose requests name their version themselves. */
const STATELESS_VERSION = '2026-07-28';

/** Opening a server and answering takes milliseconds; a build must not hang on one. */
const ANSWER_MS = 10_000;

/**
 * Run a surface once and record what it answers to a handshake, so that a
 * proxy can answer the same while the daemon is still starting.
 */
export async function recordHandshake(
  surface: SurfaceName,
  open: OpenSurface,
  readOnlyTools: readonly string[],
): Promise<HandshakeSnapshot> {
  const initialize: Record<string, string> = {};
  for (const version of VERSIONS) {
    const [result] = await ask(surface, open, [initializeRequest(version)]);
    if (result === null || result === undefined) continue;
    if (JSON.parse(result).protocolVersion === version) initialize[version] = result;
  }
  const [other, toolsList] = await ask(surface, open, [
    initializeRequest(NO_VERSION),
    { method: 'tools/list', params: {} },
  ]);
  const [discover] = await ask(surface, open, [stateless('server/discover')]);
  const [toolsListStateless] = await ask(surface, open, [stateless('tools/list')]);
  return {
    surface,
    initialize,
    initializeOther: other ?? null,
    toolsList: toolsList ?? null,
    toolsListStateless: toolsListStateless ?? null,
    discover: discover ?? null,
    ping: '{}',
    readOnlyTools: [...readOnlyTools],
  };
}

interface Request {
  method: string;
  params: Record<string, unknown>;
}

function initializeRequest(protocolVersion: string): Request {
  const clientInfo = { name: 'lectern-build', version: '0' };
  return { method: 'initialize', params: { protocolVersion, capabilities: {}, clientInfo } };
}

function stateless(method: string): Request {
  return {
    method,
    params: {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': STATELESS_VERSION,
        'io.modelcontextprotocol/clientInfo': { name: 'lectern-build', version: '0' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  };
}

/** The results, as JSON text, of requests sent one after another; null for an error. */
async function ask(
  surface: SurfaceName,
  open: OpenSurface,
  requests: readonly Request[],
): Promise<(string | null)[]> {
  const waiting = new Map<number, (result: string | null) => void>();
  const peer = open(emptySession(surface), (message, inReplyTo) => {
    const { result } = JSON.parse(message) as { result?: unknown };
    waiting.get(inReplyTo as number)?.(result === undefined ? null : JSON.stringify(result));
  });
  const results: (string | null)[] = [];
  try {
    for (const [index, request] of requests.entries()) {
      const id = index + 1;
      const answer = new Promise<string | null>((resolve, reject) => {
        waiting.set(id, resolve);
        setTimeout(
          () => reject(new Error(`${surface}: no answer to ${request.method}`)),
          ANSWER_MS,
        ).unref();
      });
      peer.receive(Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, ...request })));
      results.push(await answer);
    }
    return results;
  } finally {
    await peer.close();
  }
}

function emptySession(surface: SurfaceName): SessionContext {
  return {
    id: 0,
    surface,
    workspaceFlag: null,
    harness: null,
    cwd: '/',
    env: {},
    pid: 0,
    readFile: () => Promise.reject(new Error('nothing is read while a handshake is recorded')),
  };
}
