import type { Box } from '../frame/box.ts';
import { percentOf } from '../style/decimal.ts';
import { dockConflict } from '../style/dock-conflict.ts';
import { type Axis, clampSize, honoursDocks, marginStart, marginsOn, sizeOn } from './axis.ts';
import { type Layout, report } from './context.ts';
import type { Placement, Rect } from './placement.ts';

/**
 * Cuts docked children from a content rect (G-070): first top and bottom, then left and right.
 *
 * @param rect the full content rect; positions of the result are in its coordinates
 * @returns where the docks go and what is left for the flow
 */
export function planDocks(
  layout: Layout,
  box: Box,
  rect: Rect,
): { placements: Placement[]; rest: Rect } {
  const placements: Placement[] = [];
  const rest = { ...rect };
  if (!honoursDocks(box)) return { placements, rest };
  const docked = box.children.filter((child) => child.style.dock !== null);
  if (docked.length === 0) return { placements, rest };
  const isVertical = (child: Box) => child.style.dock === 'top' || child.style.dock === 'bottom';
  for (const child of docked.filter(isVertical))
    placements.push(cutDock(layout, box, child, 1, rect, rest));
  for (const child of docked) {
    if (!isVertical(child)) placements.push(cutDock(layout, box, child, 0, rect, rest));
  }
  const bottoms = docked.filter((child) => child.style.dock === 'bottom').length;
  if (bottoms > 1) {
    const what = `${bottoms} children are docked to the bottom`;
    report(layout, box, 'warning', 'L005', `${what}; put them into one docked container`);
  }
  return { placements, rest };
}

type MutableRect = { -readonly [K in keyof Rect]: Rect[K] };

function cutDock(
  layout: Layout,
  box: Box,
  child: Box,
  axis: Axis,
  full: Rect,
  rest: MutableRect,
): Placement {
  const conflict = dockConflict(child.style, box.kind, box.style);
  if (conflict !== null) report(layout, child, 'error', 'V010', conflict);
  const cross: Axis = axis === 0 ? 1 : 0;
  const left = axis === 0 ? rest.w : rest.h;
  const crossSize = Math.max(0, (axis === 0 ? rest.h : rest.w) - marginsOn(child, cross));
  const base = axis === 0 ? full.w : full.h;
  const spec = sizeOn(child, axis);
  const own =
    spec?.unit === 'cells'
      ? spec.cells
      : spec?.unit === 'percent'
        ? percentOf(base, spec.amount)
        : layout.intrinsic(child, axis, crossSize);
  const slot = Math.min(clampSize(child, axis, own, base) + marginsOn(child, axis), left);
  const inner = Math.max(0, slot - marginsOn(child, axis));
  const isFar = child.style.dock === 'bottom' || child.style.dock === 'right';
  const mainStart =
    (axis === 0 ? rest.x : rest.y) + (isFar ? left - slot : 0) + marginStart(child, axis);
  const crossStart = (axis === 0 ? rest.y : rest.x) + marginStart(child, cross);
  if (axis === 0) {
    rest.w -= slot;
    if (!isFar) rest.x += slot;
  } else {
    rest.h -= slot;
    if (!isFar) rest.y += slot;
  }
  const isAuto = spec?.unit !== 'cells' && spec?.unit !== 'percent';
  return axis === 0
    ? {
        box: child,
        x: mainStart,
        y: crossStart,
        w: inner,
        h: crossSize,
        isAutoWidth: isAuto,
        isAutoHeight: false,
      }
    : {
        box: child,
        x: crossStart,
        y: mainStart,
        w: crossSize,
        h: inner,
        isAutoWidth: false,
        isAutoHeight: isAuto,
      };
}
