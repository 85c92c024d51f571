import type { ComputedStyle } from './computed.ts';
import { isZero } from './decimal.ts';

/** The direction a container lays its flow children out in (G-053). */
export function directionOf(kind: string, style: ComputedStyle): 'row' | 'column' {
  if (style.layout === 'row' || style.layout === 'column') return style.layout;
  return kind === 'row' ? 'row' : 'column';
}

/**
 * The `V010` message of a docked child that also asks for a share of the dock's axis (G-070 step 2),
 * or null. The built-in `1fr` and `flex: 1` never conflict.
 */
export function dockConflict(
  style: ComputedStyle,
  parentKind: string,
  parentStyle: ComputedStyle,
): string | null {
  const { dock } = style;
  if (dock === null) return null;
  const isVertical = dock === 'top' || dock === 'bottom';
  const size = isVertical ? style.height : style.width;
  const isSizeBuiltin = isVertical ? style.isHeightBuiltin : style.isWidthBuiltin;
  const isMain = (directionOf(parentKind, parentStyle) === 'column') === isVertical;
  const wantsFr = size?.unit === 'fr' && !isSizeBuiltin;
  const wantsFlex = style.flex !== null && !isZero(style.flex) && !style.isFlexBuiltin && isMain;
  if (!wantsFr && !wantsFlex) return null;
  return `dock: ${dock} and an fr/flex size on the same axis; give it a size in cells, a percent, or auto`;
}
