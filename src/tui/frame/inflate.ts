import { type AliasFrame, resolvePath, type Scope } from '../data/scope.ts';
import { isTruthy, type JsonValue, typeName } from '../data/value.ts';
import { quote } from '../diagnostics/quote.ts';
import type { DocNode } from '../markup/types.ts';
import { cleanText } from '../template/clean.ts';
import { formatValue } from '../template/format.ts';
import { segment, stringWidth } from '../text/graphemes.ts';
import { type Box, createBox } from './box.ts';
import { FrameLimit, MAX_BOXES } from './frame-limit.ts';
import {
  classesWith,
  expand,
  heldGuards,
  type Inflating,
  scopeOf,
  testFlag,
  testGuard,
} from './inflating.ts';
import { keyIdentity } from './keys.ts';
import { reportBind, reportMissing } from './report.ts';
import { readElements, readKey, readRows } from './rows.ts';
import { readTable } from './table-data.ts';

interface Surroundings {
  readonly parent: Box | null;
  readonly alias: AliasFrame | null;
  readonly isRepeated: boolean;
  readonly rowPath: string;
}

/** Builds the boxes of a screen or modal; null when it is pruned (G-118 step 1, G-122). */
export function inflateTree(frame: Inflating, node: DocNode, parent: Box | null): Box | null {
  return inflate(frame, node, { parent, alias: null, isRepeated: false, rowPath: '' });
}

/** Fills in the children of a tab box, which is first made without them. */
export function inflateTab(frame: Inflating, tab: Box): void {
  const around = {
    parent: tab,
    alias: tab.alias,
    isRepeated: !tab.isAddressable,
    rowPath: tab.rowPath,
  };
  for (const child of tab.source!.children) addChild(frame, child, around);
}

/** Never laid out, even where they stand by mistake (U-031). */
const UNRENDERED = new Set(['tui', 'style', 'keymap', 'bind']);

function addChild(frame: Inflating, node: DocNode, around: Surroundings): Box | null {
  if (UNRENDERED.has(node.kind)) return null;
  const child = inflate(frame, node, around);
  if (child) around.parent!.children.push(child);
  return child;
}

function inflate(frame: Inflating, node: DocNode, around: Surroundings): Box | null {
  const scope = scopeOf(frame, around.alias);
  if (node.if && !testGuard(frame, node, 'if', node.if, scope)) return null;
  if (testFlag(frame, node, 'hidden', node.hidden, scope)) return null;
  if (node.kind === 'modal' && !isModalOpen(frame, node, scope)) return null;
  // A header cell carries the static classes of its column only (G-231).
  const guards = node.kind === 'column' ? [] : heldGuards(frame, node, scope);
  if (++frame.boxes > MAX_BOXES) throw new FrameLimit();
  const box = createBox({
    source: node,
    element: node,
    tag: node.tag,
    kind: node.kind,
    id: node.id,
    classes: classesWith(node, guards),
    parent: around.parent,
    isAddressable: !around.isRepeated,
    alias: around.alias,
    rowPath: around.rowPath,
  });
  box.activeGuards = guards;
  if (node.id !== null && box.isAddressable) frame.present.add(node.id);
  const isDisabled = testFlag(frame, node, 'disabled', node.disabled, scope);
  box.isDisabled = isDisabled || (around.parent?.isDisabled ?? false);
  box.isFocused = box.isAddressable && node.id !== null && node.id === frame.state.focus;
  box.hasFocusWithin = box.isAddressable && frame.focusChain.has(node);
  if (node.title) {
    const title = expand(frame, node, node.title, scope);
    if (node.kind === 'column') box.text = title;
    else box.title = title;
  }
  if (node.mark !== null && isMarkWidth(stringWidth(node.mark))) box.mark = node.mark;
  fill(frame, node, box, scope);
  return box;
}

function isMarkWidth(width: number): boolean {
  return width === 1 || width === 2;
}

/** Values and children that depend on the kind. */
function fill(frame: Inflating, node: DocNode, box: Box, scope: Scope): void {
  switch (node.kind) {
    case 'text':
      if (node.body) box.text = expand(frame, node, node.body, scope);
      return;
    case 'button':
      box.text = (node.label ?? node.body)?.source ?? '';
      return;
    case 'input':
      fillInput(frame, node, box, scope);
      return;
    case 'progress':
      box.progress = readProgress(frame, node, scope);
      return;
    case 'sparkline':
      box.series = readSeries(frame, node, scope);
      return;
    case 'list':
      fillList(frame, node, box, scope);
      return;
    case 'table':
      addChildren(frame, node, box);
      box.table = readTable(frame, node, box, scope);
      box.rows = box.table;
      return;
    case 'tab':
      // Only the active tab gets content, once it is known (G-118 step 3).
      return;
    case 'col':
    case 'row':
    case 'box':
      if (node.each) repeatChildren(frame, node, box, scope);
      else addChildren(frame, node, box);
      return;
    case 'screen':
      addChildren(frame, node, box, (child) => child.kind !== 'modal');
      return;
    default:
      addChildren(frame, node, box);
  }
}

function addChildren(
  frame: Inflating,
  node: DocNode,
  box: Box,
  wants: (child: DocNode) => boolean = () => true,
): void {
  const { alias, rowPath } = box;
  const around = { parent: box, alias, isRepeated: !box.isAddressable, rowPath };
  for (const child of node.children) {
    // The row template of a table makes rows, not a child (G-014).
    if (node.kind === 'table' && child.kind !== 'column') continue;
    // Anything else in a strip is an error of the document (U-032) and has no place in it.
    if (node.kind === 'tabs' && child.kind !== 'tab') continue;
    if (wants(child)) addChild(frame, child, around);
  }
}

function isModalOpen(frame: Inflating, node: DocNode, scope: Scope): boolean {
  if (node.open !== null) return testFlag(frame, node, 'open', node.open, scope);
  if (node.bind === null) return false;
  const value = resolvePath(node.bind, scope);
  if (value === undefined) reportMissing(frame.report, node, node.bind);
  return isTruthy(value);
}

function fillInput(frame: Inflating, node: DocNode, box: Box, scope: Scope): void {
  let raw = '';
  if (node.bind) {
    const value = resolvePath(node.bind, scope);
    if (value === undefined) reportMissing(frame.report, node, node.bind);
    else raw = formatValue(value);
  } else if (node.id !== null && box.isAddressable) {
    raw = frame.state.texts.get(node.id) ?? '';
  }
  const length = [...raw].length;
  const known = node.id !== null && box.isAddressable ? frame.state.carets.get(node.id) : undefined;
  const placeholder = node.placeholder ? expand(frame, node, node.placeholder, scope) : '';
  box.input = { raw, caret: Math.min(known ?? length, length), placeholder };
  const shown = cleanText(raw, { keepLf: false });
  box.text = node.secret ? '•'.repeat(segment(shown).length) : shown;
}

function readProgress(frame: Inflating, node: DocNode, scope: Scope): number {
  if (node.bind) {
    const value = resolvePath(node.bind, scope);
    if (typeof value === 'number') return value;
    if (value === undefined) reportMissing(frame.report, node, node.bind);
    else if (value !== null) {
      const found = `progress bind ${quote(node.bind.source)} is ${typeName(value)}`;
      reportBind(frame.report, node, 'B003', `${found}, want a number 0-100`, true);
      return 0;
    }
  }
  return node.value ?? 0;
}

function readSeries(frame: Inflating, node: DocNode, scope: Scope): (number | null)[] {
  if (!node.bind) return [];
  const value = resolvePath(node.bind, scope);
  const where = `bind=${quote(node.bind.source)}`;
  if (value === undefined) {
    reportMissing(frame.report, node, node.bind);
    return [];
  }
  if (!Array.isArray(value)) {
    const what = `${where} is ${typeName(value)}, not an array of numbers`;
    reportBind(frame.report, node, 'B009', `${what}; nothing is drawn`);
    return [];
  }
  const odd = value.findIndex((element) => element !== null && typeof element !== 'number');
  if (odd >= 0) {
    const what = `${where}: element ${odd} is ${typeName(value[odd]!)}, not a number or null`;
    reportBind(frame.report, node, 'B009', `${what}; it is drawn as a gap`);
  }
  return value.map((element) => (typeof element === 'number' ? element : null));
}

function repeatChildren(frame: Inflating, node: DocNode, box: Box, scope: Scope): void {
  for (const [index, value] of readElements(frame, node, scope).entries()) {
    const alias = { name: node.each!.alias, value, outer: box.alias };
    const key = readKey(frame, node, index, scopeOf(frame, alias), 'container');
    const rowPath = `${box.rowPath}|${keyIdentity(key)}`;
    const around = { parent: box, alias, isRepeated: true, rowPath };
    for (const child of node.children) {
      const copy = addChild(frame, child, around);
      if (!copy) continue;
      copy.key = key;
      copy.rowIndex = index;
    }
  }
}

function fillList(frame: Inflating, node: DocNode, box: Box, scope: Scope): void {
  const keys: JsonValue[] = [];
  const items = new Map<number, Box>();
  const addRow = (item: DocNode, index: number, key: JsonValue, alias: AliasFrame | null) => {
    keys.push(key);
    const rowPath = `${box.rowPath}|${keyIdentity(key)}`;
    const row = addChild(frame, item, { parent: box, alias, isRepeated: true, rowPath });
    if (!row) return;
    row.key = key;
    row.rowIndex = index;
    items.set(index, row);
  };
  const templates = node.children.filter((child) => child.kind === 'item');
  if (node.each) {
    for (const [index, value] of readElements(frame, node, scope).entries()) {
      const alias = { name: node.each.alias, value, outer: box.alias };
      const key = readKey(frame, node, index, scopeOf(frame, alias), 'list');
      if (templates[0]) addRow(templates[0], index, key, alias);
      else keys.push(key);
    }
  } else {
    for (const [index, item] of templates.entries())
      addRow(item, index, item.id ?? index, box.alias);
  }
  box.rows = readRows(frame, node, box, keys, scope);
  const channel = box.rows.checked !== null && box.mark !== '' ? stringWidth(box.mark) + 1 : 0;
  for (const [index, row] of items) {
    row.isSelected = index === box.rows.cursor;
    row.isChecked = box.rows.checked?.has(keyIdentity(row.key!)) ?? false;
    row.channel = channel;
    row.mark = box.mark;
  }
}
