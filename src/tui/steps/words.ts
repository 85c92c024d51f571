import { quote } from '../diagnostics/quote.ts';
import { decodeJson, JsonError } from '../json/decode.ts';
import { isKeyToken } from '../language/keymap.ts';
import { parseSize, sizeFault } from './size.ts';
import type { PlayStep, StepFault } from './types.ts';

/** The same key on every terminal (U-184). */
const SAME_KEY: ReadonlyMap<string, string> = new Map([
  ['ctrl+i', 'tab'],
  ['ctrl+j', 'enter'],
  ['ctrl+m', 'enter'],
]);

/** Words of `--input`: separated by runs of U+0020 only (U-183). */
export function splitInput(input: string): string[] {
  return input.split(/ +/).filter((word) => word !== '');
}

/** One step, whole: it may hold spaces (U-183, U-225). */
export function parseStep(written: string): PlayStep | StepFault {
  const colon = written.indexOf(':');
  const name = colon < 0 ? '' : written.slice(0, colon);
  const rest = written.slice(colon + 1);
  switch (name) {
    case 'text':
    case 'paste':
      return { kind: name, text: rest, written };
    case 'set':
      return parseSet(written, rest);
    case 'focus':
      return focusStep(written, rest);
    case 'resize': {
      const size = parseSize(rest);
      return 'reason' in size ? size : resizeStep(written, size.cols, size.rows);
    }
    case 'click':
    case 'wheel-up':
    case 'wheel-down':
      return parseMouse(written, name, rest);
  }
  return keyStep(written, written) ?? { reason: 'not a valid key token' };
}

/** A key step, or `null` when the token is none. */
export function keyStep(written: string, token: string): PlayStep | null {
  if (!isKeyToken(token)) return null;
  return { kind: 'key', key: SAME_KEY.get(token) ?? token, written };
}

/** Focus by id, one leading `#` dropped. */
export function focusStep(written: string, target: string): PlayStep {
  return { kind: 'focus', id: target.replace(/^#/, ''), written };
}

/** A new size, checked for its range. */
export function resizeStep(
  written: string,
  cols: bigint | number,
  rows: bigint | number,
): PlayStep | StepFault {
  const fault = sizeFault(cols, rows);
  if (fault !== null) return { reason: fault };
  return { kind: 'resize', cols: Number(cols), rows: Number(rows), written };
}

/** A mouse step at a cell. */
export function mouseStep(
  written: string,
  name: 'click' | 'wheel-up' | 'wheel-down',
  x: number,
  y: number,
): PlayStep {
  if (name === 'click') return { kind: 'click', x, y, written };
  return { kind: 'wheel', direction: name === 'wheel-up' ? 'up' : 'down', x, y, written };
}

function parseSet(written: string, rest: string): PlayStep | StepFault {
  const equals = rest.indexOf('=');
  if (equals < 0) return { reason: 'set: wants PATH=JSON' };
  try {
    const value = decodeJson(rest.slice(equals + 1));
    return { kind: 'set', path: rest.slice(0, equals), value, written };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return { reason: `bad JSON value: ${error.message}` };
  }
}

function parseMouse(
  written: string,
  name: 'click' | 'wheel-up' | 'wheel-down',
  rest: string,
): PlayStep | StepFault {
  const comma = rest.indexOf(',');
  if (comma < 0) return { reason: `${name}: want X,Y` };
  const parts = [rest.slice(0, comma), rest.slice(comma + 1)];
  for (const part of parts) {
    if (!/^-?[0-9]{1,9}$/.test(part)) {
      return { reason: `${name}: ${quote(part)} is not a decimal integer` };
    }
  }
  return mouseStep(written, name, Number(parts[0]), Number(parts[1]));
}
