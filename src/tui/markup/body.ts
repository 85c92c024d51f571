import type { Element, Position, TextRun } from './types.ts';

/** Text and CDATA children of an element, comments left out. */
export function textRuns(element: Element): TextRun[] {
  return element.children.filter((child) => child.kind === 'text');
}

/** Body of `text`, `button` and `column`: lines trimmed, outer empty lines dropped (U-058). */
export function normaliseBody(raw: string): string {
  const lines = raw.split('\n').map((line) => line.replace(/^[ \t\r]+|[ \t\r]+$/g, ''));
  let from = 0;
  let to = lines.length;
  while (from < to && lines[from] === '') from++;
  while (to > from && lines[to - 1] === '') to--;
  return lines.slice(from, to).join('\n');
}

/** Position of the first character that is not XML white space, or `null` when there is none. */
export function firstInk(runs: readonly TextRun[]): Position | null {
  for (const run of runs) {
    const index = run.text.search(/[^ \t\n\r]/);
    if (index < 0) continue;
    const piece = run.pieces.findLast(({ from }) => from <= index)!;
    return advance(piece, run.text.slice(piece.from, index));
  }
  return null;
}

/** Source position of every UTF-16 unit of the joined runs (U-104). */
export function originsOf(runs: readonly TextRun[]): Position[] {
  const origins: Position[] = [];
  for (const { text, pieces } of runs) {
    for (const [i, piece] of pieces.entries()) {
      const end = pieces[i + 1]?.from ?? text.length;
      let { line, col } = piece;
      for (let at = piece.from; at < end; at++) {
        origins.push({ line, col });
        const code = text.charCodeAt(at);
        if (code === 0x0a) {
          line++;
          col = 1;
        } else if (code < 0xd800 || code > 0xdbff) col++;
      }
    }
  }
  return origins;
}

function advance(start: Position, text: string): Position {
  let { line, col } = start;
  for (const char of text) {
    if (char === '\n') {
      line++;
      col = 1;
    } else col++;
  }
  return { line, col };
}
