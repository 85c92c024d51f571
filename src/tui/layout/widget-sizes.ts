import type { Box } from '../frame/box.ts';
import { stringWidth } from '../text/graphemes.ts';
import { type Axis, clampSize, gapOn, mainAxisOf } from './axis.ts';
import type { Layout } from './context.ts';

/** Columns reserved for the mark of a table (G-075 step 3). */
export function tableChannel(box: Box): number {
  return box.table?.checked && box.mark !== '' ? stringWidth(box.mark) + 1 : 0;
}

/** The header row exists when any column has a title, before priority hiding (G-075 step 2). */
export function tableHeaderRows(box: Box): number {
  return box.children.some((column) => hasTitle(column)) ? 1 : 0;
}

function hasTitle(column: Box): boolean {
  return column.source?.attributes.some((attribute) => attribute.name === 'title') ?? false;
}

/** Width of the widest line of a column (G-076). */
export function columnMeasure(box: Box, column: Box): number {
  return box.table!.measure(column.source!, column.text);
}

export function tableWidth(layout: Layout, box: Box): number {
  const gaps = gapOn(box, 0, layout.isVersion3) * Math.max(0, box.children.length - 1);
  let width = tableChannel(box) + gaps;
  for (const column of box.children) {
    const { width: size } = column.style;
    width +=
      size?.unit === 'cells' ? size.cells : clampSize(column, 0, columnMeasure(box, column), null);
  }
  const table = box.table!;
  if (table.keys.length > 0 || table.placeholder === null) return width;
  return Math.max(width, stringWidth(table.placeholder));
}

export function tableHeight(box: Box): number {
  const table = box.table!;
  const rows = table.keys.length > 0 ? table.keys.length : table.placeholder === null ? 0 : 1;
  return tableHeaderRows(box) + rows;
}

/** Width of all labels side by side (G-079). */
export function stripWidth(layout: Layout, box: Box, which: 'full' | 'short'): number {
  const { entries } = box.tabs!;
  const mark = stringWidth(box.mark);
  const gaps = gapOn(box, 0, layout.isVersion3) * Math.max(0, entries.length - 1);
  return entries.reduce((sum, entry) => sum + mark + stringWidth(entry[which]), gaps);
}

export function tabsSize(layout: Layout, box: Box, axis: Axis, inner: number): number {
  const active = box.tabs?.active?.tab;
  if (axis === 1) return 1 + (active ? layout.intrinsic(active, 1, inner) : 0);
  const content = active ? layout.intrinsic(active, 0, Math.max(0, inner - 1)) : 0;
  return Math.max(stripWidth(layout, box, 'full'), content);
}

/** Width of one hint: keycap, gap, label (G-081). */
export function hintWidth(layout: Layout, item: Box): number {
  const gap = gapOn(item, 0, layout.isVersion3);
  return item.children.reduce(
    (sum, text, i) => sum + stringWidth(text.text) + (i > 0 ? gap : 0),
    0,
  );
}

export function hintsSize(layout: Layout, box: Box, axis: Axis): number {
  const main = mainAxisOf(box);
  const sizes = box.children.map((item) => (axis === 0 ? hintWidth(layout, item) : 1));
  if (axis !== main) return axis === 1 ? 1 : sizes.reduce((most, size) => Math.max(most, size), 0);
  const gaps = gapOn(box, main, layout.isVersion3) * Math.max(0, sizes.length - 1);
  return sizes.reduce((sum, size) => sum + size, gaps);
}
