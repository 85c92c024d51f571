import { scrollAxes } from '../layout/axis.ts';
import type { KeyRow } from '../markup/types.ts';
import { selectorMatches } from '../style/match.ts';
import type { Box } from './box.ts';
import type { Scene } from './scene.ts';
import { topModal } from './view.ts';

/** One key: its token (`''` when it has none) and the character it carries, if any (G-152). */
export interface KeyPress {
  readonly token: string;
  readonly char: string | null;
}

/** Who takes a key (G-153). */
export type Decision =
  | { readonly kind: 'escape'; readonly modal: Box }
  | { readonly kind: 'widget'; readonly box: Box }
  | { readonly kind: 'row'; readonly row: KeyRow }
  | { readonly kind: 'cycle'; readonly isBackward: boolean }
  | { readonly kind: 'quit' };

/** The key press of a token as written in a keymap or a step. */
export function pressOf(token: string): KeyPress {
  if (token === 'space') return { token, char: ' ' };
  return { token, char: token.length === 1 ? token : null };
}

/** Decides who takes a key on a frame; null when nobody does. Nothing is changed. */
export function decideKey(scene: Scene, key: KeyPress): Decision | null {
  const modal = topModal(scene);
  if (key.token === 'esc' && modal?.source?.on.has('escape')) return { kind: 'escape', modal };
  const { focused } = scene;
  if (focused && !focused.isDisabled && takesKey(focused, key))
    return { kind: 'widget', box: focused };
  if (key.token === '') return null;
  for (const row of scene.document.keymap) {
    if (row.keys.includes(key.token) && rowMatches(scene, row)) return { kind: 'row', row };
  }
  if (key.token === 'tab') return { kind: 'cycle', isBackward: false };
  if (key.token === 'shift+tab') return { kind: 'cycle', isBackward: true };
  return key.token === 'ctrl+c' ? { kind: 'quit' } : null;
}

const INPUT_KEYS = new Set([
  'backspace',
  'ctrl+h',
  'ctrl+u',
  'left',
  'right',
  'home',
  'end',
  'ctrl+a',
  'ctrl+e',
]);
const LIST_KEYS = new Set(['up', 'down', 'home', 'end', 'pgup', 'pgdn']);
const VIEWPORT_KEYS = new Set(['up', 'down', 'left', 'right', 'pgup', 'pgdn', 'home', 'end']);

/** Whether a focused, enabled box takes a key itself (G-116). */
function takesKey(box: Box, { token, char }: KeyPress): boolean {
  const clicks = (token === 'enter' || token === 'space') && (box.source?.on.has('click') ?? false);
  switch (box.kind) {
    case 'input':
      if (char !== null || INPUT_KEYS.has(token)) return true;
      return token === 'enter' && (box.source?.on.has('submit') ?? false);
    case 'list':
    case 'table':
      return LIST_KEYS.has(token) && (box.rows?.keys.length ?? 0) > 0;
    case 'tabs':
      return clicks || ((token === 'left' || token === 'right') && hasEnabledTab(box));
    default:
      return clicks || (isViewport(box) && VIEWPORT_KEYS.has(token));
  }
}

function isViewport(box: Box): boolean {
  const { x, y } = scrollAxes(box);
  return x || y;
}

function hasEnabledTab(box: Box): boolean {
  return box.tabs?.entries.some(({ tab }) => !tab.isDisabled) ?? false;
}

function rowMatches(scene: Scene, row: KeyRow): boolean {
  return whenHolds(scene, row) && targetFits(scene, row);
}

function whenHolds(scene: Scene, row: KeyRow): boolean {
  if (row.whenNeverMatches) return false;
  const { when } = row;
  if (when === null) return true;
  if (scene.document.version === 1) {
    return scene.focused !== null && selectorMatches(when, scene.focused);
  }
  return scene.chain.some((box) => selectorMatches(when, box));
}

const HYPHENATED = new Set([
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
]);

/** Whether a hyphenated built-in has a target it can act on now (G-159); others always fit. */
function targetFits(scene: Scene, row: KeyRow): boolean {
  const { action, to } = row;
  if (scene.document.version === 1 || !HYPHENATED.has(action)) return true;
  if (action === 'switch-to') {
    if (to === null) return false;
    const tab = scene.tabs.get(to);
    if (tab) return !tab.tab.isDisabled;
    return scene.document.screens.some((screen) => screen.id === to);
  }
  const target = targetOf(scene, row);
  if (!target || target.isDisabled) return false;
  if (action.startsWith('check-')) {
    const { rows } = target;
    return rows !== null && rows.checked !== null && rows.canCheck && rows.keys.length > 0;
  }
  if (target.rows) return target.rows.keys.length > 0;
  if (target.tabs) return !action.startsWith('move-page-') && hasEnabledTab(target);
  return isViewport(target);
}

/** The box a row acts on: the one named by `to`, else the focused one. */
export function targetOf(scene: Scene, row: KeyRow): Box | null {
  return row.to === null ? scene.focused : (scene.byId.get(row.to) ?? null);
}
