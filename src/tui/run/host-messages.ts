import type { JsonValue } from '../data/value.ts';
import { quote } from '../diagnostics/quote.ts';
import {
  decodeRaw,
  isRawNumber,
  JsonError,
  type RawJson,
  type RawMember,
  toValue,
} from '../json/decode.ts';
import { expandInteger } from '../json/integer.ts';
import { compactRaw } from '../json/raw.ts';

/** One write of a message. */
export interface HostWrite {
  readonly path: string;
  readonly value: JsonValue;
}

/** A message from the parent (U-178); `id` is compact JSON as sent, `null` without one. */
export type HostMessage = { readonly id: string | null } & (
  | { readonly kind: 'write'; readonly writes: readonly HostWrite[] }
  | { readonly kind: 'get'; readonly path: string }
  | {
      readonly kind: 'reply';
      /** As an integer of 64 bits, and as sent. */
      readonly seq: bigint;
      readonly seqText: string;
      readonly quit: boolean;
      readonly error: string | null;
    }
);

/** A message that is none, with the id to answer under when it was readable. */
export interface HostFault {
  readonly id: string | null;
  readonly error: string;
}

const MAX_INT = 9_223_372_036_854_775_807n;

/** Read one line from the parent (U-178). */
export function readHostMessage(line: string): HostMessage | HostFault {
  let value: RawJson;
  let members: readonly RawMember[];
  try {
    ({ value, members } = decodeRaw(line));
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return { id: null, error: 'not a JSON object' };
  }
  if (!(value instanceof Map)) return { id: null, error: 'not a JSON object' };
  const rawId = value.get('id');
  if (rawId !== undefined && typeof rawId !== 'string' && !isRawNumber(rawId)) {
    return { id: null, error: '"id" must be a number or a string' };
  }
  const place = members.findLast(({ name }) => name === 'id');
  const id = place === undefined ? null : compactRaw(line.slice(place.start, place.end));
  try {
    return readBody(id, value, members, line);
  } catch (error) {
    // A number outside the float range, somewhere in a value.
    if (!(error instanceof JsonError)) throw error;
    return { id, error: error.message };
  }
}

function readBody(
  id: string | null,
  message: Map<string, RawJson>,
  members: readonly RawMember[],
  line: string,
): HostMessage | HostFault {
  const fault = (error: string): HostFault => ({ id, error });
  const type = message.get('type');
  if (typeof type !== 'string') return fault('missing or non-string "type"');
  const path = message.get('path');
  switch (type) {
    case 'set':
    case 'bind': {
      if (typeof path !== 'string') return fault(`${quote(type)} needs a string "path"`);
      const written = message.get('value');
      if (written === undefined) return fault(`${quote(type)} needs "value"`);
      return { id, kind: 'write', writes: [{ path, value: toValue(written) }] };
    }
    case 'batch':
      return readBatch(id, message.get('writes'));
    case 'get':
      if (id === null || typeof path !== 'string') {
        return fault('"get" needs "id" and a string "path"');
      }
      return { id, kind: 'get', path };
    case 'reply':
      return readReply(id, message, members, line);
    default:
      return fault(`unknown type ${quote(type)}`);
  }
}

function readBatch(id: string | null, list: RawJson | undefined): HostMessage | HostFault {
  const fault = (error: string): HostFault => ({ id, error });
  if (!Array.isArray(list)) return fault('"batch" needs a "writes" array');
  const writes: HostWrite[] = [];
  for (const [i, entry] of list.entries()) {
    if (!(entry instanceof Map)) {
      return fault('every "writes" entry must be an object with "path" and "value"');
    }
    const path = entry.get('path');
    const value = entry.get('value');
    if (typeof path !== 'string' || value === undefined) {
      return fault(`"writes"[${i}] needs a string "path" and a "value"`);
    }
    writes.push({ path, value: toValue(value) });
  }
  return { id, kind: 'write', writes };
}

function readReply(
  id: string | null,
  message: ReadonlyMap<string, RawJson>,
  members: readonly RawMember[],
  line: string,
): HostMessage | HostFault {
  const fault = (error: string): HostFault => ({ id, error });
  const seq = message.get('seq');
  const digits = isRawNumber(seq) ? expandInteger(seq.literal) : null;
  // An expansion that was too long stays a literal with an exponent: no 64-bit integer either.
  const number = digits !== null && /^-?[0-9]{1,20}$/.test(digits) ? BigInt(digits) : null;
  if (number === null || number > MAX_INT || number < -MAX_INT - 1n) {
    return fault('"reply" needs an integer "seq"');
  }
  const quit = message.get('quit');
  if (quit !== undefined && typeof quit !== 'boolean') return fault('"quit" must be true or false');
  const error = message.get('error');
  if (error !== undefined && typeof error !== 'string') return fault('"error" must be a string');
  const place = members.findLast(({ name }) => name === 'seq')!;
  const seqText = line.slice(place.start, place.end);
  return { id, kind: 'reply', seq: number, seqText, quit: quit === true, error: error ?? null };
}
