import { quote } from '../diagnostics/quote.ts';
import { hasBracePair } from '../template/parse.ts';
import { stringWidth } from '../text/graphemes.ts';
import { describeNode, templateHint } from './advice.ts';
import { FOCUSABLE_TAGS } from './catalog.ts';
import { attributeValue, type CheckContext, type Draft, report, written } from './context.ts';

/** Rules about elements as a whole (section 6); run when the tree stands. */
export function checkStructure(context: CheckContext): void {
  const screens = context.nodes.filter((node) => isScreen(node));
  for (const node of context.nodes) {
    checkId(context, node, screens);
    if (node.tag === 'screen') checkModalsLast(context, node);
    if (node.tag === 'list') checkList(context, node);
    if (context.version >= 2) {
      if (node.tag === 'table') checkTable(context, node);
      checkTabs(context, node);
      checkChecked(context, node);
      checkAlias(context, node);
      if (node.tag === 'sparkline' && !has(node, 'bind')) {
        fail(context, node, 'V003', '<sparkline> needs bind="path": the array of numbers to draw');
      }
    }
    if (node.tag === 'scroll' && node.stick && node.axis === 'x') {
      const msg = 'stick="bottom" needs a y scroll axis; axis="x" cannot stick';
      fail(context, node, 'V003', msg);
    }
    checkFocusTarget(context, node);
  }
}

/** A `<screen>` where screens belong. */
export function isScreen(node: Draft): boolean {
  return node.tag === 'screen' && node.parent?.tag === 'tui';
}

/** True when the attribute stands on the element, whatever its value. */
function has(node: Draft, name: string): boolean {
  return node.attributes.some((attribute) => attribute.name === name);
}

function fail(context: CheckContext, node: Draft, code: string, msg: string): void {
  report(context, node, node, code, msg);
}

function isRepeated(context: CheckContext, node: Draft): boolean {
  const around = context.surroundings.get(node)!;
  return around.listRow !== null || around.template !== null;
}

/** `V012` (U-047). */
function checkId(context: CheckContext, node: Draft, screens: readonly Draft[]): void {
  if (node.id !== null) return;
  if (isScreen(node)) {
    if (screens.length > 1) {
      fail(context, node, 'V012', 'each <screen> needs an id when there are several');
    }
    return;
  }
  if (isRepeated(context, node)) return;
  const { tag } = node;
  const kinds: Record<string, string> = {
    table: 'its cursor and scroll offset are kept by it',
    tabs: 'its active tab is kept by it',
    tab: 'bind and switch-to name a tab by it',
  };
  const why = kinds[tag];
  if (why !== undefined) fail(context, node, 'V012', `<${tag}> needs an id: ${why}`);
  else if (FOCUSABLE_TAGS.has(tag) || node.focusable === true) {
    fail(context, node, 'V012', `<${tag}> is focusable and needs an id`);
  }
  if (tag === 'scroll' && node.stick) {
    const msg = '<scroll stick="bottom"> needs an id: its offset is kept by it';
    fail(context, node, 'V012', msg);
  }
}

/** `L004` (U-049). */
function checkModalsLast(context: CheckContext, screen: Draft): void {
  const first = screen.children.findIndex((child) => child.tag === 'modal');
  if (first < 0) return;
  for (const child of screen.children.slice(first)) {
    if (child.tag === 'modal') continue;
    const msg = `<modal> must be the last child of <screen> (found <${child.tag}> after it)`;
    fail(context, child, 'L004', msg);
  }
}

/** U-050. */
function checkList(context: CheckContext, list: Draft): void {
  if (list.each === null) return;
  const items = list.children.filter((child) => child.tag === 'item').length;
  if (items !== 1) {
    const msg = `<list each=...> needs exactly one <item> template (found ${items})`;
    fail(context, list, 'V013', msg);
  }
  if (has(list, 'key')) return;
  const msg = `<list ${written('each', list.each.source)}> has no key=; selection follows the index`;
  report(context, list, list, 'B006', msg, 'warning');
}

/** U-051. */
function checkTable(context: CheckContext, table: Draft): void {
  if (!has(table, 'each')) {
    fail(context, table, 'V017', '<table> needs each="path as alias": its rows come from an array');
  }
  if (!table.children.some((child) => child.tag === 'column')) {
    fail(context, table, 'V017', '<table> needs at least one <column>');
  }
  const items = table.children.filter((child) => child.tag === 'item');
  for (const item of items.slice(1)) {
    fail(context, item, 'V016', 'a <table> has at most one <item>, its row template');
  }
  if (table.each === null || has(table, 'key') || isRepeated(context, table)) return;
  const each = written('each', table.each.source);
  const msg = `<table ${each}> has no key=; the cursor follows the row index`;
  report(context, table, table, 'B006', msg, 'warning');
}

/** U-052. */
function checkTabs(context: CheckContext, node: Draft): void {
  if (node.tag === 'tabs' && !node.children.some((child) => child.tag === 'tab')) {
    fail(context, node, 'V017', '<tabs> needs at least one <tab>');
  }
  if (node.tag === 'tab' && !attributeValue(node, 'label')) {
    fail(context, node, 'V003', '<tab> needs a non-empty label=: it is the text on the strip');
  }
}

/** `V018` (U-055). */
function checkChecked(context: CheckContext, node: Draft): void {
  const { tag } = node;
  const isRows = tag === 'list' || tag === 'table';
  if (!isRows && tag !== 'tabs') return;
  if (isRows && has(node, 'checked')) {
    const missing = ['each=', 'key='].filter((name) => !has(node, name.slice(0, -1)));
    if (missing.length > 0) {
      const what = missing.join(' and ');
      const msg = `checked on <${tag}> needs ${what} on the same element: checked holds row keys`;
      fail(context, node, 'V018', msg);
    }
  }
  checkMark(context, node);
  if (!isRows || has(node, 'checked')) return;
  if (has(node, 'mark')) {
    const msg = `mark on <${tag}> needs checked=: it marks the rows that are checked`;
    fail(context, node, 'V018', msg);
  }
  if (tag === 'list' && has(node, 'on:change')) {
    const msg = 'on:change on <list> needs checked=: it fires when the checked rows change';
    fail(context, node, 'V018', msg);
  }
}

function checkMark(context: CheckContext, node: Draft): void {
  if (node.mark === null) return;
  const { mark } = node;
  const width = stringWidth(mark);
  if (width === 1 || width === 2) return;
  node.mark = null;
  if (hasBracePair(mark)) return;
  const msg = `${written('mark', mark)} is ${width} columns wide; a mark is 1 or 2 columns wide`;
  fail(context, node, 'V018', msg);
}

/** `V011` for an alias that hides another (U-056). */
function checkAlias(context: CheckContext, node: Draft): void {
  if (node.each === null) return;
  for (let outer = node.parent; outer !== null; outer = outer.parent) {
    if (outer.each === null || outer.each.alias !== node.each.alias) continue;
    const enclosing = `${written('each', outer.each.source)} of ${describeNode(outer)}`;
    const repeats = `the alias ${quote(node.each.alias)} repeats the alias of the enclosing`;
    const head = written('each', node.each.source);
    fail(context, node, 'V011', `${head}: ${repeats} ${enclosing}; choose another alias`);
    return;
  }
}

/** Where an id can be found, for references (U-057, U-095). */
export type Reach = 'addressable' | 'listRow' | 'template' | 'missing';

/** Whether an id of the tree can be addressed. */
export function reachOf(context: CheckContext, id: string): Reach {
  const node = context.targets.get(id);
  return node === undefined ? 'missing' : reachOfNode(context, node);
}

function reachOfNode(context: CheckContext, node: Draft): Reach {
  const around = context.surroundings.get(node)!;
  if (around.listRow !== null) return 'listRow';
  return around.template === null ? 'addressable' : 'template';
}

/** Fill `context.targets` once the tree stands. */
export function collectTargets(context: CheckContext): void {
  for (const node of context.nodes) {
    if (node.id === null) continue;
    const known = context.targets.get(node.id);
    const isBetter =
      known === undefined ||
      (reachOfNode(context, known) !== 'addressable' &&
        reachOfNode(context, node) === 'addressable');
    if (isBetter) context.targets.set(node.id, node);
  }
}

/** The tail of a reference to an id that cannot be addressed. */
export function whyUnreachable(reach: Reach): string {
  const nowhere = 'where nothing takes focus or is addressed by id';
  if (reach === 'listRow') {
    return `is inside a list <item>, ${nowhere}: name the list instead`;
  }
  return `is inside an each template, ${nowhere}: ${templateHint}`;
}

/** `B005` (U-057). */
function checkFocusTarget(context: CheckContext, node: Draft): void {
  const { tag, focus } = node;
  if (focus === null) return;
  const head = written('focus', `#${focus}`);
  const reach = reachOf(context, focus);
  if (reach === 'missing') {
    fail(context, node, 'B005', `${head} refers to an id that does not exist`);
  } else if (reach !== 'addressable') {
    fail(context, node, 'B005', `${head} ${whyUnreachable(reach)}`);
  } else if (tag !== 'screen') {
    const target = context.targets.get(focus)!;
    if (isInside(target, node)) return;
    const msg = `${head} names a node outside this ${tag}; name one of its own nodes`;
    fail(context, node, 'B005', msg);
  }
}

function isInside(node: Draft, ancestor: Draft): boolean {
  for (let at = node.parent; at !== null; at = at.parent) if (at === ancestor) return true;
  return false;
}
