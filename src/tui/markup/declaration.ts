import { quote } from '../diagnostics/quote.ts';

const XML_SPACE = /^[ \t\n\r]$/;
const PSEUDO_NAME = /[A-Za-z][A-Za-z0-9_.-]*/y;

type Fail = (message: string, offset: number) => never;

/**
 * The XML declaration, allowed only as the first characters (U-012).
 *
 * @param fail throws a diagnostic at an offset
 * @returns offset behind it, 0 without one
 */
export function scanDeclaration(text: string, fail: Fail): number {
  const after = text[5] ?? '';
  if (!text.startsWith('<?xml') || !(XML_SPACE.test(after) || after === '?')) return 0;
  const close = text.indexOf('?>', 5);
  if (close < 0) fail('unterminated XML declaration', 0);
  if (after === '?') {
    const wanted = `expected whitespace and version="1.x" after '<?xml'`;
    fail(`malformed XML declaration: ${wanted}`, 0);
  }
  let at = skipSpace(text, 5);
  const remaining = ['version', 'encoding', 'standalone'];
  for (let isFirst = true; ; isFirst = false) {
    if (at === close) {
      if (isFirst) fail('malformed XML declaration: expected version="1.x"', 0);
      return close + 2;
    }
    PSEUDO_NAME.lastIndex = at;
    const name = PSEUDO_NAME.exec(text)?.[0] ?? '';
    if (isFirst && name !== 'version') fail('malformed XML declaration: expected version="1.x"', 0);
    const place = remaining.indexOf(name);
    // White space must stand between pseudo-attributes, and each may come once, in order.
    if (place < 0 || !XML_SPACE.test(text[at - 1] ?? '')) {
      fail("malformed XML declaration: expected '?>'", at);
    }
    remaining.splice(0, place + 1);
    const read = readValue(text.slice(0, close), name, at + name.length, fail);
    checkValue(name, read.value, fail);
    at = skipSpace(text, read.end);
  }
}

function readValue(text: string, name: string, from: number, fail: Fail) {
  let at = skipSpace(text, from);
  if (text[at] !== '=') {
    fail(`malformed XML declaration: expected '=' after ${quote(name)}`, at);
  }
  at = skipSpace(text, at + 1);
  const mark = text[at];
  if (mark !== '"' && mark !== "'") {
    fail(`malformed XML declaration: expected a quoted value for ${quote(name)}`, at);
  }
  const end = text.indexOf(mark, at + 1);
  if (end < 0) {
    fail(`malformed XML declaration: unterminated value for ${quote(name)}`, at);
  }
  return { value: text.slice(at + 1, end), end: end + 1 };
}

function checkValue(name: string, value: string, fail: Fail): void {
  if (name === 'version' && !/^1\.[0-9]+$/.test(value)) {
    const wanted = '(want 1.<digits>, such as 1.0)';
    fail(`malformed XML declaration: unsupported version ${quote(value)} ${wanted}`, 0);
  }
  if (name === 'encoding' && value.toLowerCase() !== 'utf-8') {
    fail(`encoding must be UTF-8 (SPEC §5), got ${quote(value)}`, 0);
  }
  if (name === 'standalone' && value !== 'yes' && value !== 'no') {
    fail(`standalone must be "yes" or "no", got ${quote(value)}`, 0);
  }
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (XML_SPACE.test(text[at] ?? '')) at++;
  return at;
}
