import type { Box } from '../frame/box.ts';
import { sizeText } from '../style/size.ts';
import type { Size } from '../style/types.ts';
import { clampCells, flowChildren, gapOn, marginStart, marginsOn } from './axis.ts';
import { type Layout, report } from './context.ts';
import { gridColumnCount, gridColumnWidths } from './grid-columns.ts';
import { gridChildHeight, gridRowHeights } from './measure.ts';
import type { Placement, Rect } from './placement.ts';

/**
 * Places the children of a grid row by row (G-073).
 *
 * @param width what the columns share; narrower than `rect` when the container scrolls on x
 */
export function planGrid(layout: Layout, box: Box, rect: Rect, width: number): Placement[] {
  const children = flowChildren(box);
  const columnGap = gapOn(box, 0, layout.isVersion3);
  const rowGap = gapOn(box, 1, layout.isVersion3);
  const widths = gridColumnWidths(gridColumnCount(box.style, width, columnGap), width, columnGap);
  const heights = gridRowHeights(layout, box, children, width);
  const lefts: number[] = [];
  let left = rect.x;
  for (const column of widths) {
    lefts.push(left);
    left += column + columnGap;
  }
  const placements: Placement[] = [];
  let top = rect.y;
  for (const [row, height] of heights.entries()) {
    const first = row * widths.length;
    for (const [column, child] of children.slice(first, first + widths.length).entries()) {
      warnIgnored(layout, box, child);
      const w = Math.max(0, widths[column]! - marginsOn(child, 0));
      const room = Math.max(0, height - marginsOn(child, 1));
      const fills = box.style.align === null || box.style.align === 'stretch';
      const h = fills ? room : gridChildHeight(layout, child, w);
      const x = lefts[column]! + marginStart(child, 0);
      const y = top + marginStart(child, 1) + alignIn(box, room - h);
      const isAutoHeight = !fills && child.style.height?.unit !== 'cells';
      placements.push({ box: child, x, y, w, h, isAutoWidth: false, isAutoHeight });
    }
    top = clampCells(top - rect.y + height + rowGap) + rect.y;
  }
  return placements;
}

function alignIn(box: Box, leftover: number): number {
  if (box.style.align === 'center') return Math.max(0, Math.floor(leftover / 2));
  return box.style.align === 'end' ? Math.max(0, leftover) : 0;
}

/** `L007`: sizes of the document that a grid does not look at (G-073 step 8). */
function warnIgnored(layout: Layout, box: Box, child: Box): void {
  const { style } = child;
  const written = (name: string, size: Size | null, isBuiltin = false) =>
    size !== null && !isBuiltin ? `${name}: ${sizeText(size)}` : null;
  const isShare = style.height?.unit === 'fr' || style.height?.unit === 'percent';
  const ignored =
    written('width', style.width, style.isWidthBuiltin) ??
    written('min-width', style.minWidth) ??
    written('max-width', style.maxWidth) ??
    (style.flex !== null && !style.isFlexBuiltin ? `flex: ${style.flex.literal}` : null) ??
    (isShare ? written('height', style.height, style.isHeightBuiltin) : null);
  if (ignored === null) return;
  const name = box.id === null ? box.tag : `${box.tag}#${box.id}`;
  const what = `${ignored} is ignored in a layout: grid container (${name})`;
  report(layout, child, 'warning', 'L007', `${what}; its columns give the width`);
}
