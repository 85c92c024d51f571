import { resolvePath } from '../data/scope.ts';
import { quote } from '../diagnostics/quote.ts';
import { compactSortedJson } from '../json/print.ts';
import type { DocNode } from '../markup/types.ts';
import type { Template } from '../template/types.ts';
import { type Box, createBox, type TabEntry, type TabsData } from './box.ts';
import { expand, type Inflating, scopeOf } from './inflating.ts';
import { reportBind, reportMissing } from './report.ts';

/**
 * Picks the active tab of a `tabs` and makes a label box for each visible tab (G-118 step 3, G-139).
 *
 * @param visible the tab boxes that are neither pruned nor `display: none`
 */
export function chooseTab(frame: Inflating, tabs: Box, visible: readonly Box[]): TabsData {
  const entries = visible.map((tab) => makeEntry(frame, tabs, tab));
  const wanted = activeIndex(frame, tabs, visible);
  const active = entries[wanted] ?? null;
  if (active) active.label.isSelected = true;
  return { entries, active };
}

function makeEntry(frame: Inflating, tabs: Box, tab: Box): TabEntry {
  const node = tab.source!;
  const full = resolveLabel(frame, node, node.label);
  const short = resolveLabel(frame, node, node.short) || full;
  const label = createBox({
    role: 'tab-label',
    source: node,
    tag: 'text',
    kind: 'text',
    classes: ['tab-label'],
    parent: tabs,
    isDisabled: tabs.isDisabled || tab.isDisabled,
    text: full,
  });
  label.key = node.id ?? undefined;
  label.mark = tabs.mark;
  return { tab, label, full, short };
}

/** Against the store alone; line breaks that came from data become spaces (G-125). */
function resolveLabel(frame: Inflating, node: DocNode, template: Template | null): string {
  if (!template) return '';
  return expand(frame, node, template, scopeOf(frame, null)).replaceAll('\n', ' ');
}

function activeIndex(frame: Inflating, tabs: Box, visible: readonly Box[]): number {
  const node = tabs.source!;
  const indexOf = (id: unknown) => visible.findIndex((tab) => tab.id !== null && tab.id === id);
  if (!node.bind) {
    const memory =
      tabs.isAddressable && node.id !== null ? frame.state.tabMemory.get(node.id) : null;
    return Math.max(0, indexOf(memory));
  }
  const value = resolvePath(node.bind, scopeOf(frame, tabs.alias));
  if (value === undefined) {
    reportMissing(frame.report, node, node.bind);
    return 0;
  }
  if (value === null) return 0;
  const found = indexOf(value);
  if (found < 0) {
    const what = `bind=${quote(node.bind.source)} holds ${compactSortedJson(value)}`;
    const of = `which is not the id of a visible tab of #${node.id ?? ''}`;
    reportBind(frame.report, node, 'B010', `${what}, ${of}; the first visible tab is shown`);
  }
  return Math.max(0, found);
}
