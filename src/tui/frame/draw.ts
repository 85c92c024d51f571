import { dedupeDiagnostics, sortDiagnostics } from '../diagnostics/order.ts';
import type { Diagnostic } from '../diagnostics/types.ts';
import { checkLayout } from '../layout/checks.ts';
import { createLayout } from '../layout/context.ts';
import { intrinsic } from '../layout/intrinsic.ts';
import { offsetKey, placeModal, placeScreen, sticks } from '../layout/place.ts';
import type { DocNode, TuiDocument } from '../markup/types.ts';
import { createCanvas } from '../paint/canvas.ts';
import { paintFrame } from '../paint/paint.ts';
import { type Cascade, createCascade } from '../style/cascade.ts';
import type { Sheet, Theme } from '../style/types.ts';
import { rangeOf, shownValues } from '../widgets/sparkline.ts';
import { type Box, createBox } from './box.ts';
import { noteModals, queueFrameEvents, resolveFocus, startFocusTurn } from './focus.ts';
import type { Frame } from './frame.ts';
import { buildHints } from './hints.ts';
import { inflateTree } from './inflate.ts';
import { type Inflating, testFlag } from './inflating.ts';
import { createReport, type Report } from './report.ts';
import { createScene, type Scene } from './scene.ts';
import type { AppState } from './state.ts';
import { styleTree } from './style-tree.ts';
import type { TableCache } from './table-cache.ts';
import { generateRows } from './table-rows.ts';
import { allBoxes, type View } from './view.ts';

/** What frames of one document share. */
export interface Drawing {
  readonly document: TuiDocument;
  readonly sheets: readonly Sheet[];
  /** Findings that do not depend on data or size, for a theme. */
  readonly staticFindings: (theme: Theme) => readonly Diagnostic[];
  readonly isStrict: boolean;
  readonly tables: TableCache;
  readonly cascades: Map<string, Cascade>;
}

/** Cascades kept: `validate` alternates between three widths and two themes. */
const KEPT_CASCADES = 8;

/** Focus may move the tree and the tree may move focus; after so many rounds it stays (G-118). */
const FOCUS_ROUNDS = 3;

/**
 * Draws one live frame (G-118) and moves the state on with it: focus, offsets, cursors, open modals
 * and queued events.
 *
 * @param cols terminal columns, 0 or more (negative counts as 0)
 */
export function drawFrame(
  drawing: Drawing,
  state: AppState,
  theme: Theme,
  cols: number,
  rows: number,
): Frame {
  const size = { cols: Math.max(0, cols), rows: Math.max(0, rows) };
  const cascade = cascadeFor(drawing, theme, size.cols, size.rows);
  const built = buildTree(drawing, state, cascade);
  const { report, inflating, view } = built;
  const scene = createScene(drawing.document, view);
  const hasMouse = readMouse(drawing.document, inflating);
  const layout = createLayout(report, drawing.document.version === 3, intrinsic);
  const canvas = createCanvas(size.cols, size.rows);
  let cursor = null;
  let finished: Scene = scene;
  if (view.screen) {
    buildHints(inflating, cascade, scene);
    placeScreen(layout, state, view.screen, size.cols, size.rows);
    for (const modal of view.modals) {
      placeModal(layout, state, modal, view.screen, size.cols, size.rows);
    }
    const laidOut = allBoxes(view);
    checkLayout(layout, laidOut);
    shareScales(laidOut);
    for (const box of laidOut) if (box.table) generateRows(inflating, cascade, box);
    cursor = paintFrame(canvas, view.screen, view.modals);
    remember(state, laidOut);
    finished = createScene(drawing.document, view);
  }
  state.isFreshScreen = false;
  return {
    document: drawing.document,
    sheets: drawing.sheets,
    ...size,
    theme,
    focus: state.focus,
    scene: finished,
    canvas,
    cascade,
    hasMouse,
    cursor,
    diagnostics: collect(drawing, report, theme),
  };
}

function cascadeFor(drawing: Drawing, theme: Theme, cols: number, rows: number): Cascade {
  const key = `${cols}x${rows} ${theme}`;
  const known = drawing.cascades.get(key);
  if (known) return known;
  const cascade = createCascade(drawing.sheets, { cols, rows, theme });
  if (drawing.cascades.size >= KEPT_CASCADES) drawing.cascades.clear();
  drawing.cascades.set(key, cascade);
  return cascade;
}

interface Built {
  readonly report: Report;
  readonly inflating: Inflating;
  readonly view: View;
}

/** Steps 1 to 4 of G-118: the tree, its styles, its tabs and its focus. */
function buildTree(drawing: Drawing, state: AppState, cascade: Cascade): Built {
  const turn = startFocusTurn(drawing.document, state);
  let built = buildRound(drawing, state, cascade);
  const modals = noteModals(state, turn, built.view.modals);
  for (let round = 1; ; round++) {
    const hasChanged = resolveFocus(state, turn, built.view, built.inflating.present);
    if (!hasChanged || round === FOCUS_ROUNDS) break;
    built = buildRound(drawing, state, cascade);
  }
  queueFrameEvents(state, turn, modals);
  rememberTabs(state, built.view);
  return built;
}

function buildRound(drawing: Drawing, state: AppState, cascade: Cascade): Built {
  const { document, isStrict, tables } = drawing;
  const report = createReport(document.file, isStrict);
  const inflating: Inflating = {
    state,
    report,
    isSpike: document.isSpike,
    focusChain: focusChainOf(document, state.focus),
    tables,
    present: new Set(),
    boxes: 0,
  };
  const root = state.screen;
  const screen = root ? inflateTree(inflating, root, null) : null;
  if (!root || !screen) return { report, inflating, view: { screen: null, modals: [] } };
  const modals: Box[] = [];
  for (const child of root.children) {
    const modal = child.kind === 'modal' ? inflateTree(inflating, child, screen) : null;
    if (modal) modals.push(modal);
  }
  if (!styleTree(inflating, cascade, screen)) {
    // A screen that is display: none is one anonymous blank node (G-051).
    const blank = createBox({ source: null, tag: root.tag, kind: root.kind, parent: null });
    return { report, inflating, view: { screen: blank, modals: [] } };
  }
  const shown = modals.filter((modal) => styleTree(inflating, cascade, modal));
  return { report, inflating, view: { screen, modals: shown } };
}

function focusChainOf(document: TuiDocument, focus: string | null): ReadonlySet<DocNode> {
  const chain = new Set<DocNode>();
  let at = focus === null ? null : (document.ids.get(focus) ?? null);
  for (; at !== null; at = at.parent) chain.add(at);
  return chain;
}

function rememberTabs(state: AppState, view: View): void {
  state.shownTabs = new Map();
  for (const box of allBoxes(view)) {
    const active = box.tabs?.active?.tab.source;
    if (active && box.source && box.isAddressable)
      state.shownTabs.set(box.source.order, active.order);
  }
}

/** The `mouse` flag, in the store's scope; a missing path is reported at the root (U-083). */
function readMouse(document: TuiDocument, inflating: Inflating): boolean {
  const { root, mouse } = document;
  if (!root || !inflating.state.screen) return false;
  const anonymous = { ...root, id: null, path: '/' };
  const scope = { store: inflating.state.store, alias: null };
  return testFlag(inflating, anonymous, 'mouse', mouse, scope);
}

/** Gives the sparklines of a scale group their common range (G-110). */
function shareScales(boxes: readonly Box[]): void {
  const groups = new Map<string, Box[]>();
  for (const box of boxes) {
    const scale = box.kind === 'sparkline' ? (box.source?.scale ?? null) : null;
    if (scale === null) continue;
    const group = groups.get(scale);
    if (group) group.push(box);
    else groups.set(scale, [box]);
  }
  for (const group of groups.values()) {
    const range = rangeOf(group.flatMap((box) => shownValues(box.series, box.cw)));
    for (const box of group) box.range = range;
  }
}

/** Keeps what the frame showed for the next one (G-118, G-140, G-072). */
function remember(state: AppState, boxes: readonly Box[]): void {
  for (const box of boxes) {
    if (!box.viewport) continue;
    const key = offsetKey(box);
    if (key === null) continue;
    const { x, y, h } = box.viewport;
    if (key.startsWith('#') || state.offsets.has(key)) state.offsets.set(key, { x, y });
    if (sticks(box)) state.stickEnds.set(box.id!, Math.max(0, h - box.ch));
  }
}

function collect(drawing: Drawing, report: Report, theme: Theme): Diagnostic[] {
  const all = [
    ...drawing.staticFindings(theme),
    ...report.cascade,
    ...report.bind,
    ...report.layout,
  ];
  return sortDiagnostics(dedupeDiagnostics(all));
}
