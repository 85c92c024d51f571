import type { Box } from '../frame/box.ts';
import { allocate } from './allocate.ts';
import { type Axis, crossOf, flowChildren, mainAxisOf, marginStart, marginsOn } from './axis.ts';
import type { Layout } from './context.ts';
import type { Placement, Rect } from './placement.ts';

/** Places the flow children of a row or column in what the docks left (G-063, G-066). */
export function planLine(layout: Layout, box: Box, rect: Rect): Placement[] {
  const children = flowChildren(box);
  if (children.length === 0) return [];
  const axis = mainAxisOf(box);
  const extent = axis === 0 ? rect.w : rect.h;
  const crossExtent = axis === 0 ? rect.h : rect.w;
  const line = allocate(layout, box, children, extent, axis, { isMeasuring: false, crossExtent });
  const used = line.slots.reduce((sum, slot) => sum + slot, line.gap * (children.length - 1));
  const leftover = line.hasFr ? 0 : extent - used;
  const spread = spreadOf(box, leftover, children.length);
  let at = spread.start;
  const placements: Placement[] = [];
  for (const [i, child] of children.entries()) {
    if (i === children.length - 1) at += spread.beforeLast;
    const main = at + marginStart(child, axis);
    const cross = crossStart(box, child, crossOf(axis), crossExtent, line.cross[i]!);
    const size = line.sizes[i]!;
    placements.push(
      axis === 0
        ? {
            box: child,
            x: rect.x + main,
            y: rect.y + cross,
            w: size,
            h: line.cross[i]!,
            isAutoWidth: line.isAuto[i]!,
            isAutoHeight: line.isCrossAuto[i]!,
          }
        : {
            box: child,
            x: rect.x + cross,
            y: rect.y + main,
            w: line.cross[i]!,
            h: size,
            isAutoWidth: line.isCrossAuto[i]!,
            isAutoHeight: line.isAuto[i]!,
          },
    );
    at += line.slots[i]! + line.gap + spread.between;
  }
  return placements;
}

/** How leftover cells are spread by `justify` (G-066). */
function spreadOf(box: Box, leftover: number, n: number) {
  const none = { start: 0, between: 0, beforeLast: 0 };
  if (leftover <= 0) return none;
  switch (box.style.justify) {
    case 'center':
      return { ...none, start: Math.floor(leftover / 2) };
    case 'end':
      return { ...none, start: leftover };
    case 'space-between': {
      if (n < 2) return none;
      const between = Math.floor(leftover / (n - 1));
      return { ...none, between, beforeLast: leftover - between * (n - 1) };
    }
    default:
      return none;
  }
}

function crossStart(box: Box, child: Box, axis: Axis, extent: number, size: number): number {
  const start = marginStart(child, axis);
  const room = Math.max(0, extent - marginsOn(child, axis)) - size;
  const { align } = box.style;
  if (align === 'center') return start + Math.max(0, Math.floor(room / 2));
  return align === 'end' ? start + Math.max(0, room) : start;
}
