import { type Box, clipContains } from './box.ts';
import type { Frame } from './frame.ts';
import { topModal } from './view.ts';

/** The node at a cell, and the root of its layer (G-165); null on a blank frame or off the grid. */
export function hitBox(frame: Frame, x: number, y: number): { box: Box; layer: Box } | null {
  const { scene, canvas } = frame;
  if (!scene.screen || x < 0 || y < 0 || x >= canvas.cols || y >= canvas.rows) return null;
  const modal = topModal(scene);
  const isOnModal = modal !== null && isInside(modal, x, y);
  const layer = isOnModal ? modal : scene.screen;
  const owner = canvas.owner[y * canvas.cols + x] ?? null;
  let start: Box = layer;
  if (owner !== null) {
    for (const box of scene.boxes) {
      if (box.id !== owner || !clipContains(box.clip, x, y)) continue;
      if (!isOnModal || isBelow(box, modal)) start = box;
    }
  }
  let box = start;
  for (let next = lastAnonymousChild(box, x, y); next; next = lastAnonymousChild(box, x, y))
    box = next;
  return { box, layer };
}

/** Whether a cell lies in a box's outer rect. */
export function isInside(box: Box, x: number, y: number): boolean {
  return x >= box.x && x < box.x + box.w && y >= box.y && y < box.y + box.h;
}

function isBelow(box: Box, root: Box): boolean {
  for (let at: Box | null = box; at !== null; at = at.parent) if (at === root) return true;
  return false;
}

function lastAnonymousChild(box: Box, x: number, y: number): Box | undefined {
  return box.children.findLast((child) => child.id === null && clipContains(child.clip, x, y));
}
