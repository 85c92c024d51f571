import type { ClientLine } from '../src/protocol/link/classify.ts';
import { INVALID_REQUEST, PARSE_ERROR } from './answers.ts';

/** Why a line is answered here and goes to no daemon. */
export interface LineFault {
  /** JSON text of the id that the answer carries. */
  idKey: string;
  code: number;
  message: string;
}

/** What is wrong with a line of a client that speaks to the library or the registry; undefined for a good one. */
export function findLineFault(line: ClientLine, text: Buffer): LineFault | undefined {
  if (!line.isJson) {
    const isFramed = /^content-length\s*:/i.test(text.subarray(0, 40).toString('latin1'));
    const message = isFramed
      ? 'this server reads one JSON message per line, not Content-Length frames'
      : 'parse error: the line is not JSON';
    return { idKey: 'null', code: PARSE_ERROR, message };
  }
  const message = line.isBatch
    ? 'batches are not part of MCP since 2025-06-18; send one message per line'
    : line.method === null && !line.isResponse
      ? 'invalid request: the message has no method'
      : line.method !== null && line.hasId && !line.wantsReply
        ? 'invalid request: the id must be a string or an integer'
        : undefined;
  if (message === undefined) return undefined;
  return { idKey: line.wantsReply ? line.idKey : 'null', code: INVALID_REQUEST, message };
}
