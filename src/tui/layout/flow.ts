import type { Box } from '../frame/box.ts';
import { percentOf, splitByWeight } from '../style/decimal.ts';
import { sizeText } from '../style/size.ts';
import type { Decimal, Size } from '../style/types.ts';
import { stringWidth } from '../text/graphemes.ts';
import { countLines, widestLine } from '../text/lines.ts';
import {
  type Axis,
  bound,
  canShrink,
  clampCells,
  clampSize,
  crossOf,
  flowChildren,
  frameOn,
  gapOn,
  honoursDocks,
  isAutoSized,
  isGrid,
  isSizeBuiltin,
  mainAxisOf,
  mainSpec,
  marginsOn,
  minOn,
  plainSpec,
  type Spec,
  scrollsOn,
  sizeOn,
} from './axis.ts';
import { type Layout, report } from './context.ts';
import { gridColumnCount, gridColumnWidths } from './grid-columns.ts';

/** Main sizes of the flow children of one container (G-063). */
export interface Allocation {
  /** Outer sizes on the main axis, margins not included. */
  readonly sizes: number[];
  /** Sizes plus margins. */
  readonly slots: number[];
  /** Sizes on the cross axis; worked out first in a column, after in a row. */
  readonly cross: number[];
  readonly gap: number;
  readonly hasFr: boolean;
  /** Children whose main size came from their content. */
  readonly isAuto: boolean[];
  readonly isCrossAuto: boolean[];
}

/** Columns a progress bar asks for (G-059). */
const PROGRESS_WIDTH = 10;

/**
 * Outer size of a box by its content (G-059).
 *
 * @param other outer size on the other axis, 0 when it is not known
 */
export function intrinsic(layout: Layout, box: Box, axis: Axis, other: number): number {
  const key = other * 2 + axis;
  box.measured ??= [];
  const { measured } = box;
  for (let i = 0; i < measured.length; i += 2) if (measured[i] === key) return measured[i + 1]!;
  const size = clampCells(contentSize(layout, box, axis, other) + frameOn(box, axis));
  measured.push(key, size);
  return size;
}

function contentSize(layout: Layout, box: Box, axis: Axis, other: number): number {
  const inner = Math.max(0, other - frameOn(box, crossOf(axis)));
  switch (box.kind) {
    case 'text':
      if (axis === 0) return widestLine(box.text);
      return box.style.wrap === 'wrap' && other > 0
        ? countLines(box.text, Math.max(1, inner), true)
        : countLines(box.text, 0, false);
    case 'column':
      return axis === 0 ? widestLine(box.text) : 1;
    case 'input':
      if (axis === 1) return 1;
      return Math.max(stringWidth(box.text), stringWidth(box.input?.placeholder ?? '')) + 1;
    case 'button':
      return axis === 1 ? 1 : stringWidth(box.text) + (box.style.border === 'none' ? 4 : 0);
    case 'progress':
      return axis === 1 ? 1 : PROGRESS_WIDTH;
    case 'rule':
      return (box.source?.axis === 'y') === (axis === 0) ? 1 : 0;
    case 'spacer':
      return 0;
    case 'sparkline':
      return axis === 1 ? 1 : box.series.length;
    case 'table':
      return axis === 0 ? tableWidth(layout, box) : tableHeight(box);
    case 'tabs':
      return tabsSize(layout, box, axis, inner);
    case 'hints':
      return hintsSize(layout, box, axis);
    default:
      return measureContent(layout, box, axis, inner);
  }
}

// --- tables, tabs and hints -------------------------------------------------------------------

/** Columns reserved for the mark of a table (G-075 step 3). */
export function tableChannel(box: Box): number {
  return box.table?.checked && box.mark !== '' ? stringWidth(box.mark) + 1 : 0;
}

/** The header row exists when any column has a title, before priority hiding (G-075 step 2). */
export function tableHeaderRows(box: Box): number {
  return box.children.some((column) => hasTitle(column)) ? 1 : 0;
}

function hasTitle(column: Box): boolean {
  return column.source?.attributes.some((attribute) => attribute.name === 'title') ?? false;
}

/** Width of the widest line of a column (G-076). */
export function columnMeasure(box: Box, column: Box): number {
  return box.table!.measure(column.source!, column.text);
}

function tableWidth(layout: Layout, box: Box): number {
  const gaps = gapOn(box, 0, layout.isVersion3) * Math.max(0, box.children.length - 1);
  let width = tableChannel(box) + gaps;
  for (const column of box.children) {
    const { width: size } = column.style;
    width +=
      size?.unit === 'cells' ? size.cells : clampSize(column, 0, columnMeasure(box, column), null);
  }
  const table = box.table!;
  if (table.keys.length > 0 || table.placeholder === null) return width;
  return Math.max(width, stringWidth(table.placeholder));
}

function tableHeight(box: Box): number {
  const table = box.table!;
  const rows = table.keys.length > 0 ? table.keys.length : table.placeholder === null ? 0 : 1;
  return tableHeaderRows(box) + rows;
}

/** Width of all labels side by side (G-079). */
export function stripWidth(layout: Layout, box: Box, which: 'full' | 'short'): number {
  const { entries } = box.tabs!;
  const mark = stringWidth(box.mark);
  const gaps = gapOn(box, 0, layout.isVersion3) * Math.max(0, entries.length - 1);
  return entries.reduce((sum, entry) => sum + mark + stringWidth(entry[which]), gaps);
}

function tabsSize(layout: Layout, box: Box, axis: Axis, inner: number): number {
  const active = box.tabs?.active?.tab;
  if (axis === 1) return 1 + (active ? intrinsic(layout, active, 1, inner) : 0);
  const content = active ? intrinsic(layout, active, 0, Math.max(0, inner - 1)) : 0;
  return Math.max(stripWidth(layout, box, 'full'), content);
}

/** Width of one hint: keycap, gap, label (G-081). */
export function hintWidth(layout: Layout, item: Box): number {
  const gap = gapOn(item, 0, layout.isVersion3);
  return item.children.reduce(
    (sum, text, i) => sum + stringWidth(text.text) + (i > 0 ? gap : 0),
    0,
  );
}

function hintsSize(layout: Layout, box: Box, axis: Axis): number {
  const main = mainAxisOf(box);
  const sizes = box.children.map((item) => (axis === 0 ? hintWidth(layout, item) : 1));
  if (axis !== main) return axis === 1 ? 1 : sizes.reduce((most, size) => Math.max(most, size), 0);
  const gaps = gapOn(box, main, layout.isVersion3) * Math.max(0, sizes.length - 1);
  return sizes.reduce((sum, size) => sum + size, gaps);
}

// --- ordinary containers ----------------------------------------------------------------------

/**
 * Content measure of an ordinary container (G-060).
 *
 * @param avail its content size on the other axis, 0 when unknown
 */
export function measureContent(layout: Layout, box: Box, axis: Axis, avail: number): number {
  const docks = measureDocks(layout, box, axis, avail);
  const children = flowChildren(box);
  const total = isGrid(box)
    ? measureGrid(layout, box, children, axis, docks.avail)
    : measureFlow(layout, box, children, axis, docks.avail);
  return axis === 0
    ? Math.max(docks.widest, total + docks.stacked)
    : Math.max(total, docks.widest) + docks.stacked;
}

function measureDocks(layout: Layout, box: Box, axis: Axis, avail: number) {
  const result = { stacked: 0, widest: 0, avail };
  if (!honoursDocks(box)) return result;
  for (const child of box.children) {
    const { dock } = child.style;
    if (dock === null) continue;
    const isSide = dock === 'left' || dock === 'right';
    let other = avail;
    if (axis === 1 && isSide) {
      const wanted = sideDockWidth(layout, child, avail) + marginsOn(child, 0);
      const slot = Math.min(wanted, result.avail);
      result.avail -= slot;
      other = Math.max(0, slot - marginsOn(child, 0));
    }
    const size = sizeOn(child, axis);
    const own =
      size?.unit === 'cells'
        ? size.cells
        : size?.unit === 'percent'
          ? 0
          : intrinsic(layout, child, axis, other);
    const slot = own + marginsOn(child, axis);
    if (isSide === (axis === 0)) result.stacked += slot;
    else result.widest = Math.max(result.widest, slot);
  }
  return result;
}

function sideDockWidth(layout: Layout, child: Box, avail: number): number {
  const size = sizeOn(child, 0);
  const width =
    size?.unit === 'cells'
      ? size.cells
      : size?.unit === 'percent'
        ? percentOf(avail, size.amount)
        : intrinsic(layout, child, 0, 0);
  return clampSize(child, 0, width, avail);
}

function measureFlow(
  layout: Layout,
  box: Box,
  children: readonly Box[],
  axis: Axis,
  avail: number,
): number {
  if (children.length === 0) return 0;
  const main = mainAxisOf(box);
  const others = otherSizes(layout, box, children, axis, avail);
  let sum = 0;
  let widest = 0;
  for (const [i, child] of children.entries()) {
    const spec = axis === main ? mainSpec(child, axis) : plainSpec(sizeOn(child, axis));
    const own =
      spec.kind === 'cells'
        ? spec.cells
        : spec.kind === 'percent'
          ? 0
          : intrinsic(layout, child, axis, others[i]!);
    const slot = clampSize(child, axis, own, null) + marginsOn(child, axis);
    sum += slot;
    widest = Math.max(widest, slot);
  }
  if (axis !== main) return widest;
  return clampCells(sum + gapOn(box, axis, layout.isVersion3) * (children.length - 1));
}

/** The size on the other axis each child is measured with (G-060 step 3). */
function otherSizes(
  layout: Layout,
  box: Box,
  children: readonly Box[],
  axis: Axis,
  avail: number,
): number[] {
  if (axis === 0) return children.map(() => avail);
  if (mainAxisOf(box) === 0) {
    return allocate(layout, box, children, avail, 0, { isMeasuring: true }).sizes;
  }
  return children.map((child) => crossSize(layout, box, child, 0, avail, 0, true).size);
}

function measureGrid(
  layout: Layout,
  box: Box,
  children: readonly Box[],
  axis: Axis,
  avail: number,
): number {
  if (children.length === 0) return 0;
  if (axis === 1) {
    const heights = gridRowHeights(layout, box, children, avail);
    const gaps = gapOn(box, 1, layout.isVersion3) * (heights.length - 1);
    return heights.reduce((sum, height) => sum + height, gaps);
  }
  const { gridColumns, gridMinWidth } = box.style;
  const columns =
    gridMinWidth === null ? gridColumns : Math.max(1, Math.min(gridColumns, children.length));
  const widest = children.reduce(
    (most, child) => Math.max(most, intrinsic(layout, child, 0, avail) + marginsOn(child, 0)),
    0,
  );
  const width = gridMinWidth ?? widest;
  return columns * width + gapOn(box, 0, layout.isVersion3) * (columns - 1);
}

/** Heights of the rows of a grid whose content is `width` wide (G-073). */
export function gridRowHeights(
  layout: Layout,
  box: Box,
  children: readonly Box[],
  width: number,
): number[] {
  const gap = gapOn(box, 0, layout.isVersion3);
  const widths = gridColumnWidths(gridColumnCount(box.style, width, gap), width, gap);
  const heights: number[] = [];
  for (const [i, child] of children.entries()) {
    const row = Math.floor(i / widths.length);
    const inner = Math.max(0, widths[i % widths.length]! - marginsOn(child, 0));
    const height = gridChildHeight(layout, child, inner) + marginsOn(child, 1);
    heights[row] = Math.max(heights[row] ?? 0, height);
  }
  return heights;
}

/** Own height of a grid child at its column's width (G-073 step 4). */
export function gridChildHeight(layout: Layout, child: Box, width: number): number {
  const { height } = child.style;
  const own = height?.unit === 'cells' ? height.cells : intrinsic(layout, child, 1, width);
  return clampSize(child, 1, own, null);
}

// --- sharing a line ---------------------------------------------------------------------------

/**
 * Size of a child across the main axis (G-062).
 *
 * @param extent      the parent's content size on that axis
 * @param mainSize    the child's main size when it is already known, else 0
 * @param isMeasuring nothing is reported and nothing shrinks to fit
 */
export function crossSize(
  layout: Layout,
  parent: Box,
  child: Box,
  axis: Axis,
  extent: number,
  mainSize: number,
  isMeasuring: boolean,
): { size: number; isAuto: boolean } {
  const avail = Math.max(0, extent - marginsOn(child, axis));
  const size = sizeOn(child, axis);
  const byContent = (cap: boolean) => {
    const own = intrinsic(layout, child, axis, mainSize);
    const fits = cap && !isMeasuring && !scrollsOn(parent, axis) && canShrink(child, axis);
    return {
      size: clampSize(child, axis, fits ? Math.min(own, avail) : own, extent),
      isAuto: true,
    };
  };
  switch (size?.unit) {
    case 'cells':
      return { size: clampSize(child, axis, size.cells, extent), isAuto: false };
    case 'percent':
      if (isAutoSized(parent, axis)) {
        if (!isMeasuring) reportPercent(layout, child, axis, size);
        return byContent(false);
      }
      return {
        size: clampSize(child, axis, percentOf(extent, size.amount), extent),
        isAuto: false,
      };
    case 'auto': {
      const { align } = parent.style;
      if (align !== null && align !== 'stretch') return byContent(true);
      break;
    }
  }
  return { size: clampSize(child, axis, avail, extent), isAuto: false };
}

function reportPercent(layout: Layout, child: Box, axis: Axis, size: Size): void {
  const name = axis === 0 ? 'width' : 'height';
  const what = `${name}: ${sizeText(size)} is a percent of a parent sized by its content (auto)`;
  report(layout, child, 'error', 'L002', `${what}; give the parent a size`);
}

export interface AllocateOptions {
  readonly isMeasuring: boolean;
  /** Content size of the parent on the cross axis; not needed for a measured row. */
  readonly crossExtent?: number;
}

/**
 * Main sizes of the flow children of `parent` in an extent (G-063), and their cross sizes.
 *
 * @param extent the parent's content size on the axis, after docks
 */
export function allocate(
  layout: Layout,
  parent: Box,
  children: readonly Box[],
  extent: number,
  axis: Axis,
  options: AllocateOptions,
): Allocation {
  const { isMeasuring, crossExtent = 0 } = options;
  const n = children.length;
  const gap = gapOn(parent, axis, layout.isVersion3);
  const room = Math.max(0, extent - gap * Math.max(0, n - 1));
  const specs = resolveSpecs(layout, parent, children, axis, isMeasuring);
  const hasFr = specs.some((spec) => spec.kind === 'fr');
  const sizes: number[] = new Array(n).fill(0);
  const slots: number[] = new Array(n).fill(0);
  const isAuto = specs.map((spec) => spec.kind === 'auto');
  const cross: number[] = [];
  const isCrossAuto: boolean[] = [];
  const setCross = (i: number, mainSize: number) => {
    const other = crossOf(axis);
    const found = crossSize(
      layout,
      parent,
      children[i]!,
      other,
      crossExtent,
      mainSize,
      isMeasuring,
    );
    cross[i] = found.size;
    isCrossAuto[i] = found.isAuto;
  };
  if (axis === 1) for (let i = 0; i < n; i++) setCross(i, 0);

  let remain = room;
  const deferred = new Set<number>();
  for (const [i, child] of children.entries()) {
    const spec = specs[i]!;
    if (spec.kind === 'fr') continue;
    if (isFitted(parent, child, axis, spec, isMeasuring)) {
      deferred.add(i);
      continue;
    }
    const own =
      spec.kind === 'cells'
        ? spec.cells
        : spec.kind === 'percent'
          ? percentOf(extent, spec.amount)
          : intrinsic(layout, child, axis, axis === 1 ? cross[i]! : 0);
    sizes[i] = clampSize(child, axis, own, extent);
    slots[i] = sizes[i]! + marginsOn(child, axis);
    remain -= slots[i]!;
  }
  remain = Math.max(0, remain);
  for (const i of deferred) {
    const child = children[i]!;
    const margins = marginsOn(child, axis);
    const own = intrinsic(layout, child, axis, axis === 1 ? cross[i]! : 0);
    sizes[i] = clampSize(child, axis, Math.min(own, Math.max(0, remain - margins)), extent);
    slots[i] = sizes[i]! + margins;
    remain = Math.max(0, remain - slots[i]!);
  }
  shareByWeight(children, specs, axis, extent, remain, sizes, slots);
  if (axis === 0 && !isMeasuring) for (let i = 0; i < n; i++) setCross(i, sizes[i]!);
  if (!isMeasuring)
    warnTooLarge(layout, parent, children, specs, deferred, axis, extent, room, sizes);
  return { sizes, slots, cross, gap, hasFr, isAuto, isCrossAuto };
}

function isFitted(parent: Box, child: Box, axis: Axis, spec: Spec, isMeasuring: boolean): boolean {
  return spec.kind === 'auto' && !isMeasuring && !scrollsOn(parent, axis) && canShrink(child, axis);
}

function shareByWeight(
  children: readonly Box[],
  specs: readonly Spec[],
  axis: Axis,
  extent: number,
  remain: number,
  sizes: number[],
  slots: number[],
): void {
  const sharing: number[] = [];
  const weights: Decimal[] = [];
  for (const [i, spec] of specs.entries()) {
    if (spec.kind !== 'fr') continue;
    sharing.push(i);
    weights.push(spec.weight);
  }
  const shares = splitByWeight(remain, weights);
  for (const [k, i] of sharing.entries()) {
    const margins = marginsOn(children[i]!, axis);
    sizes[i] = clampSize(children[i]!, axis, Math.max(0, shares[k]! - margins), extent);
    slots[i] = sizes[i]! + margins;
  }
}

/** Steps 1, 2 and the percent part of step 4 of G-063. */
function resolveSpecs(
  layout: Layout,
  parent: Box,
  children: readonly Box[],
  axis: Axis,
  isMeasuring: boolean,
): Spec[] {
  const scrolls = scrollsOn(parent, axis);
  const specs = children.map((child): Spec => {
    const spec = mainSpec(child, axis);
    if (spec.kind !== 'fr' || !scrolls) return spec;
    const isBuiltin = spec.isFlex ? child.style.isFlexBuiltin : isSizeBuiltin(child, axis);
    if (!isBuiltin && !isMeasuring) reportShare(layout, parent, child, axis, spec);
    return { kind: 'auto' };
  });
  const hasFr = specs.some((spec) => spec.kind === 'fr');
  return specs.map((spec, i): Spec => {
    if (spec.kind === 'unset') {
      return hasFr ? { kind: 'fr', weight: ONE, isFlex: false } : { kind: 'auto' };
    }
    if (spec.kind === 'percent' && isAutoSized(parent, axis)) {
      if (!isMeasuring)
        reportPercent(layout, children[i]!, axis, { unit: 'percent', amount: spec.amount });
      return { kind: 'auto' };
    }
    return spec;
  });
}

const ONE: Decimal = { literal: '1', digits: 1n, scale: 0, small: 1 };

function reportShare(
  layout: Layout,
  parent: Box,
  child: Box,
  axis: Axis,
  spec: Spec & { kind: 'fr' },
) {
  const { literal } = spec.weight;
  const name = axis === 0 ? 'width' : 'height';
  const declaration = spec.isFlex ? `flex: ${literal}` : `${name}: ${literal}fr`;
  const what = `${declaration} inside a scrolling ${parent.tag} has no leftover to share`;
  report(layout, child, 'error', 'L001', `${what}; use cells or auto`);
}

/** `L003` when what cannot shrink is more than there is (G-064). */
function warnTooLarge(
  layout: Layout,
  parent: Box,
  children: readonly Box[],
  specs: readonly Spec[],
  deferred: ReadonlySet<number>,
  axis: Axis,
  extent: number,
  room: number,
  sizes: readonly number[],
): void {
  let needed = 0;
  for (const [i, child] of children.entries()) {
    const min = bound(minOn(child, axis), extent);
    const spec = specs[i]!;
    if (spec.kind === 'fr' || deferred.has(i)) needed += min ?? 0;
    else if (spec.kind === 'cells' || min !== null) needed += sizes[i]! + marginsOn(child, axis);
  }
  if (needed <= room) return;
  const what = `fixed and min sizes need ${needed} cells but the ${parent.tag} has ${room} on this axis`;
  layout.overfull.add(parent);
  report(layout, parent, 'warning', 'L003', `${what}; make one of them smaller`);
}
