import { type Cascade, computeStyle } from '../style/cascade.ts';
import { pseudoHolds } from '../style/match.ts';
import type { Box } from './box.ts';
import { inflateTab } from './inflate.ts';
import type { Inflating } from './inflating.ts';
import { chooseTab } from './tabs.ts';

/** Computes one box's style from its parent's (G-016, G-027); token problems go to the report. */
export function styleBox(frame: Inflating, cascade: Cascade, box: Box): void {
  box.wasEmpty = pseudoHolds('empty', box);
  if (box.kind === 'tab') box.wasEmpty = false;
  const { style, problems } = computeStyle(cascade, box, box.parent ? box.parent.style : null);
  box.style = style;
  if (problems.length > 0) frame.report.cascade.push(...problems);
}

/**
 * Styles a tree from the top down and drops what is `display: none` with everything below it
 * (G-051). The active tab of each `tabs` is chosen on the way, outermost first, since its content
 * exists only then (G-118 steps 2 and 3).
 *
 * @returns false when the box itself is dropped
 */
export function styleTree(frame: Inflating, cascade: Cascade, box: Box): boolean {
  styleBox(frame, cascade, box);
  if (box.style.display === 'none') return false;
  if (box.kind === 'tabs') styleTabs(frame, cascade, box);
  else box.children = box.children.filter((child) => styleTree(frame, cascade, child));
  return true;
}

function styleTabs(frame: Inflating, cascade: Cascade, box: Box): void {
  const visible = box.children.filter((tab) => {
    styleBox(frame, cascade, tab);
    return tab.style.display !== 'none';
  });
  const data = chooseTab(frame, box, visible);
  box.tabs = data;
  box.children = data.entries.map((entry) => entry.label);
  if (data.active) box.children.push(data.active.tab);
  for (const { label } of data.entries) styleBox(frame, cascade, label);
  if (!data.active) return;
  const { tab } = data.active;
  inflateTab(frame, tab);
  tab.children = tab.children.filter((child) => styleTree(frame, cascade, child));
}
