import type { Box } from '../frame/box.ts';
import { percentOf } from '../style/decimal.ts';
import { allocate, crossSize } from './allocate.ts';
import {
  type Axis,
  clampCells,
  clampSize,
  flowChildren,
  gapOn,
  honoursDocks,
  isGrid,
  mainAxisOf,
  mainSpec,
  marginsOn,
  plainSpec,
  sizeOn,
} from './axis.ts';
import type { Layout } from './context.ts';
import { gridColumnCount, gridColumnWidths } from './grid-columns.ts';

/**
 * Content measure of an ordinary container (G-060).
 *
 * @param avail its content size on the other axis, 0 when unknown
 */
export function measureContent(layout: Layout, box: Box, axis: Axis, avail: number): number {
  const docks = measureDocks(layout, box, axis, avail);
  const children = flowChildren(box);
  const total = isGrid(box)
    ? measureGrid(layout, box, children, axis, docks.avail)
    : measureFlow(layout, box, children, axis, docks.avail);
  return axis === 0
    ? Math.max(docks.widest, total + docks.stacked)
    : Math.max(total, docks.widest) + docks.stacked;
}

function measureDocks(layout: Layout, box: Box, axis: Axis, avail: number) {
  const result = { stacked: 0, widest: 0, avail };
  if (!honoursDocks(box)) return result;
  for (const child of box.children) {
    const { dock } = child.style;
    if (dock === null) continue;
    const isSide = dock === 'left' || dock === 'right';
    let other = avail;
    if (axis === 1 && isSide) {
      const wanted = sideDockWidth(layout, child, avail) + marginsOn(child, 0);
      const slot = Math.min(wanted, result.avail);
      result.avail -= slot;
      other = Math.max(0, slot - marginsOn(child, 0));
    }
    const size = sizeOn(child, axis);
    const own =
      size?.unit === 'cells'
        ? size.cells
        : size?.unit === 'percent'
          ? 0
          : layout.intrinsic(child, axis, other);
    const slot = own + marginsOn(child, axis);
    if (isSide === (axis === 0)) result.stacked += slot;
    else result.widest = Math.max(result.widest, slot);
  }
  return result;
}

function sideDockWidth(layout: Layout, child: Box, avail: number): number {
  const size = sizeOn(child, 0);
  const width =
    size?.unit === 'cells'
      ? size.cells
      : size?.unit === 'percent'
        ? percentOf(avail, size.amount)
        : layout.intrinsic(child, 0, 0);
  return clampSize(child, 0, width, avail);
}

function measureFlow(
  layout: Layout,
  box: Box,
  children: readonly Box[],
  axis: Axis,
  avail: number,
): number {
  if (children.length === 0) return 0;
  const main = mainAxisOf(box);
  const others = otherSizes(layout, box, children, axis, avail);
  let sum = 0;
  let widest = 0;
  for (const [i, child] of children.entries()) {
    const spec = axis === main ? mainSpec(child, axis) : plainSpec(sizeOn(child, axis));
    const own =
      spec.kind === 'cells'
        ? spec.cells
        : spec.kind === 'percent'
          ? 0
          : layout.intrinsic(child, axis, others[i]!);
    const slot = clampSize(child, axis, own, null) + marginsOn(child, axis);
    sum += slot;
    widest = Math.max(widest, slot);
  }
  if (axis !== main) return widest;
  return clampCells(sum + gapOn(box, axis, layout.isVersion3) * (children.length - 1));
}

/** The size on the other axis each child is measured with (G-060 step 3). */
function otherSizes(
  layout: Layout,
  box: Box,
  children: readonly Box[],
  axis: Axis,
  avail: number,
): number[] {
  if (axis === 0) return children.map(() => avail);
  if (mainAxisOf(box) === 0) {
    return allocate(layout, box, children, avail, 0, { isMeasuring: true }).sizes;
  }
  return children.map((child) => crossSize(layout, box, child, 0, avail, 0, true).size);
}

function measureGrid(
  layout: Layout,
  box: Box,
  children: readonly Box[],
  axis: Axis,
  avail: number,
): number {
  if (children.length === 0) return 0;
  if (axis === 1) {
    const heights = gridRowHeights(layout, box, children, avail);
    const gaps = gapOn(box, 1, layout.isVersion3) * (heights.length - 1);
    return heights.reduce((sum, height) => sum + height, gaps);
  }
  const { gridColumns, gridMinWidth } = box.style;
  const columns =
    gridMinWidth === null ? gridColumns : Math.max(1, Math.min(gridColumns, children.length));
  const widest = children.reduce(
    (most, child) => Math.max(most, layout.intrinsic(child, 0, avail) + marginsOn(child, 0)),
    0,
  );
  const width = gridMinWidth ?? widest;
  return columns * width + gapOn(box, 0, layout.isVersion3) * (columns - 1);
}

/** Heights of the rows of a grid whose content is `width` wide (G-073). */
export function gridRowHeights(
  layout: Layout,
  box: Box,
  children: readonly Box[],
  width: number,
): number[] {
  const gap = gapOn(box, 0, layout.isVersion3);
  const widths = gridColumnWidths(gridColumnCount(box.style, width, gap), width, gap);
  const heights: number[] = [];
  for (const [i, child] of children.entries()) {
    const row = Math.floor(i / widths.length);
    const inner = Math.max(0, widths[i % widths.length]! - marginsOn(child, 0));
    const height = gridChildHeight(layout, child, inner) + marginsOn(child, 1);
    heights[row] = Math.max(heights[row] ?? 0, height);
  }
  return heights;
}

/** Own height of a grid child at its column's width (G-073 step 4). */
export function gridChildHeight(layout: Layout, child: Box, width: number): number {
  const { height } = child.style;
  const own = height?.unit === 'cells' ? height.cells : layout.intrinsic(child, 1, width);
  return clampSize(child, 1, own, null);
}
