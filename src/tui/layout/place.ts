import { type Box, type Clip, intersect } from '../frame/box.ts';
import type { AppState } from '../frame/state.ts';
import { percentOf } from '../style/decimal.ts';
import { clampSize, isGeneratedLeaf, isGrid, mainAxisOf, scrollAxes, sizeOn } from './axis.ts';
import type { Layout } from './context.ts';
import { planDocks } from './docks.ts';
import { planGrid } from './grid.ts';
import { planHint, planHints } from './hints.ts';
import { planLine } from './line.ts';
import { measureContent } from './measure.ts';
import type { Placement, Rect } from './placement.ts';
import { planTabs } from './strip.ts';
import { layOutTable } from './table.ts';

/** Remembered offsets, which placing reads (G-071, G-072). */
export type Offsets = Pick<AppState, 'offsets' | 'stickEnds'>;

/** Share of the screen that a modal without a size takes (G-057). */
const MODAL_PERCENT = { literal: '80', digits: 80n, scale: 0, small: 80 };

/** Lays out a screen on a terminal of `cols` × `rows` (G-056). */
export function placeScreen(
  layout: Layout,
  offsets: Offsets,
  screen: Box,
  cols: number,
  rows: number,
) {
  const sizeOf = (axis: 0 | 1, terminal: number) => {
    const size = sizeOn(screen, axis);
    const own =
      size?.unit === 'cells'
        ? size.cells
        : size?.unit === 'percent'
          ? percentOf(terminal, size.amount)
          : terminal;
    return Math.min(terminal, clampSize(screen, axis, own, terminal));
  };
  const whole: Clip = { x0: 0, y0: 0, x1: cols, y1: rows };
  place(layout, offsets, screen, { x: 0, y: 0, w: sizeOf(0, cols), h: sizeOf(1, rows) }, whole);
}

/** Lays out an open modal in the middle of its screen (G-057). */
export function placeModal(
  layout: Layout,
  offsets: Offsets,
  modal: Box,
  screen: Box,
  cols: number,
  rows: number,
): void {
  const sizeOf = (axis: 0 | 1, other: number) => {
    const root = axis === 0 ? screen.w : screen.h;
    const size = sizeOn(modal, axis);
    const own =
      size?.unit === 'cells'
        ? size.cells
        : size?.unit === 'percent'
          ? percentOf(root, size.amount)
          : size?.unit === 'auto'
            ? layout.intrinsic(modal, axis, other)
            : percentOf(root, MODAL_PERCENT);
    return Math.min(root, clampSize(modal, axis, own, root));
  };
  const w = sizeOf(0, screen.h);
  const h = sizeOf(1, w);
  modal.isAutoWidth = modal.style.width?.unit === 'auto';
  modal.isAutoHeight = modal.style.height?.unit === 'auto';
  const x = screen.x + Math.floor((screen.w - w) / 2);
  const y = screen.y + Math.floor((screen.h - h) / 2);
  place(layout, offsets, modal, { x, y, w, h }, { x0: 0, y0: 0, x1: cols, y1: rows });
}

/** Gives a box its rects and lays out what is inside (G-048, G-050, G-058). */
export function place(layout: Layout, offsets: Offsets, box: Box, rect: Rect, clip: Clip): void {
  box.x = rect.x;
  box.y = rect.y;
  box.w = rect.w;
  box.h = rect.h;
  setContentRect(box);
  box.clip = intersect(clip, box.x, box.y, box.w, box.h);
  box.childClip = intersect(box.clip, box.cx, box.cy, box.cw, box.ch);
  if (box.kind === 'table') {
    placeTable(layout, offsets, box);
  } else if (box.kind === 'tabs') {
    placeAll(layout, offsets, planTabs(layout, box), 0, 0, box.childClip);
  } else if (box.kind === 'hints') {
    placeAll(layout, offsets, planHints(layout, box), 0, 0, box.childClip);
  } else if (box.role === 'hint') {
    placeAll(layout, offsets, planHint(layout, box), 0, 0, box.childClip);
  } else {
    const { x, y } = scrollAxes(box);
    if (x || y) placeViewport(layout, offsets, box, x, y);
    else if (box.children.length > 0) placeContent(layout, offsets, box);
  }
}

function setContentRect(box: Box): void {
  const { channel } = box;
  const plain = isGeneratedLeaf(box);
  const edge = plain || box.style.border === 'none' ? 0 : 1;
  const [top, right, bottom, left] = plain ? [0, 0, 0, 0] : box.style.padding;
  box.cx = box.x + edge + left + channel;
  box.cy = box.y + edge + top;
  box.cw = Math.max(0, box.w - 2 * edge - left - right - channel);
  box.ch = Math.max(0, box.h - 2 * edge - top - bottom);
}

function placeAll(
  layout: Layout,
  offsets: Offsets,
  placements: readonly Placement[],
  dx: number,
  dy: number,
  clip: Clip,
): void {
  for (const { box, x, y, w, h, isAutoWidth, isAutoHeight } of placements) {
    box.isAutoWidth = isAutoWidth;
    box.isAutoHeight = isAutoHeight;
    place(layout, offsets, box, { x: x + dx, y: y + dy, w, h }, clip);
  }
}

function placeContent(layout: Layout, offsets: Offsets, box: Box): void {
  const rect = { x: box.cx, y: box.cy, w: box.cw, h: box.ch };
  const docks = planDocks(layout, box, rect);
  const flow = isGrid(box)
    ? planGrid(layout, box, docks.rest, docks.rest.w)
    : planLine(layout, box, docks.rest);
  placeAll(layout, offsets, docks.placements, 0, 0, box.childClip);
  placeAll(layout, offsets, flow, 0, 0, box.childClip);
}

/** A box that scrolls: everything is laid out in a virtual rect behind its content rect (G-071). */
function placeViewport(
  layout: Layout,
  offsets: Offsets,
  box: Box,
  scrollsX: boolean,
  scrollsY: boolean,
): void {
  const natural = (axis: 0 | 1, other: number) => measureContent(layout, box, axis, other);
  const hasChildren = box.children.length > 0;
  const w = scrollsX && hasChildren ? Math.max(box.cw, natural(0, box.ch)) : box.cw;
  const h = scrollsY && hasChildren ? Math.max(box.ch, natural(1, box.cw)) : box.ch;
  const incoming = incomingOffset(offsets, box, scrollsY);
  const viewport = { scrollsX, scrollsY, x: incoming.x, y: incoming.y, w, h };
  box.viewport = viewport;
  const docks = planDocks(layout, box, { x: 0, y: 0, w, h });
  const sideDocks = w - docks.rest.w;
  const flow = isGrid(box)
    ? planGrid(layout, box, docks.rest, scrollsX ? Math.max(0, box.cw - sideDocks) : docks.rest.w)
    : planLine(layout, box, docks.rest);
  followCursor(box, flow, viewport);
  viewport.x = Math.max(0, Math.min(viewport.x, w - box.cw));
  viewport.y = Math.max(0, Math.min(viewport.y, h - box.ch));
  const dx = box.cx - viewport.x;
  const dy = box.cy - viewport.y;
  placeAll(layout, offsets, docks.placements, dx, dy, box.childClip);
  placeAll(layout, offsets, flow, dx, dy, box.childClip);
}

/** Moves the offset so that a list's cursor row is in view (G-071 step 2). */
function followCursor(box: Box, flow: readonly Placement[], viewport: { y: number }): void {
  if (box.kind !== 'list' || mainAxisOf(box) !== 1) return;
  const row = flow.find((placement) => placement.box.isSelected);
  if (!row) return;
  if (row.y < viewport.y) viewport.y = row.y;
  if (row.y + row.h > viewport.y + box.ch) viewport.y = row.y + row.h - box.ch;
}

/** The remembered offset; a sticking viewport at its end stays there (G-072). */
function incomingOffset(offsets: Offsets, box: Box, scrollsY: boolean): { x: number; y: number } {
  const known = offsets.offsets.get(offsetKey(box) ?? '') ?? { x: 0, y: 0 };
  if (!sticks(box) || !scrollsY) return known;
  const end = offsets.stickEnds.get(box.id!);
  return end === undefined || known.y >= end ? { x: known.x, y: Number.MAX_SAFE_INTEGER } : known;
}

/** Whether `stick="bottom"` acts on this box (G-072). */
export function sticks(box: Box): boolean {
  return (box.source?.stick ?? false) && box.isAddressable && box.id !== null;
}

/**
 * The name a viewport's offset is kept by (G-140): its id, else its element and the keys of the rows
 * around it; null for a list or table without a usable id.
 */
export function offsetKey(box: Box): string | null {
  if (box.id !== null && box.isAddressable) return `#${box.id}`;
  if (box.kind === 'list' || box.kind === 'table' || box.source === null) return null;
  return `${box.source.order}${box.rowPath}`;
}

function placeTable(layout: Layout, offsets: Offsets, box: Box): void {
  layOutTable(layout, box, offsets.offsets.get(offsetKey(box) ?? '')?.y ?? 0);
  const { shown, headerRows } = box.table!;
  const headers: Placement[] = [];
  if (headerRows > 0) {
    for (const { column, x, w } of shown) {
      headers.push({ box: column, x, y: box.cy, w, h: 1, isAutoWidth: false, isAutoHeight: false });
    }
  }
  box.children = headers.map((header) => header.box);
  placeAll(layout, offsets, headers, 0, 0, box.childClip);
}
