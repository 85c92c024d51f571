import type { Axis, Box } from '../frame/box.ts';
import { isZero, MAX_CELLS, percentOf } from '../style/decimal.ts';
import { directionOf } from '../style/dock-conflict.ts';
import type { Decimal, Size } from '../style/types.ts';

export type { Axis };

/** The size a box asks for on its main axis, after `flex` (G-046). */
export type Spec =
  | { readonly kind: 'cells'; readonly cells: number }
  | { readonly kind: 'percent'; readonly amount: Decimal }
  | { readonly kind: 'fr'; readonly weight: Decimal; readonly isFlex: boolean }
  | { readonly kind: 'auto' | 'unset' };

export function mainAxisOf(box: Box): Axis {
  return directionOf(box.kind, box.style) === 'row' ? 0 : 1;
}

export function crossOf(axis: Axis): Axis {
  return axis === 0 ? 1 : 0;
}

/** `width` or `height`. */
export function sizeOn(box: Box, axis: Axis): Size | null {
  return axis === 0 ? box.style.width : box.style.height;
}

export function isSizeBuiltin(box: Box, axis: Axis): boolean {
  return axis === 0 ? box.style.isWidthBuiltin : box.style.isHeightBuiltin;
}

export function marginsOn(box: Box, axis: Axis): number {
  const { margin } = box.style;
  return axis === 0 ? margin[1] + margin[3] : margin[0] + margin[2];
}

export function marginStart(box: Box, axis: Axis): number {
  return axis === 0 ? box.style.margin[3] : box.style.margin[0];
}

/** Cells between the outer rect and the content on both sides, mark channel included (G-047). */
export function frameOn(box: Box, axis: Axis): number {
  if (isGeneratedLeaf(box)) return axis === 0 ? box.channel : 0;
  const { border, padding } = box.style;
  const edges = border === 'none' ? 0 : 2;
  return axis === 0
    ? edges + padding[1] + padding[3] + box.channel
    : edges + padding[0] + padding[2];
}

/** Rows and cells of a table, labels and hints have no border or padding (G-075, G-081). */
export function isGeneratedLeaf(box: Box): boolean {
  return box.role !== 'element' || box.kind === 'column';
}

export function isAutoSized(box: Box, axis: Axis): boolean {
  return axis === 0 ? box.isAutoWidth : box.isAutoHeight;
}

export function clampCells(value: number): number {
  return Math.min(MAX_CELLS, Math.max(0, value));
}

/**
 * Applies the maximum, then the minimum, then 0 (G-045).
 *
 * @param parent what percent bounds are of; null while measuring: they are then ignored
 */
export function clampSize(box: Box, axis: Axis, value: number, parent: number | null): number {
  const { style } = box;
  const max = bound(axis === 0 ? style.maxWidth : style.maxHeight, parent);
  const min = bound(axis === 0 ? style.minWidth : style.minHeight, parent);
  let size = value;
  if (max !== null) size = Math.min(size, max);
  if (min !== null) size = Math.max(size, min);
  return clampCells(size);
}

/** A bound in cells, or null when it does nothing. */
export function bound(size: Size | null, parent: number | null): number | null {
  if (size === null) return null;
  if (size.unit === 'cells') return size.cells;
  return size.unit === 'percent' && parent !== null ? percentOf(parent, size.amount) : null;
}

export function minOn(box: Box, axis: Axis): Size | null {
  return axis === 0 ? box.style.minWidth : box.style.minHeight;
}

/** The spec of a box along its parent's main axis (G-046). */
export function mainSpec(box: Box, axis: Axis): Spec {
  const { flex } = box.style;
  if (flex !== null && !isZero(flex)) return { kind: 'fr', weight: flex, isFlex: true };
  const spec = plainSpec(sizeOn(box, axis));
  return flex !== null && spec.kind === 'unset' ? { kind: 'auto' } : spec;
}

export function plainSpec(size: Size | null): Spec {
  if (size === null) return { kind: 'unset' };
  switch (size.unit) {
    case 'cells':
      return { kind: 'cells', cells: size.cells };
    case 'percent':
      return { kind: 'percent', amount: size.amount };
    case 'fr':
      return { kind: 'fr', weight: size.amount, isFlex: false };
    case 'auto':
      return { kind: 'auto' };
  }
}

/** Kinds that ignore `overflow` and `layout: grid`. */
const NO_OVERFLOW = new Set(['tabs', 'hints']);
const GRID_KINDS = new Set(['screen', 'box', 'col', 'row', 'scroll', 'item', 'tab', 'modal']);
const CONTAINERS = new Set([
  'screen',
  'col',
  'row',
  'box',
  'scroll',
  'list',
  'item',
  'modal',
  'table',
  'tabs',
  'tab',
  'hints',
]);

export function isContainer(box: Box): boolean {
  return CONTAINERS.has(box.kind);
}

/** Axes a box scrolls on: both false unless it is a viewport (G-054). */
export function scrollAxes(box: Box): { x: boolean; y: boolean } {
  if (box.role !== 'element') return NOWHERE;
  if (box.kind === 'scroll') {
    const axis = box.source?.axis ?? 'y';
    return { x: axis !== 'y', y: axis !== 'x' };
  }
  if (box.kind === 'list' || box.kind === 'table') return DOWN;
  const scrolls =
    box.style.overflow === 'scroll' && CONTAINERS.has(box.kind) && !NO_OVERFLOW.has(box.kind);
  return scrolls ? DOWN : NOWHERE;
}
const NOWHERE = { x: false, y: false };
const DOWN = { x: false, y: true };

export function scrollsOn(box: Box, axis: Axis): boolean {
  const { x, y } = scrollAxes(box);
  return axis === 0 ? x : y;
}

export function isGrid(box: Box): boolean {
  return box.style.layout === 'grid' && box.role === 'element' && GRID_KINDS.has(box.kind);
}

/** Docks are ignored by tables, tabs and hints (G-070). */
export function honoursDocks(box: Box): boolean {
  return box.kind !== 'table' && box.kind !== 'tabs' && box.kind !== 'hints';
}

export function flowChildren(box: Box): Box[] {
  return honoursDocks(box)
    ? box.children.filter((child) => child.style.dock === null)
    : box.children;
}

/**
 * The gap between siblings along an axis (G-068).
 *
 * @param isVersion3 only a v3 document reads the longhands (G-022)
 */
export function gapOn(box: Box, axis: Axis, isVersion3: boolean): number {
  if (!isVersion3) return box.style.gap;
  return axis === 0 ? box.style.columnGap : box.style.rowGap;
}

/** Whether a box can give up cells on an axis (G-065). */
export function canShrink(box: Box, axis: Axis): boolean {
  const known = axis === 0 ? box.shrinksX : box.shrinksY;
  if (known !== undefined) return known;
  const shrinks = workOutShrink(box, axis);
  if (axis === 0) box.shrinksX = shrinks;
  else box.shrinksY = shrinks;
  return shrinks;
}

function workOutShrink(box: Box, axis: Axis): boolean {
  if (scrollsOn(box, axis)) return true;
  if (!isContainer(box) || box.kind === 'hints' || isGrid(box)) return false;
  return box.children.some((child) => canShrink(child, axis));
}
