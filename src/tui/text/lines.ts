import { truncate } from './fit.ts';
import { isPlain, segment, stringWidth } from './graphemes.ts';

type Mode = 'wrap' | 'nowrap' | 'truncate' | 'truncate-start' | 'truncate-middle' | null;

// Unicode White_Space (G-092). Unlike `\s` it does not hold U+FEFF, but U+0085.
const WORD =
  /[^\u0009-\u000d\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/gu;

/** Display lines of a text in `width` columns (G-091). */
export function linesOf(text: string, width: number, mode: Mode): string[] {
  if (text === '') return [];
  const pieces = text.split('\n');
  if (width <= 0) return pieces;
  switch (mode) {
    case 'wrap':
      return pieces.flatMap((piece) => wrap(piece, width));
    case 'truncate':
    case 'truncate-start':
    case 'truncate-middle':
      return pieces.map((piece) => truncate(piece, width, mode));
    default:
      return pieces;
  }
}

/** Number of lines `linesOf` gives for wrapped or unwrapped text. */
export function countLines(text: string, width: number, isWrapped: boolean): number {
  return linesOf(text, width, isWrapped ? 'wrap' : 'nowrap').length;
}

/** Columns of the widest LF-separated line. */
export function widestLine(text: string): number {
  if (!text.includes('\n')) return stringWidth(text);
  return text.split('\n').reduce((widest, line) => Math.max(widest, stringWidth(line)), 0);
}

/** Greedy wrapping at white space (G-092); a piece without words is one empty line. */
export function wrap(piece: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  let lineWidth = 0;
  for (const [word] of piece.matchAll(WORD)) {
    const wordWidth = stringWidth(word);
    if (line !== '' && lineWidth + 1 + wordWidth <= width) {
      line += ` ${word}`;
      lineWidth += 1 + wordWidth;
      continue;
    }
    if (line !== '') lines.push(line);
    const parts = wordWidth > width ? breakWord(word, width) : [word];
    line = parts.pop()!;
    lines.push(...parts);
    lineWidth = stringWidth(line);
  }
  if (line !== '' || lines.length === 0) lines.push(line);
  return lines;
}

/** Cuts a long word into prefixes of at most `width` columns; a wider cluster stands alone. */
function breakWord(word: string, width: number): string[] {
  const parts: string[] = [];
  if (isPlain(word)) {
    for (let at = 0; at < word.length; at += width) parts.push(word.slice(at, at + width));
    return parts;
  }
  let part = '';
  let partWidth = 0;
  for (const cluster of segment(word)) {
    if (part !== '' && partWidth + cluster.width > width) {
      parts.push(part);
      part = '';
      partWidth = 0;
    }
    part += cluster.text;
    partWidth += cluster.width;
  }
  parts.push(part);
  return parts;
}

/** Where a line starts in its room (G-095): never negative. */
export function alignOffset(
  align: 'start' | 'center' | 'end' | null,
  room: number,
  width: number,
): number {
  if (align === 'center') return Math.max(0, Math.floor((room - width) / 2));
  return align === 'end' ? Math.max(0, room - width) : 0;
}
