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
  | LazyList
  | { readonly [member: string]: Printable }
  | ReadonlyMap<string, Printable>;

/** A list whose items are made while it is printed, so that a million of them never live at once. */
export class LazyList {
  readonly length: number;
  readonly itemAt: (index: number) => Printable;

  constructor(length: number, itemAt: (index: number) => Printable) {
    this.length = length;
    this.itemAt = itemAt;
  }
}

type Members = { readonly [member: string]: Printable };
type List = readonly Printable[] | LazyList;

/** An object or list that is being written. */
interface Open {
  readonly holder: List | Members | ReadonlyMap<string, Printable>;
  /** Names of the members, null for a list. */
  readonly names: readonly string[] | null;
  readonly length: number;
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

/**
 * Characters of one text. A dump with a million cells has 80 million; a play that prints one after
 * every step would go on to the gigabytes.
 */
const MAX_OUTPUT = 256 * 1024 * 1024;

/** The text would be longer than anyone reads. */
export class OutputLimit extends Error {
  override readonly name = 'OutputLimit';

  constructor() {
    super(`the output has more than ${MAX_OUTPUT} characters; ask for fewer frames or no cells`);
  }
}

/** Characters in one part, and parts in one stretch: see `gather`. */
const PART = 1 << 10;
const PARTS = 64;

/** Iterative, because a value may be nested 10000 deep (U-007) and the call stack is not. */
function write(value: Printable, indent: string, sorted: boolean): string {
  const stretches: string[] = [];
  const parts: string[] = [];
  const stack: Open[] = [];
  const colon = indent === '' ? ':' : ': ';
  let out = '';
  let gathered = 0;
  // Line break and indentation of the members of the open holder.
  let margin = indent === '' ? '' : '\n';
  emit(value);
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const { names, next } = top;
    if (next === top.length) {
      stack.pop();
      if (indent !== '') margin = margin.slice(0, -indent.length);
      out += margin + (names === null ? ']' : '}');
      continue;
    }
    if (out.length > PART) gather();
    top.next++;
    out += next === 0 ? margin : `,${margin}`;
    if (names === null) emit(itemOf(top.holder as List, next));
    else {
      const name = names[next]!;
      out += quoteJson(name) + colon;
      emit(memberOf(top.holder as Members, name));
    }
  }
  return stretches.join('') + parts.join('') + out;

  /** A growing string is a tree of its pieces until it is joined; a million of them take 30 times their text. */
  function gather(): void {
    gathered += out.length;
    if (gathered > MAX_OUTPUT) throw new OutputLimit();
    parts.push(out);
    out = '';
    if (parts.length < PARTS) return;
    stretches.push(parts.join(''));
    parts.length = 0;
  }

  function emit(item: Printable): void {
    if (typeof item === 'string') out += quoteJson(item);
    else if (typeof item === 'number') out += writeNumber(item);
    else if (item === null || item === undefined) out += 'null';
    else if (typeof item === 'boolean') out += item ? 'true' : 'false';
    else if (Array.isArray(item) || item instanceof LazyList) open(item as List, null, item.length);
    else {
      const names = namesOf(item as Members);
      if (sorted) names.sort(compareBytes);
      open(item as Members, names, names.length);
    }
  }

  function open(holder: Open['holder'], names: Open['names'], length: number): void {
    if (length === 0) {
      out += names === null ? '[]' : '{}';
      return;
    }
    out += names === null ? '[' : '{';
    margin += indent;
    stack.push({ holder, names, length, next: 0 });
  }
}

function itemOf(list: List, index: number): Printable {
  return list instanceof LazyList ? list.itemAt(index) : list[index];
}

function memberOf(holder: Members | ReadonlyMap<string, Printable>, name: string): Printable {
  return holder instanceof Map ? holder.get(name) : (holder as Members)[name];
}

/** Names of the members that are there, in their order. */
function namesOf(holder: Members | ReadonlyMap<string, Printable>): string[] {
  const all = holder instanceof Map ? [...holder.keys()] : Object.keys(holder);
  return all.filter((name) => memberOf(holder, name) !== undefined);
}

/** ECMAScript's shortest form already switches to exponents where U-005 does. */
function writeNumber(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value);
}

const NEEDS_ESCAPE = /["\\<>&\u0000-\u001f\u2028\u2029\ud800-\udfff]/;
const SURROGATE = /[\ud800-\udfff]/;
const LONE_SURROGATE = /\p{Cs}/u;
const UNSAFE = /[<>&\u2028\u2029]/g;

/**
 * A JSON string with the escapes of U-005: those of ECMAScript, `<`, `>`, `&` and the two line
 * separators as `\u` escapes, and `\ufffd` for half a surrogate pair, which stands for a byte that
 * was not valid UTF-8.
 */
export function quoteJson(text: string): string {
  if (!NEEDS_ESCAPE.test(text)) return `"${text}"`;
  // ECMAScript would write half a pair as its own escape. To find one by code points is slow.
  const parts = SURROGATE.test(text) ? text.split(LONE_SURROGATE) : [text];
  const quoted = parts.map((part) => JSON.stringify(part).slice(1, -1)).join('\\ufffd');
  return `"${quoted.replace(UNSAFE, escapeUnit)}"`;
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
