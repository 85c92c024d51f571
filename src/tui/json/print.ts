import type { JsonValue } from '../data/value.ts';
import { compareBytes } from './bytes.ts';

/**
 * What can be printed: JSON values, and plain objects whose members are written in the order they
 * were created; members that are `undefined` are left out (U-006).
 */
export type Printable =
  | JsonValue
  | undefined
  | readonly Printable[]
  | { readonly [member: string]: Printable }
  | ReadonlyMap<string, Printable>;

interface Open {
  readonly close: string;
  readonly items: readonly (readonly [string | null, Printable])[];
  next: number;
}

/** A document of the tools: two-space indentation and one LF at the end (U-005). */
export function printJson(value: Printable): string {
  return `${write(value, '  ', false)}\n`;
}

/** JSON without white space, members in their own order (MCP traffic, U-210). */
export function compactJson(value: Printable): string {
  return write(value, '', false);
}

/** JSON without white space, members sorted by the bytes of their names (U-068, U-192). */
export function compactSortedJson(value: Printable): string {
  return write(value, '', true);
}

/** Members of every object below sorted by bytes, at any depth; the rest is shared (U-194). */
export function sortMembers(value: JsonValue): JsonValue {
  // Depth is bounded by the decoder (10000); an explicit stack keeps the call stack out of it.
  const root: JsonValue[] = [value];
  const open: (JsonValue[] | Map<string, JsonValue>)[] = [root];
  for (let holder = open.pop(); holder !== undefined; holder = open.pop()) {
    for (const [key, child] of [...holder.entries()]) {
      if (typeof child !== 'object' || child === null) continue;
      const copy = Array.isArray(child) ? [...child] : new Map(sortedEntries(child));
      if (holder instanceof Map) holder.set(key as string, copy);
      else holder[key as number] = copy;
      open.push(copy);
    }
  }
  return root[0]!;
}

function sortedEntries(map: ReadonlyMap<string, JsonValue>): [string, JsonValue][] {
  return [...map].sort((a, b) => compareBytes(a[0], b[0]));
}

/** Iterative, because a value may be nested 10000 deep (U-007) and the call stack is not. */
function write(value: Printable, indent: string, sorted: boolean): string {
  const out: string[] = [];
  const stack: Open[] = [];
  const newline = indent === '' ? '' : '\n';
  const colon = indent === '' ? ':' : ': ';
  emit(value);
  while (stack.length > 0) {
    const top = stack[stack.length - 1]!;
    if (top.next === top.items.length) {
      stack.pop();
      out.push(newline, indent.repeat(stack.length), top.close);
      continue;
    }
    const [name, item] = top.items[top.next]!;
    out.push(top.next === 0 ? newline : `,${newline}`, indent.repeat(stack.length));
    top.next++;
    if (name !== null) out.push(quoteJson(name), colon);
    emit(item);
  }
  return out.join('');

  function emit(item: Printable): void {
    if (item === null || item === undefined) out.push('null');
    else if (typeof item === 'string') out.push(quoteJson(item));
    else if (typeof item === 'number') out.push(writeNumber(item));
    else if (typeof item === 'boolean') out.push(String(item));
    else if (Array.isArray(item)) {
      const items = (item as Printable[]).map((entry) => [null, entry] as const);
      open('[', ']', items);
    } else {
      const entries = item instanceof Map ? [...item] : Object.entries(item);
      const kept = entries.filter(([, member]) => member !== undefined);
      if (sorted) kept.sort((a, b) => compareBytes(a[0], b[0]));
      open('{', '}', kept);
    }
  }

  function open(start: string, close: string, items: Open['items']): void {
    out.push(start);
    if (items.length === 0) out.push(close);
    else stack.push({ close, items, next: 0 });
  }
}

/** ECMAScript's shortest form already switches to exponents where U-005 does. */
function writeNumber(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

const NEEDS_ESCAPE = /["\\<>&\u0000-\u001f\u2028\u2029\ud800-\udfff]/;
const SHORT: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** A JSON string with the escapes of U-005. */
export function quoteJson(text: string): string {
  if (!NEEDS_ESCAPE.test(text)) return `"${text}"`;
  let out = '"';
  for (const char of text) {
    const short = SHORT.get(char);
    const code = char.codePointAt(0)!;
    if (short !== undefined) out += short;
    else if (code < 0x20 || '<>&\u2028\u2029'.includes(char)) {
      out += `\\u${code.toString(16).padStart(4, '0')}`;
    } else if (code >= 0xd800 && code <= 0xdfff) out += '\\ufffd';
    else out += char;
  }
  return `${out}"`;
}
