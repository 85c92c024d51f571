import type { Box } from '../frame/box.ts';
import { percentOf, splitByWeight } from '../style/decimal.ts';
import { sizeText } from '../style/size.ts';
import type { Decimal, Size } from '../style/types.ts';
import {
  type Axis,
  bound,
  canShrink,
  clampSize,
  crossOf,
  gapOn,
  isAutoSized,
  isSizeBuiltin,
  mainSpec,
  marginsOn,
  minOn,
  type Spec,
  scrollsOn,
  sizeOn,
} from './axis.ts';
import { type Layout, report } from './context.ts';

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
    const own = layout.intrinsic(child, axis, mainSize);
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
          : layout.intrinsic(child, axis, axis === 1 ? cross[i]! : 0);
    sizes[i] = clampSize(child, axis, own, extent);
    slots[i] = sizes[i]! + marginsOn(child, axis);
    remain -= slots[i]!;
  }
  remain = Math.max(0, remain);
  for (const i of deferred) {
    const child = children[i]!;
    const margins = marginsOn(child, axis);
    const own = layout.intrinsic(child, axis, axis === 1 ? cross[i]! : 0);
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
