import type { Box } from '../frame/box.ts';
import { stringWidth } from '../text/graphemes.ts';
import { gapOn, mainAxisOf } from './axis.ts';
import type { Layout } from './context.ts';
import type { Placement } from './placement.ts';
import { hintWidth } from './widget-sizes.ts';

/**
 * Places the items of a `hints` (G-081). The first one that does not fit whole, and all after it,
 * leave the box's children.
 */
export function planHints(layout: Layout, box: Box): Placement[] {
  const axis = mainAxisOf(box);
  const gap = gapOn(box, axis, layout.isVersion3);
  const extent = axis === 0 ? box.cw : box.ch;
  const placements: Placement[] = [];
  let at = 0;
  for (const item of box.children) {
    const w = hintWidth(layout, item);
    const length = axis === 0 ? w : 1;
    if (at + length > extent) break;
    const x = axis === 0 ? box.cx + at : box.cx;
    const y = axis === 0 ? box.cy : box.cy + at;
    placements.push({ box: item, x, y, w, h: 1, isAutoWidth: false, isAutoHeight: false });
    at += length + gap;
  }
  box.children = placements.map((placement) => placement.box);
  return placements;
}

/** Places keycap and label inside one hint. */
export function planHint(layout: Layout, item: Box): Placement[] {
  const gap = gapOn(item, 0, layout.isVersion3);
  let { x } = item;
  return item.children.map((text) => {
    const w = stringWidth(text.text);
    const placement = { box: text, x, y: item.y, w, h: 1, isAutoWidth: false, isAutoHeight: false };
    x += w + gap;
    return placement;
  });
}
