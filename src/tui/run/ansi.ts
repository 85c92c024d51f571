import type { Frame } from '../frame/frame.ts';
import { BOLD, DIM, ITALIC, REVERSE, UNDERLINE } from '../paint/canvas.ts';
import { ansiIndex, nearest16, nearest256, parseRgb } from './palette.ts';

/** How many colours the terminal takes (G-198). */
export type ColorDepth = 'truecolor' | '256' | '16' | 'none';

/** SGR numbers of the attributes, in the order they are written (G-198). */
const ATTRIBUTE_CODES: readonly (readonly [number, string])[] = [
  [BOLD, '1'],
  [DIM, '2'],
  [ITALIC, '3'],
  [UNDERLINE, '4'],
  [REVERSE, '7'],
];

/** Rows of a frame as ANSI text, each ending with a reset; no cursor movement (G-198). */
export function paintRows({ canvas }: Frame, depth: ColorDepth): string[] {
  const rows: string[] = [];
  for (let y = 0; y < canvas.rows; y++) {
    let row = '';
    let pen = '';
    for (let x = 0; x < canvas.cols; x++) {
      const at = y * canvas.cols + x;
      const text = canvas.text[at]!;
      if (text === '') continue;
      const next = sgr(canvas.fg[at]!, canvas.bg[at]!, canvas.attributes[at]!, depth);
      if (next !== pen) row += next;
      pen = next;
      row += text;
    }
    rows.push(`${row}\u001b[0m`);
  }
  return rows;
}

/** One SGR sequence: reset, attributes, foreground, background. */
export function sgr(
  fg: string | null,
  bg: string | null,
  attributes: number,
  depth: ColorDepth,
): string {
  const codes = ['0'];
  for (const [bit, code] of ATTRIBUTE_CODES) if ((attributes & bit) !== 0) codes.push(code);
  if (depth !== 'none') codes.push(colorCode(fg, depth, 0), colorCode(bg, depth, 10));
  return `\u001b[${codes.join(';')}m`;
}

/** @param shift 0 for the foreground, 10 for the background */
function colorCode(color: string | null, depth: ColorDepth, shift: 0 | 10): string {
  if (color === null || color === 'default') return String(39 + shift);
  const index = ansiIndex(color);
  if (index >= 0) return basicCode(index, shift);
  const rgb = parseRgb(color.slice(1));
  if (depth === 'truecolor') return `${38 + shift};2;${rgb.join(';')}`;
  if (depth === '256') return `${38 + shift};5;${nearest256(rgb)}`;
  return basicCode(nearest16(rgb), shift);
}

function basicCode(index: number, shift: number): string {
  return String((index < 8 ? 30 + index : 82 + index) + shift);
}

const DEEP_TERMS = ['alacritty', 'contour', 'foot', 'ghostty', 'kitty', 'rio', 'wezterm'];

/** Colour depth of the terminal that the environment describes; first match wins (G-199). */
export function detectDepth(env: Readonly<Record<string, string | undefined>>): ColorDepth {
  const asked = env['TUIMARK_COLOR'];
  if (isDepth(asked)) return asked;
  if (env['NO_COLOR']) return 'none';
  if (env['WT_SESSION']) return 'truecolor';
  const term = env['TERM'] ?? '';
  if (term === '' || term === 'dumb') return 'none';
  const isMultiplexer = term.startsWith('tmux') || term.startsWith('screen');
  const colorTerm = (env['COLORTERM'] ?? '').toLowerCase();
  if ((colorTerm === 'truecolor' || colorTerm === '24bit') && !isMultiplexer) return 'truecolor';
  if (DEEP_TERMS.some((name) => term.includes(name)) || term.endsWith('-direct')) {
    return 'truecolor';
  }
  return term.endsWith('256color') || isMultiplexer ? '256' : '16';
}

/** True for a value of `--color` (U-175). */
export function isDepth(text: string | undefined): text is ColorDepth {
  return text === 'truecolor' || text === '256' || text === '16' || text === 'none';
}
