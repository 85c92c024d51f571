import type { Box } from '../frame/box.ts';
import { stringWidth } from '../text/graphemes.ts';
import { countLines, widestLine } from '../text/lines.ts';
import { type Axis, clampCells, crossOf, frameOn } from './axis.ts';
import type { Layout } from './context.ts';
import { measureContent } from './measure.ts';
import { hintsSize, tableHeight, tableWidth, tabsSize } from './widget-sizes.ts';

/** Columns a progress bar asks for (G-059). */
const PROGRESS_WIDTH = 10;

/**
 * Outer size of a box by its content (G-059).
 *
 * @param other outer size on the other axis, 0 when it is not known
 */
export function intrinsic(layout: Layout, box: Box, axis: Axis, other: number): number {
  const key = other * 2 + axis;
  box.measured ??= [];
  const { measured } = box;
  for (let i = 0; i < measured.length; i += 2) if (measured[i] === key) return measured[i + 1]!;
  const size = clampCells(contentSize(layout, box, axis, other) + frameOn(box, axis));
  measured.push(key, size);
  return size;
}

function contentSize(layout: Layout, box: Box, axis: Axis, other: number): number {
  const inner = Math.max(0, other - frameOn(box, crossOf(axis)));
  switch (box.kind) {
    case 'text':
      if (axis === 0) return widestLine(box.text);
      return box.style.wrap === 'wrap' && other > 0
        ? countLines(box.text, Math.max(1, inner), true)
        : countLines(box.text, 0, false);
    case 'column':
      return axis === 0 ? widestLine(box.text) : 1;
    case 'input':
      if (axis === 1) return 1;
      return Math.max(stringWidth(box.text), stringWidth(box.input?.placeholder ?? '')) + 1;
    case 'button':
      return axis === 1 ? 1 : stringWidth(box.text) + (box.style.border === 'none' ? 4 : 0);
    case 'progress':
      return axis === 1 ? 1 : PROGRESS_WIDTH;
    case 'rule':
      return (box.source?.axis === 'y') === (axis === 0) ? 1 : 0;
    case 'spacer':
      return 0;
    case 'sparkline':
      return axis === 1 ? 1 : box.series.length;
    case 'table':
      return axis === 0 ? tableWidth(layout, box) : tableHeight(box);
    case 'tabs':
      return tabsSize(layout, box, axis, inner);
    case 'hints':
      return hintsSize(layout, box, axis);
    default:
      return measureContent(layout, box, axis, inner);
  }
}
