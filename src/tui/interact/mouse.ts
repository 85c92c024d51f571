import type { JsonValue } from '../data/value.ts';
import { type Box, isRow } from '../frame/box.ts';
import type { Frame } from '../frame/frame.ts';
import { hitBox, isInside } from '../frame/hit.ts';
import { keyIdentity } from '../frame/keys.ts';
import { eventOf } from '../frame/state.ts';
import { topModal } from '../frame/view.ts';
import {
  activateTab,
  fired,
  move,
  moveCursor,
  NOTHING,
  type Outcome,
  scrollBy,
} from './actions.ts';
import type { App } from './app.ts';
import { requestFocus } from './focus-request.ts';
import { cursorOf } from './payload.ts';

/** A press that waits for its release, by the identity of the node it hit (G-167). */
export type PendingPress = string | null;

/** Identity of the node at a cell; null where the mouse does nothing (G-166). */
export function hitIdentity(frame: Frame, x: number, y: number): string | null {
  const hit = mouseHit(frame, x, y);
  if (!hit) return null;
  const path: string[] = [];
  let at = hit.box;
  while (at !== hit.layer && at.parent) {
    path.unshift(
      isRow(at) ? `row ${at.rowIndex} ${keyText(at.key)}` : String(at.parent.children.indexOf(at)),
    );
    at = at.parent;
  }
  return [`${hit.layer.kind} ${hit.layer.source?.order ?? 0}`, ...path].join('/');
}

function keyText(key: JsonValue | undefined): string {
  return key === undefined ? '' : keyIdentity(key);
}

function mouseHit(frame: Frame, x: number, y: number) {
  const modal = topModal(frame.scene);
  if (modal && !isInside(modal, x, y)) return null;
  return hitBox(frame, x, y);
}

/** A press and a release on the same node (G-168): the first of the node and its ancestors decides. */
export function click(app: App, x: number, y: number): Outcome {
  const frame = app.frame;
  const hit = frame?.hasMouse ? mouseHit(frame, x, y) : null;
  if (!hit) return NOTHING;
  for (let at: Box | null = hit.box; at !== null; at = at === hit.layer ? null : at.parent) {
    const outcome = clickOn(app, at);
    if (outcome) return outcome;
  }
  return NOTHING;
}

function clickOn(app: App, box: Box): Outcome | null {
  if (box.isDisabled || box.style.visibility === 'hidden') return NOTHING;
  if (box.role === 'tab-label') {
    const tabs = box.parent!;
    const entry = tabs.tabs!.entries.find(({ label }) => label === box);
    return entry ? activateTab(app, tabs, entry.tab) : NOTHING;
  }
  if (isRow(box)) return clickRow(app, box.parent!, box.rowIndex);
  const node = box.source;
  // A blank frame's node has no element.
  if (box.role !== 'element' || node === null) return null;
  const isInCycle = app.frame!.scene.cycle.includes(box);
  if (node.on.has('click')) {
    const focused = isInCycle && box.kind !== 'column' ? requestFocus(app, box.id!) : [];
    return fired([...focused, ...eventOf(node, 'click')]);
  }
  return isInCycle ? fired(requestFocus(app, box.id!)) : null;
}

function clickRow(app: App, widget: Box, index: number): Outcome {
  const focused = app.frame!.scene.cycle.includes(widget) ? requestFocus(app, widget.id!) : [];
  const moved = moveCursor(app, widget, index);
  return { events: [...focused, ...moved.events], hasChanged: moved.hasChanged };
}

/** One step of the wheel (G-169). */
export function wheel(app: App, x: number, y: number, direction: 'up' | 'down'): Outcome {
  const frame = app.frame;
  const hit = frame?.hasMouse ? mouseHit(frame, x, y) : null;
  if (!hit) return NOTHING;
  const how = direction === 'up' ? 'prev' : 'next';
  for (let at: Box | null = hit.box; at !== null; at = at === hit.layer ? null : at.parent) {
    if (at.isDisabled || at.style.visibility === 'hidden') return NOTHING;
    if (at.role === 'tab-label') return move(app, at.parent!, how);
    if (at.tabs && y === at.cy) return move(app, at, how);
    const widget = isRow(at) ? at.parent! : at;
    if (widget.rows && widget.rows.keys.length > 0) {
      return moveCursor(app, widget, cursorOf(app, widget) + (how === 'next' ? 1 : -1));
    }
    const { viewport } = at;
    if (viewport && !at.rows) {
      return scrollBy(app, at, viewport.scrollsY ? 'y' : 'x', how === 'next' ? 1 : -1);
    }
  }
  return NOTHING;
}
