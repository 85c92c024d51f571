/**
 * Text as a terminal shows it. Catalog text is hostile input: whatever comes
 * from a catalog passes through `oneLine` before it is printed, so that no
 * description can move the cursor or colour what follows (design 10).
 */

/** Control characters, bidi overrides and isolates, zero-width marks. */
const UNPRINTABLE =
  /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]+/gu;

/** One printable line: whitespace runs become one space, control and bidi characters go. */
export function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').replace(UNPRINTABLE, '').trim();
}

/**
 * Lines of somebody else for a screen: control characters that could move the
 * cursor or recolour the terminal go, line ends and tabs stay (design 10).
 */
export function screenSafe(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '');
}

/** The same for lines that we painted: colour codes, and nothing else that starts with ESC, stay. */
export function screenSafePainted(text: string): string {
  return text
    .split(/(\u001b\[\d{1,2}m)/)
    .map((piece, at) => (at % 2 === 1 ? piece : screenSafe(piece)))
    .join('');
}

/** JSON in one line, in which no character can steer a terminal: the escapes mean the same to a parser. */
export function toJsonLine(value: object): string {
  return JSON.stringify(value).replace(UNPRINTABLE, (run) =>
    Array.from(run, (it) => `\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
  );
}

const SGR = /\u001b\[[0-9;]*m/g;

/** East Asian wide and fullwidth blocks, and emoji: two columns in every common terminal. */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

/** Columns that `text` takes: colour codes none, combining marks none, wide characters two. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text.replace(SGR, '')) {
    if (/\p{Mark}/u.test(character)) continue;
    columns += WIDE.test(character) ? 2 : 1;
  }
  return columns;
}

/** At most `columns` wide, with `…` where something was cut. For text without colour codes. */
export function cut(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  let kept = '';
  let used = 0;
  for (const character of text) {
    const width = columnsOf(character);
    if (used + width > columns - 1) break;
    kept += character;
    used += width;
  }
  return `${kept.trimEnd()}…`;
}

/**
 * At most `columns` wide, with `…` in the middle: of paths and ids the end tells
 * apart, so two thirds of what is kept come from there. For text without colour codes.
 */
export function cutMiddle(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  const head = Math.floor((columns - 1) / 3);
  return `${takeColumns([...text], head)}…${takeColumns([...text].reverse(), columns - 1 - head, true)}`;
}

/** The first characters that fit; `isReversed` puts them back in reading order. */
function takeColumns(characters: readonly string[], columns: number, isReversed = false): string {
  const kept: string[] = [];
  let used = 0;
  for (const character of characters) {
    used += columnsOf(character);
    if (used > columns) break;
    kept.push(character);
  }
  return (isReversed ? kept.reverse() : kept).join('');
}

/** Fill up with spaces to `columns`, counting what is seen. */
export function pad(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - columnsOf(text)));
}

/** Break at spaces so that no line is wider than `columns`; a longer word keeps its line. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').filter((piece) => piece !== '')) {
    if (line === '') line = word;
    else if (columnsOf(line) + 1 + columnsOf(word) <= columns) line += ` ${word}`;
    else {
      lines.push(line);
      line = word;
    }
  }
  if (line !== '') lines.push(line);
  return lines;
}

/** `1 plugin`, `2 plugins`. */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString('en-US')} ${n === 1 ? one : many}`;
}
