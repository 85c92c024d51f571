import { getAt } from '../data/scope.ts';
import { setAt } from '../data/write.ts';
import type { DocNode, TuiDocument } from '../markup/types.ts';
import type { Box } from './box.ts';
import {
  type AppState,
  eventOf,
  type FiredEvent,
  type FocusRequest,
  type OpenModal,
} from './state.ts';
import { allBoxes, focusCycle, topModal, type View } from './view.ts';

/** What focus resolution carries through the rounds of one frame (G-118 step 4). */
export interface FocusTurn {
  readonly document: TuiDocument;
  readonly focusAtStart: string | null;
  /** First frame of the screen: its `focus=` was set before the first round (G-146). */
  readonly isFreshScreen: boolean;
  /** Where a modal that closed gives focus back to; undefined when none closed or it was used. */
  restore: string | null | undefined;
  hasTabMoved: boolean;
  /** The node whose `on:focus` this frame will queue if it still has focus at the end. */
  announced: string | null;
  /** Events of a request that landed; they come before all others. */
  readonly landed: FiredEvent[];
}

/** Starts a frame: on a fresh screen its `focus=` target gets focus first (G-146). */
export function startFocusTurn(document: TuiDocument, state: AppState): FocusTurn {
  const { isFreshScreen } = state;
  const target = state.screen?.focus ?? null;
  if (isFreshScreen && state.focus === null && target !== null) {
    state.focus = target;
    return newTurn(document, state, target);
  }
  return newTurn(document, state, null);
}

function newTurn(document: TuiDocument, state: AppState, announced: string | null): FocusTurn {
  const { focus: focusAtStart, isFreshScreen } = state;
  const restore = undefined;
  return {
    document,
    focusAtStart,
    isFreshScreen,
    restore,
    hasTabMoved: false,
    announced,
    landed: [],
  };
}

/** Remembers which modals opened and closed against the last frame; returns them (G-145, G-150). */
export function noteModals(
  state: AppState,
  turn: FocusTurn,
  open: readonly Box[],
): { opened: DocNode[]; closed: DocNode[] } {
  const nodes = open.map((box) => box.source!);
  const closed = state.modals.filter((modal) => !nodes.includes(modal.node));
  const opened = nodes.filter((node) => !state.modals.some((modal) => modal.node === node));
  if (closed.length > 0 && !turn.isFreshScreen) turn.restore = closed[0]!.restore;
  const kept = state.modals.filter((modal) => nodes.includes(modal.node));
  const added: OpenModal[] = opened.map((node) => ({ node, restore: turn.focusAtStart }));
  state.modals = [...kept, ...added];
  return { opened, closed: closed.map((modal) => modal.node) };
}

/**
 * Decides who has focus on this tree (G-145).
 *
 * @param present ids of every addressable box that was inflated, `display: none` included
 * @returns true when focus, the screen or a tab changed, so that the tree must be built again
 */
export function resolveFocus(
  state: AppState,
  turn: FocusTurn,
  view: View,
  present: ReadonlySet<string>,
): boolean {
  const before = state.focus;
  const cycle = focusCycle(view);
  const inCycle = (id: string | null | undefined): id is string =>
    id != null && cycle.some((box) => box.id === id);

  if (state.request) {
    const { request } = state;
    state.request = null;
    if (!inCycle(request.target)) {
      undoRequest(state, request);
      return true;
    }
    turn.restore = undefined;
    turn.hasTabMoved = true;
    land(state, turn, request);
    return state.focus !== before;
  }
  if (turn.restore !== undefined) {
    const target = turn.restore;
    turn.restore = undefined;
    if (target === null) state.focus = null;
    if (inCycle(target)) {
      state.focus = target;
      return state.focus !== before;
    }
  }
  if (!turn.hasTabMoved) {
    const tab = changedTab(state, turn, view);
    if (tab) {
      turn.hasTabMoved = true;
      setFocus(state, turn, targetInTab(state, tab, cycle));
      return state.focus !== before;
    }
  }
  if (inCycle(state.focus)) return state.focus !== before;
  setFocus(state, turn, fallback(state, turn, view, cycle, present));
  return state.focus !== before;
}

function setFocus(state: AppState, turn: FocusTurn, id: string | null): void {
  if (id === state.focus) return;
  state.focus = id;
  turn.announced = id;
}

function land(state: AppState, turn: FocusTurn, request: FocusRequest): void {
  state.focus = request.target;
  turn.announced = null;
  if (request.isSilent) return;
  for (const { tabs, tab, wasFallback } of request.activations) {
    if (!wasFallback) turn.landed.push(...eventOf(tabs, 'select', new Map(), tab.id));
  }
  const node = turn.document.ids.get(request.target);
  if (node) turn.landed.push(...eventOf(node, 'focus'));
  for (const activation of request.activations) {
    if (activation.wasFallback) takeBack(state, activation);
  }
}

/** Puts everything back as it was before the request (G-147). */
function undoRequest(state: AppState, request: FocusRequest): void {
  for (const activation of [...request.activations].reverse()) takeBack(state, activation);
  state.focus = request.focusBefore;
  if (state.screen !== request.screenBefore) {
    state.screen = request.screenBefore;
    state.isFreshScreen = request.isFreshBefore;
  }
}

/** Undoes one tab activation; a bound path only while it still holds what was written. */
export function takeBack(state: AppState, activation: FocusRequest['activations'][number]): void {
  const { tabs, tab, before, memory } = activation;
  if (!tabs.bind) {
    const id = tabs.id ?? '';
    if (memory === undefined) state.tabMemory.delete(id);
    else state.tabMemory.set(id, memory);
    return;
  }
  if (getAt(state.store, tabs.bind.segments) !== tab.id) return;
  if (before === undefined) removeAt(state, tabs.bind.segments);
  else setAt(state.store, tabs.bind.source, before);
  state.storeVersion++;
}

function removeAt(state: AppState, segments: readonly string[]): void {
  const holder = getAt(state.store, segments.slice(0, -1));
  if (holder instanceof Map) holder.delete(segments.at(-1)!);
}

/** The new active tab of the first `tabs` whose change moves focus (G-149). */
function changedTab(state: AppState, turn: FocusTurn, view: View): Box | null {
  const focused = turn.focusAtStart === null ? null : turn.document.ids.get(turn.focusAtStart);
  for (const box of allBoxes(view)) {
    const active = box.tabs?.active?.tab.source;
    if (!active || !box.source) continue;
    const before = state.shownTabs.get(box.source.order);
    if (before === undefined || before === active.order) continue;
    if (!focused || focused === box.source || isInside(focused, before))
      return box.tabs!.active!.tab;
  }
  return null;
}

function isInside(node: DocNode, order: number): boolean {
  for (let at: DocNode | null = node; at !== null; at = at.parent)
    if (at.order === order) return true;
  return false;
}

function targetInTab(state: AppState, tab: Box, cycle: readonly Box[]): string | null {
  const wanted = tab.source!.focus;
  if (cycle.some((box) => box.id === wanted)) return wanted;
  const inside = cycle.find((box) => isInside(box.source!, tab.source!.order));
  if (inside) return inside.id;
  const screenTarget = state.screen?.focus ?? null;
  if (cycle.some((box) => box.id === screenTarget)) return screenTarget;
  return cycle[0]?.id ?? null;
}

/** Rule 5: the screen's target, a first tab's, a modal's, else the first of the cycle. */
function fallback(
  state: AppState,
  turn: FocusTurn,
  view: View,
  cycle: readonly Box[],
  present: ReadonlySet<string>,
): string | null {
  const inCycle = (id: string | null) => id !== null && cycle.some((box) => box.id === id);
  const modal = topModal(view);
  if (modal) {
    const target = modal.source!.focus;
    return inCycle(target) ? target : (cycle[0]?.id ?? null);
  }
  const target = state.screen?.focus ?? null;
  const isGone = state.focus === null || !present.has(state.focus);
  if (isGone && inCycle(target)) return target;
  if (turn.isFreshScreen) {
    for (const box of allBoxes(view)) {
      const wanted = box.tabs?.active?.tab.source?.focus ?? null;
      if (inCycle(wanted)) return wanted;
    }
  }
  return cycle[0]?.id ?? null;
}

/** Queues what the frame's focus and modals fire (G-118, G-145, G-150). */
export function queueFrameEvents(
  state: AppState,
  turn: FocusTurn,
  modals: { opened: readonly DocNode[]; closed: readonly DocNode[] },
): void {
  state.queued.push(...turn.landed);
  if (turn.announced !== null && turn.announced === state.focus) {
    const node = turn.document.ids.get(turn.announced);
    if (node) state.queued.push(...eventOf(node, 'focus'));
  }
  for (const node of modals.opened)
    if (node.id !== null) state.queued.push(...eventOf(node, 'open'));
  for (const node of [...modals.closed].reverse()) {
    if (node.id !== null) state.queued.push(...eventOf(node, 'close'));
  }
}
