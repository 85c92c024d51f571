import type { Clip } from '../frame/box.ts';
import {
  type Cluster,
  clusterEnd,
  endsInPrepend,
  hasJoiner,
  isComplex,
  visitClusters,
} from '../text/graphemes.ts';

/** Colours (null is unset) and attribute bits of one writer. */
export interface Pen {
  readonly fg: string | null;
  readonly bg: string | null;
  readonly attributes: number;
}

export const BOLD = 1;
export const DIM = 2;
export const ITALIC = 4;
export const UNDERLINE = 8;
export const REVERSE = 16;

/** Attribute names by bit, in dump order (G-180). */
export const ATTRIBUTE_NAMES: readonly (readonly [number, string])[] = [
  [BOLD, 'bold'],
  [DIM, 'dim'],
  [ITALIC, 'italic'],
  [UNDERLINE, 'underline'],
  [REVERSE, 'reverse'],
];

/**
 * The grid of cells, row by row (G-096). A cell holds a cluster; the second column of a wide one
 * holds `''`.
 */
export interface Canvas {
  readonly cols: number;
  readonly rows: number;
  readonly text: string[];
  readonly fg: (string | null)[];
  readonly bg: (string | null)[];
  readonly attributes: Uint8Array;
  readonly owner: (string | null)[];
  /** Whether some written cluster may need more than one column or code point. */
  hasComplex: boolean;
  /** Whether some written code point may join a neighbour (G-099). */
  hasJoiners: boolean;
}

/** All spaces, no colours, no owner (G-096). */
export function createCanvas(cols: number, rows: number): Canvas {
  const size = cols * rows;
  return {
    cols,
    rows,
    text: new Array<string>(size).fill(' '),
    fg: new Array<string | null>(size).fill(null),
    bg: new Array<string | null>(size).fill(null),
    attributes: new Uint8Array(size),
    owner: new Array<string | null>(size).fill(null),
    hasComplex: false,
    hasJoiners: false,
  };
}

/** The part of a clip that lies on the canvas, walked by every painter. */
export function onCanvas(canvas: Canvas, clip: Clip): Clip {
  return {
    x0: Math.max(0, clip.x0),
    y0: Math.max(0, clip.y0),
    x1: Math.min(canvas.cols, clip.x1),
    y1: Math.min(canvas.rows, clip.y1),
  };
}

/** Overwriting half of a wide cluster leaves a space that keeps its style (G-098). */
function clearOtherHalf(canvas: Canvas, at: number, x: number): void {
  if (canvas.text[at] === '' && x > 0) canvas.text[at - 1] = ' ';
  else if (x + 1 < canvas.cols && canvas.text[at + 1] === '') canvas.text[at + 1] = ' ';
}

function setCell(
  canvas: Canvas,
  x: number,
  y: number,
  text: string,
  pen: Pen,
  owner: string | null,
) {
  const at = y * canvas.cols + x;
  if (canvas.hasComplex) clearOtherHalf(canvas, at, x);
  canvas.text[at] = text;
  if (pen.fg !== null) canvas.fg[at] = pen.fg;
  if (pen.bg !== null) canvas.bg[at] = pen.bg;
  canvas.attributes[at] = pen.attributes;
  canvas.owner[at] = owner;
}

/** Writes one cluster (G-097); returns its width. Outside the clip nothing changes. */
export function writeCluster(
  canvas: Canvas,
  clip: Clip,
  x: number,
  y: number,
  cluster: Cluster,
  pen: Pen,
  owner: string | null,
): number {
  const { width } = cluster;
  if (width === 0) return 0;
  if (x < clip.x0 || y < clip.y0 || x >= clip.x1 || y >= clip.y1) return width;
  if (x < 0 || y < 0 || x >= canvas.cols || y >= canvas.rows) return width;
  if (width === 1) {
    noteCluster(canvas, cluster);
    setCell(canvas, x, y, cluster.text, pen, owner);
    return 1;
  }
  if (x + 1 >= clip.x1 || x + 1 >= canvas.cols) {
    setCell(canvas, x, y, ' ', pen, owner);
    return 2;
  }
  noteCluster(canvas, cluster);
  setCell(canvas, x, y, ' ', pen, owner);
  setCell(canvas, x + 1, y, ' ', pen, owner);
  const at = y * canvas.cols + x;
  canvas.text[at] = cluster.text;
  canvas.text[at + 1] = '';
  return 2;
}

function noteCluster(canvas: Canvas, cluster: Cluster): void {
  // Nothing below U+0300 joins or takes two columns, except U+00AD, which has no width at all.
  if (cluster.text.charCodeAt(0) < 0x300 && cluster.text.length === 1) return;
  if (isComplex(cluster)) canvas.hasComplex = true;
  if (hasJoiner(cluster.text)) canvas.hasJoiners = true;
}

/** Writes a text from `x` to the right; stops at the clip's right edge. */
export function writeText(
  canvas: Canvas,
  clip: Clip,
  x: number,
  y: number,
  text: string,
  pen: Pen,
  owner: string | null,
): void {
  if (y < clip.y0 || y >= clip.y1) return;
  let at = x;
  visitClusters(text, (cluster) => {
    if (at >= clip.x1) return false;
    at += writeCluster(canvas, clip, at, y, cluster, pen, owner);
    return true;
  });
}

/** Fills cells with spaces, replacing attributes and owner (G-100). */
export function fillSpaces(canvas: Canvas, clip: Clip, pen: Pen, owner: string | null): void {
  const { x0, y0, x1, y1 } = onCanvas(canvas, clip);
  for (let y = y0; y < y1; y++)
    for (let x = x0; x < x1; x++) setCell(canvas, x, y, ' ', pen, owner);
}

/** Changes only whose cells these are (G-101). */
export function claim(canvas: Canvas, clip: Clip, owner: string | null): void {
  const { x0, y0, x1, y1 } = onCanvas(canvas, clip);
  for (let y = y0; y < y1; y++) {
    if (x0 < x1) canvas.owner.fill(owner, y * canvas.cols + x0, y * canvas.cols + x1);
  }
}

/** Last step: continuation cells follow their lead, and rows read as one string (G-099). */
export function settleCanvas(canvas: Canvas): void {
  if (!canvas.hasComplex && !canvas.hasJoiners) return;
  const { cols, rows, text } = canvas;
  for (let y = 0; y < rows; y++) {
    const start = y * cols;
    for (let at = start + 1; at < start + cols; at++) {
      if (text[at] !== '') continue;
      canvas.fg[at] = canvas.fg[at - 1]!;
      canvas.bg[at] = canvas.bg[at - 1]!;
      canvas.attributes[at] = canvas.attributes[at - 1]!;
      canvas.owner[at] = canvas.owner[at - 1]!;
    }
    if (canvas.hasJoiners) makeRowSafe(canvas, start);
  }
}

/**
 * Replaces clusters by spaces until the row, read whole, splits into exactly its cells (G-099). A
 * cluster is judged from its own start, so looking at each lead and the next one is enough.
 */
function makeRowSafe(canvas: Canvas, start: number): void {
  const { text } = canvas;
  const end = start + canvas.cols;
  const nextLead = (at: number) => (at + 1 < end && text[at + 1] === '' ? at + 2 : at + 1);
  for (let at = start; at < end; at = nextLead(at)) {
    const lead = text[at]!;
    const next = nextLead(at);
    const read = clusterEnd(lead + (next < end ? text[next]! : ''), 0);
    if (read === lead.length) continue;
    blank(canvas, read < lead.length || endsInPrepend(lead) ? at : next, end);
  }
}

/** Turns a cluster into one space, or two when it was wide; style and owner stay. */
function blank({ text }: Canvas, at: number, end: number): void {
  text[at] = ' ';
  if (at + 1 < end && text[at + 1] === '') text[at + 1] = ' ';
}

/** Whether any cell holds a cluster that is wide or has several code points (G-088). */
export function holdsComplex(canvas: Canvas): boolean {
  if (!canvas.hasComplex) return false;
  return canvas.text.some((text) => text === '' || (text.length > 1 && [...text].length > 1));
}
