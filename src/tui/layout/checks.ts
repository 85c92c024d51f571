import type { Box } from '../frame/box.ts';
import { linesOf, widestLine } from '../text/lines.ts';
import { type Axis, isContainer, scrollsOn } from './axis.ts';
import { type Layout, report } from './context.ts';
import { bodyRows } from './table.ts';

/** What was reported already: `L008` and `L009` come once per source element (G-196). */
interface Checked {
  readonly layout: Layout;
  readonly unseen: Set<Box>;
  readonly reported: Set<string>;
}

/**
 * Looks for viewports and content that the layout cuts off (`L006`, and in v3 `L008`, `L009`), after
 * everything has its place and before table rows exist.
 */
export function checkLayout(layout: Layout, boxes: readonly Box[]): void {
  const checked: Checked = { layout, unseen: new Set(), reported: new Set() };
  for (const box of boxes) if (box.viewport) checkViewport(checked, box);
  if (!layout.isVersion3) return;
  for (const box of boxes) {
    if (box.style.visibility === 'hidden') continue;
    if (box.kind === 'text' && box.role === 'element') checkText(checked, box);
    else checkChildren(checked, box);
  }
}

function nameOf(box: Box): string {
  return box.id === null ? box.tag : `${box.tag}#${box.id}`;
}

function checkViewport(checked: Checked, box: Box): void {
  for (const axis of [1, 0] as const) {
    if (!scrollsOn(box, axis)) continue;
    const problem = viewportProblem(box, axis);
    if (problem === null) continue;
    checked.unseen.add(box);
    report(checked.layout, box, 'warning', 'L006', problem);
    return;
  }
}

function viewportProblem(box: Box, axis: Axis): string | null {
  const viewport = box.viewport!;
  const view = axis === 0 ? box.cw : box.table ? bodyRows(box) : box.ch;
  const content = axis === 0 ? viewport.w : box.table ? box.table.keys.length : viewport.h;
  if (view === 0 && content > 0) {
    const lines = axis === 0 ? 'columns' : 'rows';
    return `${box.tag} gets 0 ${lines} on its scroll axis but has content there, so nothing of it shows`;
  }
  for (let at = box.parent; at !== null && !scrollsOn(at, axis); at = at.parent) {
    if (!sticksOut(box, at, axis)) continue;
    const where = axis === 0 ? 'x' : 'y';
    return `${box.tag} is clipped on ${where} by ${nameOf(at)}, which does not scroll, so its end is out of reach`;
  }
  return null;
}

function sticksOut(box: Box, container: Box, axis: Axis): boolean {
  return axis === 0
    ? box.x < container.cx || box.x + box.w > container.cx + container.cw
    : box.y < container.cy || box.y + box.h > container.cy + container.ch;
}

function reportOnce(checked: Checked, box: Box, code: string, msg: string): void {
  const key = `${code}:${box.source?.order ?? -1}`;
  if (checked.reported.has(key)) return;
  checked.reported.add(key);
  report(checked.layout, box, 'warning', code, msg);
}

function checkText(checked: Checked, box: Box): void {
  const { wrap, isWrapWritten, isOverflowWritten } = box.style;
  const isDefaultWrap = (wrap === null || wrap === 'nowrap') && !isWrapWritten;
  const widest = isDefaultWrap ? widestLine(box.text) : 0;
  if (widest > box.cw) {
    box.clipped = 'text';
    const what = `text is ${widest} columns wide but its content box has ${box.cw}`;
    reportOnce(checked, box, 'L008', `${what}; wrap it, truncate it or make room`);
    return;
  }
  if (isOverflowWritten) return;
  const lines = linesOf(box.text, box.cw, wrap).length;
  if (lines <= box.ch) return;
  box.clipped = 'text';
  const what = `text has ${lines} lines but its content box has ${box.ch} rows`;
  reportOnce(checked, box, 'L008', `${what}; make room or let it scroll`);
}

/** Kinds whose children may well lie outside (G-196). */
const NOT_CHECKED = new Set(['list', 'table', 'hints']);

function checkChildren(checked: Checked, box: Box): void {
  if (!isContainer(box) || box.role !== 'element' || NOT_CHECKED.has(box.kind)) return;
  if (box.style.isOverflowWritten || checked.layout.overfull.has(box)) return;
  for (const child of box.children) {
    if (child.style.visibility === 'hidden' || child.w === 0 || child.h === 0) continue;
    if (checked.unseen.has(child)) continue;
    for (const axis of [1, 0] as const) {
      if (scrollsOn(box, axis) || !sticksOut(child, box, axis)) continue;
      box.clipped = 'children';
      const total = axis === 0 ? child.w : child.h;
      const where = axis === 0 ? 'x' : 'y';
      const what = `cuts ${childName(box, child)} on ${where}: ${shownCells(child, box, axis)} of ${total} cells shown`;
      reportOnce(checked, box, 'L009', `${what}; make room or let it scroll`);
      return;
    }
  }
}

function shownCells(child: Box, box: Box, axis: Axis): number {
  const from = axis === 0 ? Math.max(child.x, box.cx) : Math.max(child.y, box.cy);
  const to =
    axis === 0
      ? Math.min(child.x + child.w, box.cx + box.cw)
      : Math.min(child.y + child.h, box.cy + box.ch);
  return Math.max(0, to - from);
}

function childName(box: Box, child: Box): string {
  if (child.id !== null) return `#${child.id}`;
  const same = box.children.filter((sibling) => sibling.tag === child.tag);
  return same.length > 1 ? `${child.tag}[${same.indexOf(child)}]` : child.tag;
}
