import { quote } from '../diagnostics/quote.ts';
import {
  decodeRaw,
  isRawNumber,
  JsonError,
  kindName,
  type RawJson,
  type RawMember,
  toValue,
} from '../json/decode.ts';
import type { PlayStep, StepFault } from './types.ts';
import { focusStep, keyStep, mouseStep, resizeStep } from './words.ts';

const STEP_MEMBERS = ['key', 'text', 'paste', 'set', 'focus', 'resize', 'click', 'wheel', 'theme'];
const LIST = 'key, text, paste, set, focus, resize, click, wheel with at, theme';

/** Longest line of a script, in bytes (U-185, U-232). */
export const MAX_SCRIPT_LINE = 1024 * 1024;

/**
 * Lines of a script that hold a step: trimmed, blank ones skipped (U-185).
 * @returns `null` when a line is too long
 */
export function scriptLines(text: string): string[] | null {
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    // Every UTF-16 unit is at least one byte, so short lines need no exact count.
    if (line.length * 3 > MAX_SCRIPT_LINE && Buffer.byteLength(line) > MAX_SCRIPT_LINE) return null;
    const trimmed = line.trim();
    if (trimmed !== '') lines.push(trimmed);
  }
  return lines;
}

/** Thrown inside this file to leave a nested check with its reason. */
class Refusal extends Error {}

function refuse(reason: string): never {
  throw new Refusal(reason);
}

/** One line of a script: a JSON object with exactly one member (U-185, U-186). */
export function parseScriptLine(line: string): PlayStep | StepFault {
  try {
    return readStep(line, readMembers(line));
  } catch (error) {
    if (error instanceof Refusal) return { reason: error.message };
    throw error;
  }
}

function readMembers(line: string): Map<string, RawJson> {
  let members: readonly RawMember[];
  try {
    const decoded = decodeRaw(line);
    if (!(decoded.value instanceof Map)) refuse('bad JSON: want a JSON object');
    members = decoded.members;
  } catch (error) {
    if (error instanceof JsonError) refuse(`bad JSON: ${error.message}`);
    throw error;
  }
  const seen = new Map<string, RawJson>();
  for (const { name, value } of members) {
    if (seen.has(name)) refuse(`bad JSON: duplicate member ${quote(name)}`);
    seen.set(name, value);
  }
  return seen;
}

function readStep(line: string, members: ReadonlyMap<string, RawJson>): PlayStep | StepFault {
  const steps = STEP_MEMBERS.filter((name) => members.has(name));
  const name = steps[0];
  if (name === undefined) refuse(`no known step member (want one of ${LIST})`);
  if (steps.length > 1) refuse('more than one step member on one line');
  if (name === 'wheel') return readWheel(line, members);
  const unknown = [...members.keys()].find((member) => member !== name);
  if (unknown !== undefined) {
    refuse(`unknown step member ${quote(unknown)} (want one of ${LIST})`);
  }
  const value = members.get(name)!;
  switch (name) {
    case 'key': {
      const key = stringOf(value, name);
      return keyStep(line, key) ?? { reason: `${quote(key)} is not a valid key token` };
    }
    case 'text':
    case 'paste':
      return { kind: name, text: stringOf(value, name), written: line };
    case 'set':
      return readSet(line, value);
    case 'focus':
      return focusStep(line, stringOf(value, name));
    case 'resize':
      return readResize(line, value);
    case 'click': {
      const [x, y] = cellOf(value, name);
      return mouseStep(line, name, x, y);
    }
    default:
      return readTheme(line, value);
  }
}

function readWheel(line: string, members: ReadonlyMap<string, RawJson>): PlayStep {
  const unknown = [...members.keys()].find((member) => member !== 'wheel' && member !== 'at');
  if (unknown !== undefined) {
    refuse(`wheel: unknown member ${quote(unknown)} (want exactly "wheel" and "at")`);
  }
  const at = members.get('at');
  if (at === undefined) refuse('wheel: wants {"wheel": "up" or "down", "at": [X,Y]}');
  const direction = stringOf(members.get('wheel')!, 'wheel');
  if (direction !== 'up' && direction !== 'down') {
    refuse(`wheel: want "up" or "down", got ${quote(direction)}`);
  }
  const [x, y] = cellOf(at, 'at');
  return mouseStep(line, `wheel-${direction}`, x, y);
}

function readSet(line: string, value: RawJson): PlayStep {
  const wants = 'set: wants {"path": ..., "value": ...} (both required)';
  if (!(value instanceof Map)) refuse(wants);
  const unknown = [...value.keys()].find((member) => member !== 'path' && member !== 'value');
  if (unknown !== undefined) {
    refuse(`set: unknown member ${quote(unknown)} (want exactly "path" and "value")`);
  }
  const path = value.get('path');
  const written = value.get('value');
  if (path === undefined || written === undefined) refuse(wants);
  const pathText = stringOf(path, 'set.path');
  try {
    return { kind: 'set', path: pathText, value: toValue(written), written: line };
  } catch (error) {
    if (error instanceof JsonError) refuse(`set: bad JSON value: ${error.message}`);
    throw error;
  }
}

function readResize(line: string, value: RawJson): PlayStep | StepFault {
  const sides = pairOf(value, 'resize', '[COLS,ROWS]');
  const [cols, rows] = sides.map((side, i) =>
    integerOf(side, `resize: ${i === 0 ? 'COLS' : 'ROWS'}`),
  );
  return resizeStep(line, cols!, rows!);
}

function readTheme(line: string, value: RawJson): PlayStep {
  const theme = stringOf(value, 'theme');
  if (theme !== 'dark' && theme !== 'light' && theme !== 'auto') {
    refuse(`theme: want "dark", "light", or "auto", got ${quote(theme)}`);
  }
  return { kind: 'set', path: '@theme', value: theme, written: line };
}

function cellOf(value: RawJson, name: string): [number, number] {
  const [x, y] = pairOf(value, name, '[X,Y]');
  return [integerOf(x!, `${name}: X`), integerOf(y!, `${name}: Y`)];
}

function pairOf(value: RawJson, name: string, shape: string): RawJson[] {
  if (!Array.isArray(value)) {
    refuse(`${name}: want ${shape}: ${mismatch(value, '[]json.RawMessage')}`);
  }
  if (value.length !== 2) {
    refuse(`${name}: want exactly ${shape} (2 elements), got ${value.length}`);
  }
  return value;
}

function stringOf(value: RawJson, name: string): string {
  if (typeof value !== 'string') {
    refuse(`${name}: want a JSON string: ${mismatch(value, 'string')}`);
  }
  return value;
}

function integerOf(value: RawJson, what: string): number {
  if (isRawNumber(value) && /^-?[0-9]+$/.test(value.literal)) {
    const number = Number(value.literal);
    if (Number.isSafeInteger(number)) return number;
  }
  const kind = isRawNumber(value) ? `number ${value.literal}` : kindName(value);
  refuse(`${what} must be an integer: json: cannot unmarshal ${kind} into Go value of type int`);
}

function mismatch(value: RawJson, type: string): string {
  return `json: cannot unmarshal ${kindName(value)} into Go value of type ${type}`;
}
