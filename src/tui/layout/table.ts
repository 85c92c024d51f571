import type { Box } from '../frame/box.ts';
import { percentOf, splitByWeight } from '../style/decimal.ts';
import type { Decimal } from '../style/types.ts';
import { bound, clampSize, gapOn } from './axis.ts';
import { type Layout, report } from './context.ts';
import { columnMeasure, tableChannel, tableHeaderRows } from './widget-sizes.ts';

/** What laying out a table found (G-075). Its viewport and `table.shown` are filled in. */
export function layOutTable(layout: Layout, box: Box, offset: number): void {
  const table = box.table!;
  const channel = Math.min(tableChannel(box), box.cw);
  const room = box.cw - channel;
  const gap = gapOn(box, 0, layout.isVersion3);
  const header = tableHeaderRows(box);
  const kept = hideByPriority(layout, box, room, gap);
  const widths = columnWidths(layout, box, kept, room, gap);
  let x = box.cx + channel;
  table.shown = kept.map((column, i) => {
    const at = x;
    x += widths[i]! + gap;
    return { column, x: at, w: widths[i]! };
  });
  table.headerRows = header;
  box.channel = 0;
  const view = Math.max(0, box.ch - header);
  const rows = table.keys.length;
  let y = offset;
  if (rows > 0 && view > 0 && table.cursor >= 0) {
    if (table.cursor < y) y = table.cursor;
    if (table.cursor >= y + view) y = table.cursor - view + 1;
  }
  y = Math.max(0, Math.min(y, rows - view));
  box.viewport = { scrollsX: false, scrollsY: true, x: 0, y, w: box.cw, h: Math.max(view, rows) };
}

/** Body rows of a laid-out table (G-075 step 5). */
export function bodyRows(box: Box): number {
  return Math.max(0, box.ch - box.table!.headerRows);
}

/** The columns left after hiding the least important ones that do not fit (G-077). */
function hideByPriority(layout: Layout, box: Box, room: number, gap: number): Box[] {
  let kept = box.children;
  if (!layout.isVersion3 || kept.every((column) => column.source!.priority === null)) return kept;
  const natural = new Map(kept.map((column) => [column, naturalWidth(box, column, room)]));
  for (;;) {
    const needed = kept.reduce(
      (sum, c) => sum + natural.get(c)!,
      gap * Math.max(0, kept.length - 1),
    );
    if (needed <= room) return kept;
    let least: Box | null = null;
    for (const column of kept) {
      const priority = priorityOf(column);
      if (priority !== null && (least === null || priority <= priorityOf(least)!)) least = column;
    }
    if (least === null) return kept;
    const hidden = least;
    kept = kept.filter((column) => column !== hidden);
  }
}

/** Numbers too large for a 64-bit integer all count as the largest one (G-077). */
const LARGEST = 2n ** 63n - 1n;

function priorityOf(column: Box): bigint | null {
  const { priority } = column.source!;
  return priority !== null && priority > LARGEST ? LARGEST : priority;
}

function naturalWidth(box: Box, column: Box, room: number): number {
  const { width, minWidth } = column.style;
  switch (width?.unit) {
    case 'cells':
      return width.cells;
    case 'percent':
      return percentOf(room, width.amount);
    case 'fr':
      return bound(minWidth, room) ?? 0;
    default:
      return clampSize(column, 0, columnMeasure(box, column), room);
  }
}

function columnWidths(
  layout: Layout,
  box: Box,
  columns: readonly Box[],
  room: number,
  gap: number,
): number[] {
  const gaps = gap * Math.max(0, columns.length - 1);
  const widths: number[] = [];
  const sharing: number[] = [];
  const weights: Decimal[] = [];
  let used = gaps;
  let needed = gaps;
  for (const [i, column] of columns.entries()) {
    const { width, minWidth } = column.style;
    if (width?.unit === 'fr') {
      sharing.push(i);
      weights.push(width.amount);
      widths.push(0);
      needed += bound(minWidth, room) ?? 0;
      continue;
    }
    const isFixed = width?.unit === 'cells' || width?.unit === 'percent';
    const own =
      width?.unit === 'cells'
        ? width.cells
        : width?.unit === 'percent'
          ? percentOf(room, width.amount)
          : columnMeasure(box, column);
    const size = clampSize(column, 0, own, room);
    widths.push(size);
    used += size;
    needed += isFixed ? size : (bound(minWidth, room) ?? 0);
  }
  const shares = splitByWeight(Math.max(0, room - used), weights);
  for (const [k, i] of sharing.entries()) widths[i] = clampSize(columns[i]!, 0, shares[k]!, room);
  if (needed > room) {
    const what = `the widths and min-widths of the visible columns need ${needed} cells but the table has ${room}`;
    layout.overfull.add(box);
    report(layout, box, 'warning', 'L003', `${what}; make one narrower or hide it`);
  }
  return widths;
}
