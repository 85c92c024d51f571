import type { Frame } from './frame/frame.ts';
import { BOLD, type Canvas, DIM, ITALIC, REVERSE, UNDERLINE } from './paint/canvas.ts';
import { ansiIndex, XTERM } from './run/palette.ts';
import { drawShape, isShape } from './shot-shapes.ts';
import { builtinTokens } from './style/tokens.ts';

/** Size of a cell in SVG units: about that of a 16-unit monospace font with some leading. */
const CELL_WIDTH = 9.6;
const CELL_HEIGHT = 20;
const FONT_SIZE = 16;
/** Baseline inside the cell. */
const ASCENT = 15;
const MARGIN = 8;
const DIMMED = ' opacity="0.6"';

interface Run {
  readonly x: number;
  readonly width: number;
  readonly text: string;
  readonly fg: string;
  readonly bg: string | null;
  readonly attributes: number;
}

/**
 * A frame as an SVG picture. Every run of text is stretched to its columns, so the grid holds with
 * any font; wide and joined clusters are runs of their own, and so are blocks and lines, which are
 * drawn as shapes.
 */
export function drawShot(frame: Frame): string {
  const { canvas, theme } = frame;
  const tokens = builtinTokens(theme);
  const [ink, paper] = [tokens.get('fg')!, tokens.get('bg')!];
  const width = round(canvas.cols * CELL_WIDTH + 2 * MARGIN);
  const height = round(canvas.rows * CELL_HEIGHT + 2 * MARGIN);
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<rect width="100%" height="100%" fill="${paper}"/>`,
    `<g font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="${FONT_SIZE}" xml:space="preserve">`,
  ];
  for (let y = 0; y < canvas.rows; y++) {
    for (const run of rowRuns(canvas, y, ink, paper)) {
      parts.push(...drawRun(run, y, paper));
    }
  }
  parts.push('</g>', '</svg>');
  return `${parts.join('\n')}\n`;
}

function* rowRuns(canvas: Canvas, y: number, ink: string, paper: string): Generator<Run> {
  let x = 0;
  while (x < canvas.cols) {
    const at = y * canvas.cols + x;
    const width = clusterWidth(canvas, y, x);
    let text = canvas.text[at]!;
    let end = x + width;
    // Only plain cells join a run: a wide or joined cluster would be stretched with its neighbours.
    if (isPlain(canvas, y, x)) {
      while (
        end < canvas.cols &&
        isPlain(canvas, y, end) &&
        isSameKind(canvas.text[at]!, canvas.text[y * canvas.cols + end]!) &&
        isSameStyle(canvas, at, at + end - x)
      ) {
        text += canvas.text[y * canvas.cols + end]!;
        end++;
      }
    }
    const attributes = canvas.attributes[at]!;
    const fg = colorOf(canvas.fg[at]!, ink);
    const bg = canvas.bg[at] === null ? null : colorOf(canvas.bg[at]!, paper);
    const isReversed = (attributes & REVERSE) !== 0;
    yield {
      x,
      width: end - x,
      text,
      fg: isReversed ? (bg ?? paper) : fg,
      bg: isReversed ? fg : bg,
      attributes,
    };
    x = end;
  }
}

function clusterWidth(canvas: Canvas, y: number, x: number): number {
  return x + 1 < canvas.cols && canvas.text[y * canvas.cols + x + 1] === '' ? 2 : 1;
}

function isPlain(canvas: Canvas, y: number, x: number): boolean {
  return canvas.text[y * canvas.cols + x]!.length === 1 && clusterWidth(canvas, y, x) === 1;
}

/** Letters join letters; a shape joins only its like. */
function isSameKind(a: string, b: string): boolean {
  return isShape(a) ? a === b : !isShape(b);
}

function isSameStyle(canvas: Canvas, a: number, b: number): boolean {
  return (
    canvas.fg[a] === canvas.fg[b] &&
    canvas.bg[a] === canvas.bg[b] &&
    canvas.attributes[a] === canvas.attributes[b]
  );
}

function colorOf(color: string | null, byDefault: string): string {
  if (color === null || color === 'default') return byDefault;
  const index = ansiIndex(color);
  return index < 0 ? color : `#${XTERM[index]}`;
}

function drawRun(run: Run, y: number, paper: string): string[] {
  const left = round(MARGIN + run.x * CELL_WIDTH);
  const top = round(MARGIN + y * CELL_HEIGHT);
  const width = round(run.width * CELL_WIDTH);
  const parts: string[] = [];
  if (run.bg !== null && run.bg !== paper) {
    parts.push(
      `<rect x="${left}" y="${top}" width="${width}" height="${CELL_HEIGHT}" fill="${run.bg}"/>`,
    );
  }
  if (run.text.trim() === '' && (run.attributes & UNDERLINE) === 0) return parts;
  const style = [
    run.attributes & BOLD ? ' font-weight="bold"' : '',
    run.attributes & ITALIC ? ' font-style="italic"' : '',
    run.attributes & UNDERLINE ? ' text-decoration="underline"' : '',
    run.attributes & DIM ? DIMMED : '',
  ].join('');
  if (isShape(run.text[0]!)) {
    const count = run.text.length;
    const at = { left, top, cellWidth: CELL_WIDTH, cellHeight: CELL_HEIGHT, count };
    parts.push(...drawShape(run.text[0]!, at, run.fg, run.attributes & DIM ? DIMMED : ''));
    return parts;
  }
  const place = `x="${left}" y="${round(top + ASCENT)}" textLength="${width}" lengthAdjust="spacingAndGlyphs"`;
  parts.push(`<text ${place} fill="${run.fg}"${style}>${escapeXml(run.text)}</text>`);
  return parts;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function escapeXml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}
