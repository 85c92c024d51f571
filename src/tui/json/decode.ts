import type { JsonValue } from '../data/value.ts';
import { quote } from '../diagnostics/quote.ts';

/** Nesting beyond this is an error (U-007, U-232). */
const MAX_DEPTH = 10_000;

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
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/**
 * Decode one JSON text (U-007).
 * @throws JsonError with a text of U-008
 */
export function decodeJson(text: string): JsonValue {
  const scanner = new Scanner(text);
  const raw = scanner.document();
  return toValue(raw);
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
 * Decode the object at the start of a text and ignore what follows it.
 * @returns `rest`, the text behind the value
 * @throws JsonError
 */
export function decodePrefix(text: string): {
  readonly value: RawJson;
  readonly members: readonly RawMember[];
  readonly rest: string;
} {
  const scanner = new Scanner(text);
  const value = scanner.prefix();
  return { value, members: scanner.members, rest: text.slice(scanner.position) };
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

const WORDS: ReadonlyMap<string, readonly [string, boolean | null]> = new Map([
  ['t', ['true', true]],
  ['f', ['false', false]],
  ['n', ['null', null]],
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

type Holder = RawJson[] | Map<string, RawJson>;

/** One pass over the text with an explicit stack: depth is bounded by MAX_DEPTH, not by V8. */
class Scanner {
  position = 0;
  readonly members: RawMember[] = [];
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  document(): RawJson {
    const value = this.prefix();
    this.#skipSpace();
    if (this.position < this.#text.length) this.#fail('after top-level value');
    return value;
  }

  prefix(): RawJson {
    const stack: { holder: Holder; name: string; start: number }[] = [];
    let value: RawJson;
    for (;;) {
      this.#skipSpace();
      const valueStart = this.position;
      const char = this.#text[this.position];
      if (char === '{' || char === '[') {
        this.position++;
        if (stack.length === MAX_DEPTH) throw new JsonError('exceeded max depth');
        this.#skipSpace();
        const holder: Holder = char === '{' ? new Map() : [];
        if (this.#text[this.position] !== (char === '{' ? '}' : ']')) {
          const name = char === '{' ? this.#key() : '';
          this.#skipSpace();
          stack.push({ holder, name, start: this.position });
          continue;
        }
        this.position++;
        value = holder;
      } else value = this.#scalar(valueStart);

      // A value is complete: hand it to its holder, and close every holder that ends here.
      for (;;) {
        const top = stack[stack.length - 1];
        if (top === undefined) return value;
        const end = this.position;
        if (top.holder instanceof Map) {
          top.holder.set(top.name, value);
          if (stack.length === 1) {
            this.members.push({ name: top.name, value, start: top.start, end });
          }
        } else top.holder.push(value);
        this.#skipSpace();
        const next = this.#text[this.position];
        const isMap = top.holder instanceof Map;
        if (next === ',') {
          this.position++;
          if (isMap) {
            this.#skipSpace();
            top.name = this.#key();
          }
          this.#skipSpace();
          top.start = this.position;
          break;
        }
        if (next !== (isMap ? '}' : ']')) {
          this.#fail(isMap ? 'after object key:value pair' : 'after array element');
        }
        this.position++;
        stack.pop();
        value = top.holder;
      }
    }
  }

  #key(): string {
    if (this.#text[this.position] !== '"') this.#fail('looking for beginning of object key string');
    const key = this.#string();
    this.#skipSpace();
    if (this.#text[this.position] !== ':') this.#fail('after object key');
    this.position++;
    return key;
  }

  #scalar(start: number): RawJson {
    const char = this.#text[start];
    if (char === '"') return this.#string();
    if (char === '-' || isDigit(char)) return this.#number(start);
    const word = WORDS.get(char ?? '');
    if (word === undefined) this.#fail('looking for beginning of value');
    const [letters, value] = word;
    for (let i = 1; i < letters.length; i++) {
      this.position = start + i;
      if (this.#text[this.position] !== letters[i]) {
        this.#fail(`in literal ${letters} (expecting '${letters[i]}')`, ' ');
      }
    }
    this.position = start + letters.length;
    return value;
  }

  #number(start: number): RawNumber {
    if (this.#text[this.position] === '-') this.position++;
    if (this.#text[this.position] === '0') this.position++;
    else this.#digits('in numeric literal');
    if (this.#text[this.position] === '.') {
      this.position++;
      this.#digits('after decimal point in numeric literal');
    }
    if (this.#text[this.position] === 'e' || this.#text[this.position] === 'E') {
      this.position++;
      if (this.#text[this.position] === '+' || this.#text[this.position] === '-') this.position++;
      this.#digits('in exponent of numeric literal');
    }
    return { literal: this.#text.slice(start, this.position) };
  }

  #digits(where: string): void {
    if (!isDigit(this.#text[this.position])) this.#fail(where, ' ');
    while (isDigit(this.#text[this.position])) this.position++;
  }

  #string(): string {
    const text = this.#text;
    let out = '';
    let from = ++this.position;
    for (;;) {
      const code = text.charCodeAt(this.position);
      if (code === 0x22) {
        out += text.slice(from, this.position++);
        return out.replace(LONE_SURROGATE, '\ufffd');
      }
      if (code === 0x5c) {
        out += text.slice(from, this.position++);
        out += this.#escape();
        from = this.position;
      } else if (code < 0x20 || Number.isNaN(code)) this.#fail('in string literal');
      else this.position++;
    }
  }

  #escape(): string {
    const char = this.#text[this.position] ?? '';
    if (char === 'u') {
      this.position++;
      for (let i = 0; i < 4; i++, this.position++) {
        if (!/^[0-9a-fA-F]$/.test(this.#text[this.position] ?? '')) {
          this.#fail('in \\u hexadecimal character escape', ' ');
        }
      }
      const digits = this.#text.slice(this.position - 4, this.position);
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    const plain = ESCAPES.get(char);
    if (plain === undefined) this.#fail('in string escape code', ' ');
    this.position++;
    return plain;
  }

  #skipSpace(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.position);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.position++;
    }
  }

  /**
   * Go ends a text by feeding it one space, so inside a word, a number or an escape the end reads as
   * an unexpected `' '`; elsewhere it is the end of input.
   */
  #fail(where: string, atEnd?: ' '): never {
    const code = this.#text.codePointAt(this.position);
    if (code === undefined && atEnd === undefined) {
      throw new JsonError('unexpected end of JSON input');
    }
    throw new JsonError(`invalid character ${quoteByte(code ?? 0x20)} ${where}`);
  }
}

function isDigit(char: string | undefined): boolean {
  return char !== undefined && char >= '0' && char <= '9';
}

/** The decoder works on bytes: of a longer character it names the first one, read as Latin-1. */
function quoteByte(code: number): string {
  if (code === 0x27) return `'\\''`;
  if (code === 0x22) return `'"'`;
  const byte = new TextEncoder().encode(String.fromCodePoint(code))[0]!;
  return `'${quote(String.fromCharCode(byte)).slice(1, -1)}'`;
}
