import { getAt } from '../data/scope.ts';
import type { JsonValue } from '../data/value.ts';
import type { Box } from '../frame/box.ts';
import { targetOf } from '../frame/dispatch.ts';
import { keyIdentity } from '../frame/keys.ts';
import { eventOf, type FiredEvent } from '../frame/state.ts';
import { offsetKey } from '../layout/place.ts';
import { bodyRows } from '../layout/table.ts';
import type { DocNode, KeyRow } from '../markup/types.ts';
import type { App } from './app.ts';
import { requestFocus } from './focus-request.ts';
import { cursorOf, focusedPayload, rowKeys, selectValue } from './payload.ts';
import { writePath } from './write.ts';

/** What handling some input did. */
export interface Outcome {
  readonly events: readonly FiredEvent[];
  /** Text, cursor, offset, checked keys, tab or screen changed: a v2 document draws again (G-172). */
  readonly hasChanged: boolean;
}

export const NOTHING: Outcome = { events: [], hasChanged: false };

export function fired(events: readonly FiredEvent[]): Outcome {
  return { events, hasChanged: false };
}

export type Move = 'next' | 'prev' | 'first' | 'last' | 'page-down' | 'page-up';

/** Moves the cursor of a list or table, the tab of a `tabs` or the offset of a viewport (G-159). */
export function move(app: App, box: Box, how: Move): Outcome {
  if (box.rows) return moveCursor(app, box, destination(app, box, how));
  if (box.tabs) return moveTab(app, box, how);
  const { viewport } = box;
  if (!viewport) return NOTHING;
  const axis = viewport.scrollsY ? 'y' : 'x';
  const page = Math.max(1, axis === 'y' ? box.ch : box.cw);
  const steps: Record<Move, number> = {
    next: 1,
    prev: -1,
    first: Number.NEGATIVE_INFINITY,
    last: Number.POSITIVE_INFINITY,
    'page-down': page,
    'page-up': -page,
  };
  return scrollBy(app, box, axis, steps[how]);
}

function destination(app: App, box: Box, how: Move): number {
  const at = cursorOf(app, box);
  // A page is what the last frame showed (G-157).
  const page = Math.max(1, box.table ? bodyRows(box) : box.ch);
  switch (how) {
    case 'next':
      return at + 1;
    case 'prev':
      return at - 1;
    case 'first':
      return 0;
    case 'last':
      return Number.MAX_SAFE_INTEGER;
    case 'page-down':
      return at + page;
    case 'page-up':
      return at - page;
  }
}

/** Moves a cursor to a row, clamped; `on:select` fires when it is another one (G-157). */
export function moveCursor(app: App, box: Box, to: number): Outcome {
  const rows = box.rows;
  if (!rows || rows.keys.length === 0) return NOTHING;
  const index = Math.min(Math.max(0, to), rows.keys.length - 1);
  if (index === cursorOf(app, box)) return NOTHING;
  const node = box.source!;
  if (node.bind && !writePath(app, node.bind.source, rows.keys[index]!)) return NOTHING;
  if (box.id !== null && box.isAddressable) app.state.cursors.set(box.id, index);
  const events = eventOf(node, 'select', rowKeys(app, box), selectValue(app, box));
  return { events, hasChanged: true };
}

function moveTab(app: App, box: Box, how: Move): Outcome {
  const enabled = box.tabs!.entries.filter(({ tab }) => !tab.isDisabled).map(({ tab }) => tab);
  if (enabled.length === 0) return NOTHING;
  if (how === 'first') return activateTab(app, box, enabled[0]!);
  if (how === 'last') return activateTab(app, box, enabled.at(-1)!);
  const all = box.tabs!.entries.map(({ tab }) => tab);
  const active = activeTab(app, box);
  const step = how === 'next' ? 1 : -1;
  let at = active ? all.indexOf(active) : 0;
  for (let i = 0; i < all.length; i++) {
    at = (at + step + all.length) % all.length;
    if (!all[at]!.isDisabled) return activateTab(app, box, all[at]!);
  }
  return NOTHING;
}

/** The active tab as the state has it now, which may be newer than the frame. */
function activeTab(app: App, box: Box): Box | null {
  const node = box.source!;
  const id = node.bind
    ? getAt(app.state.store, node.bind.segments)
    : app.state.tabMemory.get(box.id ?? '');
  const named = box.tabs!.entries.find(({ tab }) => tab.id !== null && tab.id === id);
  return named?.tab ?? box.tabs!.active?.tab ?? null;
}

/** Activates a tab; `on:select` fires when it is another one (G-160). */
export function activateTab(app: App, box: Box, tab: Box): Outcome {
  const node = box.source!;
  const before = activeTab(app, box);
  if (node.bind) {
    if (getAt(app.state.store, node.bind.segments) === tab.id) return NOTHING;
    if (!writePath(app, node.bind.source, tab.id)) return NOTHING;
  } else if (box.id !== null && tab.id !== null) {
    app.state.tabMemory.set(box.id, tab.id);
  }
  if (before === tab) return NOTHING;
  return { events: eventOf(node, 'select', new Map(), tab.id), hasChanged: true };
}

/** Moves the offset that the frame shows on one axis, clamped (G-158). */
export function scrollBy(app: App, box: Box, axis: 'x' | 'y', step: number): Outcome {
  const { viewport } = box;
  const key = offsetKey(box);
  if (!viewport || key === null) return NOTHING;
  const { offsets } = app.state;
  const at = offsets.get(key) ?? { x: viewport.x, y: viewport.y };
  const canScroll = axis === 'x' ? viewport.scrollsX : viewport.scrollsY;
  const most = axis === 'x' ? viewport.w - box.cw : viewport.h - box.ch;
  const to = canScroll ? Math.max(0, Math.min(at[axis] + step, most)) : 0;
  if (!canScroll || to === at[axis]) return NOTHING;
  offsets.set(key, { ...at, [axis]: to });
  return { events: [], hasChanged: true };
}

/** Runs a keymap row that matched (G-159, G-161). */
export function runRow(app: App, row: KeyRow): Outcome {
  const scene = app.frame!.scene;
  const { action, to } = row;
  if (action === 'focus') return fired(to === null ? [] : requestFocus(app, to));
  if (app.document.version >= 2) {
    if (action === 'switch-to') return switchTo(app, to!);
    const target = targetOf(scene, row);
    if (target && action.startsWith('move-')) return move(app, target, action.slice(5) as Move);
    if (target && action.startsWith('check-')) return check(app, target, action);
  }
  const source = scene.focused?.id ?? '';
  return fired([{ action, source, ...focusedPayload(app, scene.focused) }]);
}

function switchTo(app: App, id: string): Outcome {
  const found = app.frame!.scene.tabs.get(id);
  if (found) return activateTab(app, found.tabs, found.tab);
  const screen = app.document.screens.find((candidate) => candidate.id === id);
  return screen && switchScreen(app, screen) ? { events: [], hasChanged: true } : NOTHING;
}

/** Shows another screen, which starts like a first frame (G-151); false when it is active already. */
export function switchScreen(app: App, screen: DocNode): boolean {
  const { state } = app;
  if (state.screen === screen) return false;
  state.screen = screen;
  state.focus = null;
  state.request = null;
  state.isFreshScreen = true;
  return true;
}

function check(app: App, box: Box, action: string): Outcome {
  const node = box.source!;
  const path = node.checked!;
  const value = getAt(app.state.store, path.segments);
  const before: readonly JsonValue[] = Array.isArray(value) ? value : [];
  const after = checkedAfter(app, box, before, action);
  if (after === null || !writePath(app, path.source, after)) return NOTHING;
  return { events: eventOf(node, 'change', rowKeys(app, box), after), hasChanged: true };
}

/** The new checked keys, or null when nothing changes. */
function checkedAfter(
  app: App,
  box: Box,
  before: readonly JsonValue[],
  action: string,
): JsonValue[] | null {
  const { keys } = box.rows!;
  const known = new Set(before.map(keyIdentity));
  if (action === 'check-none') return before.length === 0 ? null : [];
  if (action === 'check-toggle') {
    const key = keys[cursorOf(app, box)]!;
    const identity = keyIdentity(key);
    if (!known.has(identity)) return [...before, key];
    return before.filter((other) => keyIdentity(other) !== identity);
  }
  const after = [...before];
  for (const key of keys) {
    const identity = keyIdentity(key);
    if (known.has(identity)) continue;
    known.add(identity);
    after.push(key);
  }
  return after.length === before.length ? null : after;
}
