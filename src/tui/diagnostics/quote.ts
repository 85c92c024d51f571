const SHORT_ESCAPES: ReadonlyMap<number, string> = new Map([
  [0x07, '\\a'],
  [0x08, '\\b'],
  [0x0c, '\\f'],
  [0x0a, '\\n'],
  [0x0d, '\\r'],
  [0x09, '\\t'],
  [0x0b, '\\v'],
  [0x22, '\\"'],
  [0x5c, '\\\\'],
]);

const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;
const PLAIN = /^[ !#-[\]-~]*$/;

/**
 * Quoted insertion `|q` (U-001): double quotes with Go-style escapes; only letters, marks, numbers,
 * punctuation, symbols and the ASCII space stay as they are. A lone surrogate, which stands for what
 * was not valid UTF-8, is written `\ufffd`.
 */
export function quote(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  let out = '"';
  for (const char of text) out += escapeChar(char);
  return `${out}"`;
}

function escapeChar(char: string): string {
  const code = char.codePointAt(0)!;
  const short = SHORT_ESCAPES.get(code);
  if (short !== undefined) return short;
  if (code < 0x20 || code === 0x7f) return `\\x${hex(code, 2)}`;
  if (code >= 0xd800 && code <= 0xdfff) return '\\ufffd';
  if (code < 0x7f || PRINTABLE.test(char)) return char;
  return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}
