import type { JsonValue } from '../data/value.ts';
import { quote } from '../diagnostics/quote.ts';

/** Nesting beyond this is an error (U-007, U-232). */
const MAX_DEPTH = 10_000;

/** Objects and arrays of one text. Each takes some 200 bytes, so that this many take 400 MB. */
const MAX_HOLDERS = 2_000_000;

/** A number kept as its digits, for readers that judge integers on them (U-222). */
export interface RawNumber {
  readonly literal: string;
}

/** A decoded value whose numbers are still literals. */
export type RawJson = null | boolean | string | RawNumber | RawJson[] | Map<string, RawJson>;

/** One member of the outermost object, with the place of its value in the text. */
export interface RawMember {
  readonly name: string;
  readonly value: RawJson;
  readonly start: number;
  readonly end: number;
}

/** Why a text is not JSON, or not a value we can hold; texts are those of U-008. */
export class JsonError extends Error {
  override readonly name = 'JsonError';
}

/** Bytes to text: invalid UTF-8 becomes U+FFFD, a byte-order mark stays and is then an error. */
export function decodeUtf8(bytes: Uint8Array): string {
  return UTF8.decode(bytes);
}
const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Decode one JSON text (U-007).
 * @throws JsonError with a text of U-008
 */
export function decodeJson(text: string): JsonValue {
  const scanner = new Scanner(text, false);
  const value = scanner.document();
  // Rare: read again with literals, which know in which order they are judged and what to say.
  if (scanner.hasInfinite) return toValue(new Scanner(text).document());
  return value as JsonValue;
}

/**
 * Decode with numbers kept as literals.
 * @returns the value, and the members in the order written (repeats kept) when it is an object
 * @throws JsonError
 */
export function decodeRaw(text: string): {
  readonly value: RawJson;
  readonly members: readonly RawMember[];
} {
  const scanner = new Scanner(text);
  const value = scanner.document();
  return { value, members: scanner.members };
}

/**
 * Numbers to 64-bit floats.
 * @throws JsonError for one outside their range
 */
export function toValue(raw: RawJson): JsonValue {
  const root: [RawJson] = [raw];
  const open: (RawJson[] | Map<string, RawJson>)[] = [root];
  for (let holder = open.pop(); holder !== undefined; holder = open.pop()) {
    for (const [key, child] of holder.entries()) {
      if (child === null || typeof child !== 'object') continue;
      if (Array.isArray(child) || child instanceof Map) {
        open.push(child);
        continue;
      }
      // The tree is our own fresh copy, so literals are replaced where they stand.
      const number = toFloat(child.literal) as unknown as RawJson;
      if (holder instanceof Map) holder.set(key as string, number);
      else holder[key as number] = number;
    }
  }
  return root[0] as unknown as JsonValue;
}

/** @throws JsonError when the literal is outside the 64-bit float range */
export function toFloat(literal: string): number {
  const value = Number(literal);
  if (!Number.isFinite(value)) {
    throw new JsonError(`json: cannot unmarshal number ${literal} into Go value of type float64`);
  }
  return value;
}

/** True when some number anywhere in the value is outside the float range (U-213). */
export function hasUnrepresentableNumber(raw: RawJson): boolean {
  const open: RawJson[] = [raw];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (value === null || typeof value !== 'object') continue;
    if (Array.isArray(value)) for (const item of value) open.push(item);
    else if (value instanceof Map) for (const item of value.values()) open.push(item);
    else if (!Number.isFinite(Number(value.literal))) return true;
  }
  return false;
}

/** Kind of a value as the decoder's type errors name it (U-008). */
export function kindName(raw: RawJson): string {
  if (raw === null) return 'null';
  if (typeof raw === 'string') return 'string';
  if (typeof raw === 'boolean') return 'bool';
  if (Array.isArray(raw)) return 'array';
  return raw instanceof Map ? 'object' : 'number';
}

/** True for a number literal. */
export function isRawNumber(raw: RawJson | undefined): raw is RawNumber {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw) && !(raw instanceof Map);
}

const WORDS: ReadonlyMap<number, readonly [string, boolean | null]> = new Map([
  [0x74, ['true', true]],
  [0x66, ['false', false]],
  [0x6e, ['null', null]],
]);

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** Whole numbers of so many digits are exact while they are summed up. */
const EXACT_DIGITS = 15;

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const POINT = 0x2e;
const ZERO = 0x30;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Numbers are literals or floats, as the scanner was asked. */
type Scanned = null | boolean | string | number | RawNumber | Scanned[] | Map<string, Scanned>;

interface Holder {
  readonly list: Scanned[] | null;
  readonly map: Map<string, Scanned> | null;
  /** Of the member that is being read, with the place of its value. */
  name: string;
  start: number;
}

/** One pass over the text with an explicit stack: depth is bounded by MAX_DEPTH, not by V8. */
class Scanner {
  #position = 0;
  readonly members: RawMember[] = [];
  /** Whether some number was outside the float range; only known when numbers are floats. */
  hasInfinite = false;
  readonly #text: string;
  readonly #keepsLiterals: boolean;
  #holders = 0;

  constructor(text: string, keepsLiterals = true) {
    this.#text = text;
    this.#keepsLiterals = keepsLiterals;
  }

  document(): RawJson {
    const value = this.#value();
    this.#skipSpace();
    if (this.#position < this.#text.length) this.#fail('after top-level value');
    return value;
  }

  #value(): RawJson {
    const stack: Holder[] = [];
    let value: Scanned;
    for (;;) {
      const code = this.#skipSpace();
      if (code === OPEN_OBJECT || code === OPEN_LIST) {
        const isMap = code === OPEN_OBJECT;
        this.#position++;
        if (stack.length === MAX_DEPTH) throw new JsonError('exceeded max depth');
        if (++this.#holders > MAX_HOLDERS) {
          throw new JsonError(`more than ${MAX_HOLDERS} objects and arrays`);
        }
        const first = this.#skipSpace();
        const list: Scanned[] | null = isMap ? null : [];
        const map: Map<string, Scanned> | null = isMap ? new Map() : null;
        if (first !== (isMap ? CLOSE_OBJECT : CLOSE_LIST)) {
          const name = isMap ? this.#key() : '';
          this.#skipSpace();
          stack.push({ list, map, name, start: this.#position });
          continue;
        }
        this.#position++;
        value = (list ?? map)!;
      } else value = this.#scalar(code);

      // A value is complete: hand it to its holder, and close every holder that ends here.
      for (;;) {
        const top = stack.at(-1);
        if (top === undefined) return value as RawJson;
        const { list, map } = top;
        if (map) {
          map.set(top.name, value);
          if (stack.length === 1) {
            const { name, start } = top;
            this.members.push({ name, value: value as RawJson, start, end: this.#position });
          }
        } else list!.push(value);
        const next = this.#skipSpace();
        if (next === COMMA) {
          this.#position++;
          if (map) {
            this.#skipSpace();
            top.name = this.#key();
          }
          this.#skipSpace();
          top.start = this.#position;
          break;
        }
        if (next !== (map ? CLOSE_OBJECT : CLOSE_LIST)) {
          this.#fail(map ? 'after object key:value pair' : 'after array element');
        }
        this.#position++;
        stack.pop();
        value = (list ?? map)!;
      }
    }
  }

  #key(): string {
    const text = this.#text;
    if (text.charCodeAt(this.#position) !== QUOTE) {
      this.#fail('looking for beginning of object key string');
    }
    const key = this.#string();
    if (this.#skipSpace() !== 0x3a) this.#fail('after object key');
    this.#position++;
    return key;
  }

  #scalar(code: number): Scanned {
    if (code === QUOTE) return this.#string();
    if (code === MINUS || isDigit(code)) return this.#number(code);
    const word = WORDS.get(code);
    if (word === undefined) this.#fail('looking for beginning of value');
    const [letters, value] = word;
    const start = this.#position;
    for (let i = 1; i < letters.length; i++) {
      this.#position = start + i;
      if (this.#text[this.#position] !== letters[i]) {
        this.#fail(`in literal ${letters} (expecting '${letters[i]}')`, ' ');
      }
    }
    this.#position = start + letters.length;
    return value;
  }

  #number(code: number): RawNumber | number {
    const start = this.#position;
    const text = this.#text;
    if (code === MINUS) this.#position++;
    const whole = this.#position;
    if (text.charCodeAt(whole) === ZERO) this.#position++;
    else this.#digits('in numeric literal');
    const afterWhole = this.#position;
    if (text.charCodeAt(afterWhole) === POINT) {
      this.#position++;
      this.#digits('after decimal point in numeric literal');
    }
    const mark = text.charCodeAt(this.#position);
    if (mark === 0x65 || mark === 0x45) {
      this.#position++;
      const sign = text.charCodeAt(this.#position);
      if (sign === MINUS || sign === 0x2b) this.#position++;
      this.#digits('in exponent of numeric literal');
    }
    if (this.#keepsLiterals) return { literal: text.slice(start, this.#position) };
    if (this.#position === afterWhole && afterWhole - whole <= EXACT_DIGITS) {
      let sum = 0;
      for (let at = whole; at < afterWhole; at++) sum = sum * 10 + (text.charCodeAt(at) - ZERO);
      return code === MINUS ? -sum : sum;
    }
    const value = Number(text.slice(start, this.#position));
    if (!Number.isFinite(value)) this.hasInfinite = true;
    return value;
  }

  #digits(where: string): void {
    const text = this.#text;
    if (!isDigit(text.charCodeAt(this.#position))) this.#fail(where, ' ');
    while (isDigit(text.charCodeAt(this.#position))) this.#position++;
  }

  #string(): string {
    const text = this.#text;
    let out = '';
    let at = this.#position + 1;
    let from = at;
    let mayBreak = false;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        this.#position = at + 1;
        out = out === '' ? text.slice(from, at) : out + text.slice(from, at);
        return mayBreak ? out.replace(LONE_SURROGATE, '\ufffd') : out;
      }
      if (code === BACKSLASH) {
        out += text.slice(from, at);
        this.#position = at + 1;
        out += this.#escape();
        at = this.#position;
        from = at;
        mayBreak = true;
      } else if (code >= 0x20) {
        if (code >= 0xd800 && code <= 0xdfff) mayBreak = true;
        at++;
      } else {
        this.#position = at;
        this.#fail('in string literal');
      }
    }
  }

  #escape(): string {
    const char = this.#text[this.#position] ?? '';
    if (char === 'u') {
      this.#position++;
      for (let i = 0; i < 4; i++, this.#position++) {
        if (!/^[0-9a-fA-F]$/.test(this.#text[this.#position] ?? '')) {
          this.#fail('in \\u hexadecimal character escape', ' ');
        }
      }
      const digits = this.#text.slice(this.#position - 4, this.#position);
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    const plain = ESCAPES.get(char);
    if (plain === undefined) this.#fail('in string escape code', ' ');
    this.#position++;
    return plain;
  }

  /** The unit behind the white space, NaN at the end. */
  #skipSpace(): number {
    for (;;) {
      const code = this.#text.charCodeAt(this.#position);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return code;
      this.#position++;
    }
  }

  /**
   * Go ends a text by feeding it one space, so inside a word, a number or an escape the end reads as
   * an unexpected `' '`; elsewhere it is the end of input.
   */
  #fail(where: string, atEnd?: ' '): never {
    const code = this.#text.codePointAt(this.#position);
    if (code === undefined && atEnd === undefined) {
      throw new JsonError('unexpected end of JSON input');
    }
    throw new JsonError(`invalid character ${quoteByte(code ?? 0x20)} ${where}`);
  }
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** The decoder works on bytes: of a longer character it names the first one, read as Latin-1. */
function quoteByte(code: number): string {
  if (code === 0x27) return `'\\''`;
  if (code === 0x22) return `'"'`;
  const byte = new TextEncoder().encode(String.fromCodePoint(code))[0]!;
  return `'${quote(String.fromCharCode(byte)).slice(1, -1)}'`;
}
