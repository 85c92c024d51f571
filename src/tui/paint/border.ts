import type { Box } from '../frame/box.ts';
import { isGeneratedLeaf } from '../layout/axis.ts';
import { bodyRows } from '../layout/table.ts';
import { truncate } from '../text/fit.ts';
import { type Canvas, onCanvas, type Pen, writeCluster, writeText } from './canvas.ts';
import { borderPen, titlePen } from './pens.ts';

interface Glyphs {
  readonly corners: readonly [string, string, string, string];
  readonly across: string;
  readonly down: string;
  readonly thumb: string;
}

/** Top left, top right, bottom left, bottom right (G-102); thumbs as G-104. */
const GLYPHS: Record<string, Glyphs> = {
  single: { corners: ['┌', '┐', '└', '┘'], across: '─', down: '│', thumb: '┃' },
  double: { corners: ['╔', '╗', '╚', '╝'], across: '═', down: '║', thumb: '█' },
  rounded: { corners: ['╭', '╮', '╰', '╯'], across: '─', down: '│', thumb: '┃' },
  thick: { corners: ['┏', '┓', '┗', '┛'], across: '━', down: '┃', thumb: '█' },
};

/** Narrowest box whose top border has room for a title (G-103). */
const MIN_TITLED_WIDTH = 5;

/** Shortest box whose border has room for a thumb (G-104). */
const MIN_THUMB_HEIGHT = 3;

/** Draws border, title and scrollbar thumb of a box that has them. */
export function paintBorder(canvas: Canvas, box: Box, owner: string | null): void {
  const glyphs = GLYPHS[box.style.border];
  if (!glyphs || isGeneratedLeaf(box) || box.w < 2 || box.h < 2) return;
  const pen = borderPen(box.style);
  const put = (x: number, y: number, text: string) =>
    writeCluster(canvas, box.clip, x, y, { text, width: 1 }, pen, owner);
  const { x0, y0, x1, y1 } = onCanvas(canvas, box.clip);
  const right = box.x + box.w - 1;
  const bottom = box.y + box.h - 1;
  for (let x = Math.max(x0, box.x + 1); x < Math.min(x1, right); x++) {
    put(x, box.y, glyphs.across);
    put(x, bottom, glyphs.across);
  }
  for (let y = Math.max(y0, box.y + 1); y < Math.min(y1, bottom); y++) {
    put(box.x, y, glyphs.down);
    put(right, y, glyphs.down);
  }
  put(box.x, box.y, glyphs.corners[0]);
  put(right, box.y, glyphs.corners[1]);
  put(box.x, bottom, glyphs.corners[2]);
  put(right, bottom, glyphs.corners[3]);
  paintTitle(canvas, box, owner);
  paintThumb(canvas, box, glyphs.thumb, pen, owner);
}

function paintTitle(canvas: Canvas, box: Box, owner: string | null): void {
  if (!box.title || box.w < MIN_TITLED_WIDTH) return;
  const title = truncate(` ${box.title.replaceAll('\n', ' ')} `, box.w - 4);
  writeText(canvas, box.clip, box.x + 2, box.y, title, titlePen(box.style), owner);
}

/** A thumb over the right border of a viewport that has more than it shows (G-104). */
function paintThumb(canvas: Canvas, box: Box, glyph: string, pen: Pen, owner: string | null): void {
  const { viewport } = box;
  if (box.style.scrollbar !== 'auto' || !viewport?.scrollsY || box.h < MIN_THUMB_HEIGHT) return;
  const view = box.table ? bodyRows(box) : box.ch;
  const content = box.table ? box.table.keys.length : viewport.h;
  if (content <= view) return;
  const track = box.h - 2;
  const length = Math.max(1, Math.floor((track * view) / content));
  const top = box.y + 1 + Math.floor(((track - length) * viewport.y) / (content - view));
  const { y0, y1 } = onCanvas(canvas, box.clip);
  for (let y = Math.max(y0, top); y < Math.min(y1, top + length); y++) {
    writeCluster(canvas, box.clip, box.x + box.w - 1, y, { text: glyph, width: 1 }, pen, owner);
  }
}
