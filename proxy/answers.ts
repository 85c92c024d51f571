import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientLine } from '../src/protocol/link/classify.ts';
import type { Refusal, Surface } from '../src/protocol/link/hello.ts';
import { emptySnapshot, type HandshakeSnapshot } from '../src/protocol/link/snapshot.ts';

/** JSON-RPC 2.0 section 5.1. */
export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
const INTERNAL_ERROR = -32603;

/** The tool that shows whether another one took effect. */
const CHECKED_WITH: Record<string, string> = {
  install_skills: 'installed_skills',
  update_skills: 'installed_skills',
  remove_skills: 'installed_skills',
  publish_skill: 'search_skills',
  meta: 'status',
};

/** The handshake recorded at build time; an empty one when the build has none. */
export function loadSnapshot(surface: Surface): HandshakeSnapshot {
  try {
    const file = join(import.meta.dirname, 'snapshots', `${surface}.json`);
    return { ...emptySnapshot(surface), ...JSON.parse(readFileSync(file, 'utf8')) };
  } catch {
    return emptySnapshot(surface);
  }
}

type FindResult = (
  snapshot: HandshakeSnapshot,
  params: Record<string, unknown> | null | undefined,
  line: ClientLine,
) => string | null | undefined;

/** Methods that a record may answer; by nothing when only a daemon can tell. */
const RECORDED = new Map<string | null, FindResult>([
  ['ping', ({ ping }) => ping],
  [
    'initialize',
    ({ initialize, initializeOther }, params) => {
      const asked = params?.['protocolVersion'];
      const isKnown = typeof asked === 'string' && Object.hasOwn(initialize, asked);
      return isKnown ? initialize[asked] : initializeOther;
    },
  ],
  [
    'tools/list',
    ({ toolsList, toolsListStateless }, params, { isStateless }) => {
      if (params?.['cursor'] !== undefined) return undefined;
      return isStateless ? toolsListStateless : toolsList;
    },
  ],
  ['server/discover', ({ discover }) => discover],
]);

/** The answer to a handshake request without a daemon; undefined when only a daemon can tell. */
export function answerFromSnapshot(
  snapshot: HandshakeSnapshot,
  line: ClientLine,
  text: Uint8Array,
): string | undefined {
  const findResult = RECORDED.get(line.method);
  if (findResult === undefined) return undefined;
  // An id that JSON.stringify would not give back as it came, such as 1.0, is left to the daemon.
  if (!/^(-?\d{1,15}|".*"|null)$/.test(line.idKey) || !containsOnce(text, line.idKey)) return;
  const { jsonrpc, params } = JSON.parse(Buffer.from(text).toString('utf8'));
  // Each surface has its own words for what is no request.
  if (jsonrpc !== '2.0') return undefined;
  const result = findResult(snapshot, params, line) ?? undefined;
  return result && `{"jsonrpc":"2.0","id":${line.idKey},"result":${result}}`;
}

/** The id stands in the line as it would be written back, after an `"id":`. */
function containsOnce(text: Uint8Array, idKey: string): boolean {
  const line = Buffer.from(text).toString('utf8');
  const matches = line.match(/"id"\s*:\s*[^\s,}]/g) ?? [];
  const after = line.slice(line.search(/"id"\s*:/)).replace(/^"id"\s*:\s*/, '');
  return (
    matches.length === 1 && after.startsWith(idKey) && /^[\s,}]/.test(after.slice(idKey.length))
  );
}

/**
 * Answer to a request that a daemon took and did not answer.
 *
 * @param how what the daemon did instead
 */
export function outcomeUnknown(line: ClientLine, how = 'ended'): string {
  const what = line.tool ?? line.method ?? 'the request';
  const check = line.tool === null ? undefined : CHECKED_WITH[line.tool];
  const advice = check === undefined ? 'Look at its effects' : `Check with ${check}`;
  return errorAnswer(
    line.idKey,
    INTERNAL_ERROR,
    `lectern's daemon ${how} while ${what} was running, so its outcome is unknown. ${advice} before trying again.`,
    { code: 'outcome_unknown', retryable: false },
  );
}

/** Answer to a request that no daemon took. */
export function notTaken(line: ClientLine, why: string): string {
  return errorAnswer(
    line.idKey,
    INTERNAL_ERROR,
    `lectern's daemon cannot be reached, so nothing was done: ${why}. Try again, or run "lectern doctor".`,
    { code: 'daemon_unreachable', retryable: true },
  );
}

/** Answer to a request of a session that was refused for what it asks for; asking again changes nothing. */
export function notServed(line: ClientLine, surface: Surface, refusal: Refusal): string {
  if (refusal.rpc !== undefined) {
    const { code, message, data } = refusal.rpc;
    return errorAnswer(line.idKey, code, message, data);
  }
  return errorAnswer(
    line.idKey,
    INTERNAL_ERROR,
    `this version of lectern has no ${surface} surface; without --surface it serves the library`,
    { code: 'unsupported_surface', retryable: false },
  );
}

/** One JSON-RPC error. `idKey` is JSON text. */
export function errorAnswer(
  idKey: string,
  code: number,
  message: string,
  data?: Record<string, unknown>,
): string {
  return JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(idKey), error: { code, message, data } });
}
