import { getAt } from '../data/scope.ts';
import { takeBack } from '../frame/focus.ts';
import { eventOf, type FiredEvent, type FocusRequest, type TabActivation } from '../frame/state.ts';
import type { DocNode } from '../markup/types.ts';
import { guardHolds } from '../template/expand.ts';
import type { Flag } from '../template/types.ts';
import type { App } from './app.ts';
import { writePath } from './write.ts';

/**
 * Asks for focus (G-147). A target in the last frame's cycle has it at once; otherwise the next frame
 * decides, and puts everything back when the target cannot take it.
 *
 * @param isSilent `@focus` fires no events
 * @returns the `on:focus` of a target that has focus at once
 */
export function requestFocus(app: App, id: string, isSilent = false): FiredEvent[] {
  const { state, frame } = app;
  dropRequest(app);
  if (id === state.focus) return [];
  const box = frame?.scene.cycle.find((candidate) => candidate.id === id);
  if (box && frame?.scene.screen?.source === state.screen) {
    state.focus = id;
    return isSilent ? [] : eventOf(box.source!, 'focus');
  }
  const node = app.document.ids.get(id);
  if (node && isAddressable(node)) prepare(app, node, isSilent);
  return [];
}

/** Of two requests before one frame only the last counts: the first leaves no trace. */
function dropRequest(app: App): void {
  const { state } = app;
  const { request } = state;
  if (!request) return;
  for (const activation of [...request.activations].reverse()) takeBack(state, activation);
  state.request = null;
  state.focus = request.focusBefore;
  state.screen = request.screenBefore;
  state.isFreshScreen = request.isFreshBefore;
}

/** Ids inside list rows and templates name nothing (G-128, G-135). */
function isAddressable(node: DocNode): boolean {
  for (let at: DocNode | null = node; at?.parent; at = at.parent) {
    const { parent } = at;
    if (parent.kind === 'list' || parent.kind === 'table') return at.kind === 'column';
    if (parent.each !== null) return false;
  }
  return true;
}

function prepare(app: App, node: DocNode, isSilent: boolean): void {
  const { state } = app;
  const before = {
    focusBefore: state.focus,
    screenBefore: state.screen,
    isFreshBefore: state.isFreshScreen,
  };
  const ancestors: DocNode[] = [];
  for (let at: DocNode | null = node; at !== null; at = at.parent) ancestors.unshift(at);
  const screen = ancestors.find((ancestor) => app.document.screens.includes(ancestor));
  if (!screen) return;
  if (screen !== state.screen) {
    if ((app.frame?.scene.modals.length ?? 0) > 0) return;
    state.screen = screen;
    state.focus = null;
    state.isFreshScreen = true;
  }
  const activations: TabActivation[] = [];
  const request: FocusRequest = { target: node.id!, isSilent, ...before, activations };
  state.request = request;
  for (const tab of ancestors) {
    if (tab.kind !== 'tab' || tab.parent?.kind !== 'tabs') continue;
    const activation = activateFor(app, tab.parent, tab);
    if (activation === 'refused') {
      dropRequest(app);
      return;
    }
    if (activation) activations.push(activation);
  }
}

/** Activates a tab for a request; null when it is active already. */
function activateFor(app: App, tabs: DocNode, tab: DocNode): TabActivation | null | 'refused' {
  const { state } = app;
  const box = app.frame?.scene.boxes.find(
    (candidate) => candidate.source === tabs && candidate.tabs,
  );
  const before = tabs.bind ? getAt(state.store, tabs.bind.segments) : undefined;
  const memory = tabs.id === null ? undefined : state.tabMemory.get(tabs.id);
  const isNamed = tabs.bind ? before === tab.id : memory === tab.id;
  if (box ? box.tabs!.active?.tab.source === tab : isNamed) return null;
  const wasFallback =
    !box && !namesTab(tabs, tabs.bind ? before : memory) && firstShown(app, tabs) === tab;
  if (tabs.bind) {
    if (!writePath(app, tabs.bind.source, tab.id)) return 'refused';
  } else if (tabs.id !== null && tab.id !== null) {
    state.tabMemory.set(tabs.id, tab.id);
  }
  return { tabs, tab, before, memory, wasFallback };
}

function namesTab(tabs: DocNode, id: unknown): boolean {
  return tabs.children.some((child) => child.id !== null && child.id === id);
}

/** The tab a `tabs` outside the frame would fall back to: its first one that is not pruned. */
function firstShown(app: App, tabs: DocNode): DocNode | undefined {
  const scope = { store: app.state.store, alias: null };
  const holds = (flag: Flag) => (typeof flag === 'boolean' ? flag : guardHolds(flag, scope).holds);
  return tabs.children.find((tab) => (tab.if === null || holds(tab.if)) && !holds(tab.hidden));
}
