import type { TuiDocument } from '../markup/types.ts';
import type { Box } from './box.ts';
import { allBoxes, focusCycle, type View } from './view.ts';

/** A frame's tree with what keys, focus and the mouse ask of it again and again. */
export interface Scene extends View {
  readonly document: TuiDocument;
  readonly boxes: readonly Box[];
  /** Addressable boxes by id. */
  readonly byId: ReadonlyMap<string, Box>;
  readonly focused: Box | null;
  /** The focused box and its ancestors, or the top modal and the screen without focus (G-154). */
  readonly chain: readonly Box[];
  readonly cycle: readonly Box[];
  /** Visible tabs by id, with the `tabs` they belong to. */
  readonly tabs: ReadonlyMap<string, { readonly tabs: Box; readonly tab: Box }>;
}

export function createScene(document: TuiDocument, view: View): Scene {
  const boxes = allBoxes(view);
  const byId = new Map<string, Box>();
  const tabs = new Map<string, { tabs: Box; tab: Box }>();
  let focused: Box | null = null;
  for (const box of boxes) {
    if (box.isAddressable && box.id !== null && !byId.has(box.id)) byId.set(box.id, box);
    if (box.isFocused) focused ??= box;
    for (const { tab } of box.tabs?.entries ?? []) {
      if (tab.id !== null && tab.isAddressable) tabs.set(tab.id, { tabs: box, tab });
    }
  }
  const chain: Box[] = [];
  let at: Box | null = focused ?? view.modals.at(-1) ?? view.screen;
  for (; at !== null; at = at.parent) chain.push(at);
  const { screen, modals } = view;
  return { document, screen, modals, boxes, byId, focused, chain, cycle: focusCycle(view), tabs };
}
