import { quote } from '../diagnostics/quote.ts';
import type { KeyRow } from '../markup/types.ts';
import { parseSelector, selectorIds } from '../style/selector.ts';
import type { Selector } from '../style/types.ts';
import { isIdent, isIdName } from '../template/paths.ts';
import {
  attributeValue,
  type CheckContext,
  type Draft,
  report,
  type Subject,
  written,
} from './context.ts';
import { reachOf, whyUnreachable } from './structure.ts';

const NAMED_KEYS = new Set(
  'enter esc tab backspace space up down left right home end pgup pgdn shift+tab'.split(' '),
);

/** Key names with more than one character, for the briefing. */
export const KEY_NAMES: readonly string[] = [...NAMED_KEYS];

/** Built-in actions of every version, and those of v2 that only keymap rows may use (U-094). */
export const BUILTINS_V1: readonly string[] = ['quit', 'focus'];
export const BUILTINS_V2: readonly string[] = [
  'move-next',
  'move-prev',
  'move-first',
  'move-last',
  'move-page-down',
  'move-page-up',
  'check-toggle',
  'check-all',
  'check-none',
  'switch-to',
];

/** Tags that cannot be the target of a move (U-096). */
const UNMOVABLE = new Set(
  'text rule spacer input button progress sparkline hints column tab item'.split(' '),
);

/** True for one key token (U-093). */
export function isKeyToken(text: string): boolean {
  return NAMED_KEYS.has(text) || /^ctrl\+[a-z]$/.test(text) || /^[!-+\--~]$/.test(text);
}

/** True for an action that the runtime itself carries out in this version (U-100). */
export function isBuiltin(action: string, version: number): boolean {
  return BUILTINS_V1.includes(action) || (version >= 2 && BUILTINS_V2.includes(action));
}

interface When {
  readonly text: string;
  readonly selector: Selector | null;
  readonly neverMatches: boolean;
}

const NO_WHEN: When = { text: '', selector: null, neverMatches: false };

/** Rows of all keymaps in source order, checked (U-092 … U-097). */
export function readKeymap(context: CheckContext): KeyRow[] {
  const rows: KeyRow[] = [];
  for (const keymap of context.nodes) {
    if (keymap.tag !== 'keymap' || keymap.parent?.tag !== 'tui') continue;
    const shared = readWhen(context, attributeValue(keymap, 'when') ?? '', keymap, keymap);
    for (const bind of keymap.children) {
      if (bind.tag === 'bind') rows.push(readRow(context, bind, shared));
    }
  }
  return rows;
}

function readRow(context: CheckContext, bind: Draft, shared: When): KeyRow {
  const subject = { path: '/keymap/bind', id: null };
  const fail = (code: string, msg: string) => report(context, bind, subject, code, msg);
  const keysText = attributeValue(bind, 'keys') ?? '';
  const action = attributeValue(bind, 'action') ?? '';
  const keys = readKeys(keysText, fail);
  checkAction(context, action, fail);
  const ownWhen = attributeValue(bind, 'when');
  const when = ownWhen === null ? shared : readWhen(context, ownWhen, bind, subject);
  const to = readTarget(context, action, attributeValue(bind, 'to'), fail);
  if (context.version >= 2) checkFit(context, action, to, when, fail);
  return {
    line: bind.line,
    col: bind.col,
    keysText,
    keys,
    action,
    whenText: when.text,
    when: when.selector,
    whenNeverMatches: when.neverMatches,
    to,
    label: attributeValue(bind, 'label'),
    keycap: attributeValue(bind, 'keycap'),
  };
}

type Fail = (code: string, msg: string) => void;

function readKeys(text: string, fail: Fail): string[] {
  if (text.trim() === '') {
    fail('V003', '<bind> needs keys=');
    return [];
  }
  const keys: string[] = [];
  for (const part of text.split(',')) {
    const key = part.trim();
    if (key === '') continue;
    if (isKeyToken(key)) keys.push(key);
    else {
      const hint = 'enter, esc, ctrl+a, shift+tab, or one character';
      fail('V003', `unknown key ${quote(key)} (see the key token list: ${hint})`);
    }
  }
  return keys;
}

function checkAction(context: CheckContext, action: string, fail: Fail): void {
  if (action === '') fail('V003', '<bind> needs action=');
  else if (BUILTINS_V2.includes(action)) {
    if (context.version === 1) {
      fail('V003', `${written('action', action)}: built-in action (requires version="2")`);
    }
  } else if (!isIdent(action)) {
    fail('V003', `${written('action', action)}: an action is a plain name`);
  }
}

/** Parse a `when` and look for its ids; problems go to the element that wrote it (U-095, U-097). */
function readWhen(context: CheckContext, text: string, at: Draft, subject: Subject): When {
  if (text === '') return NO_WHEN;
  const head = written('when', text);
  const fault = whenFault(context, text);
  if (typeof fault === 'string') {
    report(context, at, subject, 'V003', `${head}: ${fault}`);
    return NO_WHEN;
  }
  for (const id of selectorIds(fault)) {
    const reach = reachOf(context, id);
    if (reach === 'addressable') continue;
    const why = reach === 'missing' ? 'does not exist' : whyUnreachable(reach);
    report(context, at, subject, 'B005', `${head} refers to #${id}, which ${why}`);
    return { text, selector: fault, neverMatches: true };
  }
  return { text, selector: fault, neverMatches: false };
}

function whenFault(context: CheckContext, text: string): Selector | string {
  if (text.trim() === ':root') return ':root is not a node selector';
  const parsed = parseSelector(text, context.version);
  return 'error' in parsed ? parsed.error : parsed.selector;
}

function readTarget(
  context: CheckContext,
  action: string,
  text: string | null,
  fail: Fail,
): string | null {
  let id: string | null = null;
  if (text !== null && text !== '') {
    if (!text.startsWith('#') || !isIdName(text.slice(1))) {
      fail('V003', `${written('to', text)}: want #id`);
    } else {
      id = text.slice(1);
      const reach = reachOf(context, id);
      if (reach === 'missing') fail('B005', `to="#${id}" refers to an id that does not exist`);
      else if (reach !== 'addressable') fail('B005', `to="#${id}" ${whyUnreachable(reach)}`);
    }
    return id;
  }
  if (action === 'focus') fail('V003', 'action="focus" needs to="#id"');
  if (action === 'switch-to' && context.version >= 2) {
    fail('V003', 'action="switch-to" needs to="#tab" or to="#screen"');
  }
  return id;
}

/** `B007`: a built-in whose target can never take it (U-096). */
function checkFit(
  context: CheckContext,
  action: string,
  to: string | null,
  when: When,
  fail: Fail,
): void {
  if (!BUILTINS_V2.includes(action)) return;
  const id = to ?? soleFocusedId(when.selector);
  if (id === null || reachOf(context, id) !== 'addressable') return;
  const target = context.targets.get(id)!;
  const reason = misfit(action, target);
  if (reason === null) return;
  const how = to === null ? written('when', when.text) : `to="#${to}"`;
  const what = `its target #${id} (from ${how}) is a <${target.tag}>`;
  fail('B007', `${written('action', action)}: ${what}, ${reason}`);
}

/** The id of a `when` that is exactly `#id:focus`. */
function soleFocusedId(selector: Selector | null): string | null {
  if (selector === null || selector.compounds.length !== 1) return null;
  const { type, id, classes, pseudos } = selector.compounds[0]!;
  const isSole = type === null && classes.length === 0 && pseudos.length === 1;
  return isSole && pseudos[0] === 'focus' ? id : null;
}

function misfit(action: string, target: Draft): string | null {
  const { tag } = target;
  if (action === 'switch-to') {
    return tag === 'tab' || tag === 'screen' ? null : 'and only a tab or a screen can be shown';
  }
  if (action.startsWith('check-')) {
    const isRows = tag === 'list' || tag === 'table';
    const hasChecked = target.attributes.some(({ name }) => name === 'checked');
    return isRows && hasChecked ? null : 'and only a list or table with checked= has checked rows';
  }
  if (tag === 'tabs' && action.startsWith('move-page-')) return 'and a tab strip has no pages';
  return UNMOVABLE.has(tag) ? 'which has nothing to move' : null;
}
