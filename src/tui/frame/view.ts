import type { DocNode } from '../markup/types.ts';
import { type Box, walk } from './box.ts';

/** The tree of a frame that focus, keys and the mouse look at. */
export interface View {
  /** Null when the frame is blank. */
  readonly screen: Box | null;
  /** Open modals in document order; the last one is on top. */
  readonly modals: readonly Box[];
}

const FOCUSABLE = new Set(['input', 'list', 'button', 'modal', 'table']);

/** Kinds that never take focus (G-143). */
const NEVER = new Set(['column', 'item', 'tab', 'screen', 'app']);

/** Whether a node may take focus by attribute or by kind (G-116). */
function isFocusableKind(node: DocNode): boolean {
  return node.focusable ?? FOCUSABLE.has(node.kind);
}

export function topModal(view: View): Box | null {
  return view.modals.at(-1) ?? null;
}

function canFocus(box: Box): boolean {
  const { source } = box;
  if (box.role !== 'element' || source === null || box.id === null || !box.isAddressable)
    return false;
  if (box.isDisabled || box.style.visibility === 'hidden' || NEVER.has(box.kind)) return false;
  return isFocusableKind(source);
}

/**
 * The boxes that can have focus, in document order (G-143). With modals open, those below the top
 * one, or the modal itself when it has none (G-144).
 */
export function focusCycle(view: View): Box[] {
  const modal = topModal(view);
  const root = modal ?? view.screen;
  if (!root) return [];
  const cycle: Box[] = [];
  for (const child of root.children) {
    walk(child, (box) => {
      if (canFocus(box)) cycle.push(box);
    });
  }
  if (modal && cycle.length === 0 && canFocus(modal)) cycle.push(modal);
  if (!modal && canFocus(root)) cycle.unshift(root);
  return cycle;
}

/** Every box, the screen's tree first, then each modal's (G-003). */
export function allBoxes(view: View): Box[] {
  const boxes: Box[] = [];
  for (const root of view.screen ? [view.screen, ...view.modals] : []) {
    walk(root, (box) => boxes.push(box));
  }
  return boxes;
}
