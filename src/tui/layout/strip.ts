import type { Box, TabEntry } from '../frame/box.ts';
import { truncate } from '../text/fit.ts';
import { stringWidth } from '../text/graphemes.ts';
import { gapOn } from './axis.ts';
import type { Layout } from './context.ts';
import type { Placement } from './placement.ts';
import { stripWidth } from './widget-sizes.ts';

/**
 * Chooses the tier of a tab strip and places its labels and the active tab (G-079). Labels get the
 * text of their tier; those left out leave the box's children.
 */
export function planTabs(layout: Layout, box: Box): Placement[] {
  const { entries, active } = box.tabs!;
  const mark = stringWidth(box.mark);
  const gap = gapOn(box, 0, layout.isVersion3);
  const shown = chooseTexts(layout, box, entries, active, mark);
  const placements: Placement[] = [];
  let x = box.cx;
  for (const [entry, text] of shown) {
    const { label } = entry;
    label.text = text;
    label.channel = mark;
    const w = mark + stringWidth(text);
    placements.push({ box: label, x, y: box.cy, w, h: 1, isAutoWidth: false, isAutoHeight: false });
    x += w + gap;
  }
  box.children = shown.map(([entry]) => entry.label);
  if (active) {
    box.children.push(active.tab);
    const h = Math.max(0, box.ch - 1);
    const { cx, cy, cw } = box;
    placements.push({
      box: active.tab,
      x: cx,
      y: cy + 1,
      w: cw,
      h,
      isAutoWidth: false,
      isAutoHeight: false,
    });
  }
  return placements;
}

function chooseTexts(
  layout: Layout,
  box: Box,
  entries: readonly TabEntry[],
  active: TabEntry | null,
  mark: number,
): [TabEntry, string][] {
  if (stripWidth(layout, box, 'full') <= box.cw) return entries.map((entry) => [entry, entry.full]);
  if (stripWidth(layout, box, 'short') <= box.cw)
    return entries.map((entry) => [entry, entry.short]);
  if (!active) return [];
  const long = `‹ ${active.full} ›`;
  if (mark + stringWidth(long) <= box.cw) return [[active, long]];
  return [[active, truncate(`‹ ${active.short} ›`, box.cw - mark)]];
}
