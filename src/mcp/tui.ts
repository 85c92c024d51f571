import { VERSION } from '../core/version.ts';
import { runTool } from '../tui/commands/tools.ts';
import type { Files } from '../tui/files/types.ts';
import {
  decodeRaw,
  decodeUtf8,
  hasUnrepresentableNumber,
  JsonError,
  type RawJson,
  type RawMember,
} from '../tui/json/decode.ts';
import { compactJson, type Printable } from '../tui/json/print.ts';
import { compactRaw } from '../tui/json/raw.ts';
import { type BuiltCall, buildCall } from './tui-arguments.ts';
import { findTool, toolList } from './tui-tools.ts';

/** Protocol versions that are echoed; any other request gets the first (U-216). */
const PROTOCOLS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

/** Lines this long end the server (U-210). */
export const MAX_LINE_BYTES = 64 * 1024 * 1024;

/** The tui surface: one JSON-RPC message in, one line or nothing out. */
export interface TuiServer {
  /**
   * Answer one line. Calls are handled one at a time, in order, also when the caller does not wait.
   *
   * @param line without its LF; a trailing CR is ignored
   * @returns the answer without LF, or `null` for blank lines and notifications
   */
  readonly handle: (line: Uint8Array | string) => Promise<string | null>;
}

/**
 * The MCP server of the tools (section 17). It keeps no state between calls and reads files only
 * through what it is given.
 */
export function createTuiServer(files: Files): TuiServer {
  let last: Promise<unknown> = Promise.resolve();
  return {
    handle: (line) => {
      const answer = last.then(() => answerLine(line, files));
      last = answer.catch(() => undefined);
      return answer;
    },
  };
}

interface RpcError {
  readonly code: number;
  readonly message: string;
}

type Outcome = { readonly result: Printable } | { readonly error: RpcError };

const INVALID_REQUEST: RpcError = { code: -32600, message: 'invalid request' };

async function answerLine(line: Uint8Array | string, files: Files): Promise<string | null> {
  const text = typeof line === 'string' ? line : decodeUtf8(line);
  if (/^[ \t\r\n]*$/.test(text)) return null;
  let value: RawJson;
  let members: readonly RawMember[];
  try {
    ({ value, members } = decodeRaw(text));
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return write('null', { error: { code: -32700, message: 'parse error' } });
  }
  if (hasUnrepresentableNumber(value)) {
    return write('null', { error: { code: -32700, message: 'parse error' } });
  }
  if (!(value instanceof Map)) return write('null', { error: INVALID_REQUEST });
  const idMember = members.findLast(({ name }) => name === 'id');
  const id = idMember === undefined ? null : compactRaw(text.slice(idMember.start, idMember.end));
  const method = methodOf(value);
  if (method === null) return write(id ?? 'null', { error: INVALID_REQUEST });
  // A notification is never answered and never executed, whatever its method (U-214).
  if (id === null) return null;
  return write(id, await answer(method, value.get('params'), files));
}

/** The method of a valid request; `null` counts as an empty name (U-213). */
function methodOf(request: ReadonlyMap<string, RawJson>): string | null {
  if (request.get('jsonrpc') !== '2.0') return null;
  const method = request.get('method');
  if (method === null) return '';
  return typeof method === 'string' ? method : null;
}

/** The id goes out as it came in, so the line is put together by hand (U-212). */
function write(id: string, outcome: Outcome): string {
  const [name, body] =
    'result' in outcome
      ? (['result', compactJson(outcome.result)] as const)
      : (['error', compactJson({ ...outcome.error })] as const);
  return `{"jsonrpc":"2.0","id":${id},"${name}":${body}}`;
}

async function answer(method: string, params: RawJson | undefined, files: Files): Promise<Outcome> {
  switch (method) {
    case 'initialize':
      return { result: initializeResult(params) };
    case 'ping':
      return { result: {} };
    case 'tools/list':
      return { result: { tools: toolList() } };
    case 'tools/call':
      return callTool(params, files);
    default:
      return { error: { code: -32601, message: `method not found: ${method}` } };
  }
}

function initializeResult(params: RawJson | undefined): Printable {
  const asked = params instanceof Map ? params.get('protocolVersion') : undefined;
  const isKnown = typeof asked === 'string' && PROTOCOLS.includes(asked);
  return {
    capabilities: { tools: { listChanged: false } },
    protocolVersion: isKnown ? asked : PROTOCOLS[0]!,
    serverInfo: { name: 'tuimark', version: VERSION },
  };
}

async function callTool(params: RawJson | undefined, files: Files): Promise<Outcome> {
  const call = readCall(params);
  if ('code' in call) return { error: call };
  if ('refused' in call) return { result: toolResult(`tuimark: ${call.refused}\n`, true) };
  const { command, words, steps } = call;
  const { stdout, stderr, exitCode } = await runTool(command, words, files, steps);
  return { result: exitCode === 1 ? toolResult(stderr, true) : toolResult(stdout, false) };
}

/** Protocol faults of a `tools/call`, in the order of U-213, then its argument checks (U-221). */
function readCall(params: RawJson | undefined): BuiltCall | { refused: string } | RpcError {
  const invalid = (message: string): RpcError => ({ code: -32602, message });
  if (!(params instanceof Map) && params !== null) return invalid('params must be an object');
  const name = params?.get('name');
  if (name === undefined) return invalid('missing "name"');
  if (name !== null && typeof name !== 'string') return invalid('"name" must be a string');
  const tool = findTool(name ?? '');
  if (tool === undefined) return invalid(`unknown tool: ${name ?? ''}`);
  const given = params?.get('arguments');
  if (given !== undefined && !(given instanceof Map)) return invalid('arguments must be an object');
  return buildCall(tool, given ?? new Map());
}

function toolResult(text: string, isError: boolean): Printable {
  return { content: [{ text, type: 'text' }], isError: isError || undefined };
}
