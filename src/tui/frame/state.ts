import { cloneValue, type JsonObject, type JsonValue } from '../data/value.ts';
import type { DocNode, TuiDocument } from '../markup/types.ts';

/** One action that fired (G-161). `keys` has sorted members. */
export interface FiredEvent {
  readonly action: string;
  readonly source: string;
  readonly keys: ReadonlyMap<string, JsonValue>;
  readonly value: JsonValue;
}

/** A tab that a focus request activated, and how to take that back (G-147). */
export interface TabActivation {
  readonly tabs: DocNode;
  readonly tab: DocNode;
  /** What the bound path held; undefined when it was missing. */
  readonly before: JsonValue | undefined;
  /** The remembered tab before, for a `tabs` without `bind`. */
  readonly memory: string | undefined;
  /** The `tabs` was not in the frame and would have shown this tab anyway (G-147). */
  readonly wasFallback: boolean;
}

/** A focus request that the next frame decides (G-147). */
export interface FocusRequest {
  readonly target: string;
  /** `@focus` fires no events. */
  readonly isSilent: boolean;
  readonly focusBefore: string | null;
  readonly screenBefore: DocNode | null;
  readonly isFreshBefore: boolean;
  readonly activations: readonly TabActivation[];
}

export interface OpenModal {
  readonly node: DocNode;
  /** Where focus was before it opened. */
  readonly restore: string | null;
}

/** What lives from frame to frame (sections 9 and 10 of the engine contract). */
export interface AppState {
  readonly store: JsonObject;
  /** Counts writes to the store, so that work on unchanged data can be reused (G-231). */
  storeVersion: number;
  screen: DocNode | null;
  /** The next frame is the first one of the active screen (G-146). */
  isFreshScreen: boolean;
  /** `@theme`, else null. */
  theme: 'dark' | 'light' | 'auto' | null;
  focus: string | null;
  request: FocusRequest | null;
  readonly cursors: Map<string, number>;
  readonly carets: Map<string, number>;
  readonly texts: Map<string, string>;
  /** Remembered tab of each `tabs` without `bind` (G-139). */
  readonly tabMemory: Map<string, string>;
  /** Active tab of every `tabs` in the last frame, by element order. */
  shownTabs: Map<number, number>;
  readonly offsets: Map<string, { x: number; y: number }>;
  /** Maximum offset of every sticking viewport in its last frame (G-072). */
  readonly stickEnds: Map<string, number>;
  modals: readonly OpenModal[];
  queued: FiredEvent[];
}

export function createState(document: TuiDocument, store: JsonObject): AppState {
  return {
    store,
    storeVersion: 0,
    screen: document.screens[0] ?? null,
    isFreshScreen: true,
    theme: null,
    focus: null,
    request: null,
    cursors: new Map(),
    carets: new Map(),
    texts: new Map(),
    tabMemory: new Map(),
    shownTabs: new Map(),
    offsets: new Map(),
    stickEnds: new Map(),
    modals: [],
    queued: [],
  };
}

/**
 * A copy whose frames change nothing of the original. Frames only read the store, except that a focus
 * request may take back what it wrote; then the copy has a store of its own.
 */
export function forkState(state: AppState): AppState {
  return {
    ...state,
    store: state.request ? cloneValue(state.store) : state.store,
    cursors: new Map(state.cursors),
    carets: new Map(state.carets),
    texts: new Map(state.texts),
    tabMemory: new Map(state.tabMemory),
    offsets: new Map(state.offsets),
    stickEnds: new Map(state.stickEnds),
    queued: [...state.queued],
  };
}

/** Events of one node: fired only when the element names an action for them. */
export function eventOf(
  node: DocNode,
  event: Parameters<DocNode['on']['get']>[0],
  keys: ReadonlyMap<string, JsonValue> = new Map(),
  value: JsonValue = null,
): FiredEvent[] {
  const action = node.on.get(event);
  return action === undefined ? [] : [{ action, source: node.id ?? '', keys, value }];
}
