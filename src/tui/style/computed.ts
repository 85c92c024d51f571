import type { ColorValue, Decimal, PropertyName, PropertyValue, Sides, Size } from './types.ts';

/** Colours are canonical text; `null` is unset everywhere (G-025). */
export interface ComputedStyle {
  layout: 'column' | 'row' | 'grid' | null;
  gridColumns: number;
  gridMinWidth: number | null;
  scrollbar: 'none' | 'auto';
  dock: 'top' | 'right' | 'bottom' | 'left' | null;
  width: Size | null;
  height: Size | null;
  minWidth: Size | null;
  minHeight: Size | null;
  maxWidth: Size | null;
  maxHeight: Size | null;
  flex: Decimal | null;
  gap: number;
  rowGap: number;
  columnGap: number;
  padding: Sides;
  margin: Sides;
  align: 'start' | 'center' | 'end' | 'stretch' | null;
  justify: 'start' | 'center' | 'end' | 'space-between';
  overflow: 'hidden' | 'scroll';
  contentAlign: 'start' | 'center' | 'end' | null;
  display: 'flex' | 'none';
  color: string | null;
  background: string | null;
  borderColor: string | null;
  titleColor: string | null;
  border: 'none' | 'single' | 'double' | 'rounded' | 'thick';
  bold: boolean;
  dim: boolean;
  italic: boolean;
  underline: boolean;
  reverse: boolean;
  wrap: Wrap | null;
  visibility: 'visible' | 'hidden';
  bar: 'block' | 'eighths';
  /** Whether the winning declaration is the built-in sheet's (G-028). */
  isWidthBuiltin: boolean;
  isHeightBuiltin: boolean;
  isFlexBuiltin: boolean;
  /** Whether the document wrote the winning value (G-028); the first is inherited with `wrap`. */
  isWrapWritten: boolean;
  isOverflowWritten: boolean;
  /** Identity of this object, for the cascade's cache. */
  readonly serial: number;
}

export type Wrap = 'wrap' | 'nowrap' | 'truncate' | 'truncate-start' | 'truncate-middle';

const NO_SIDES: Sides = [0, 0, 0, 0];

let nextSerial = 0;

/** Initial values, with the inherited properties of `parent` when there is one (G-027). */
export function startStyle(parent: ComputedStyle | null): ComputedStyle {
  return {
    layout: null,
    gridColumns: 1,
    gridMinWidth: null,
    scrollbar: 'none',
    dock: null,
    width: null,
    height: null,
    minWidth: null,
    minHeight: null,
    maxWidth: null,
    maxHeight: null,
    flex: null,
    gap: 0,
    rowGap: 0,
    columnGap: 0,
    padding: NO_SIDES,
    margin: NO_SIDES,
    align: null,
    justify: 'start',
    overflow: 'hidden',
    contentAlign: null,
    display: 'flex',
    color: parent ? parent.color : null,
    background: null,
    borderColor: null,
    titleColor: null,
    border: 'none',
    bold: parent ? parent.bold : false,
    dim: parent ? parent.dim : false,
    italic: parent ? parent.italic : false,
    underline: parent ? parent.underline : false,
    reverse: parent ? parent.reverse : false,
    wrap: parent ? parent.wrap : null,
    visibility: parent ? parent.visibility : 'visible',
    bar: 'block',
    isWidthBuiltin: false,
    isHeightBuiltin: false,
    isFlexBuiltin: false,
    isWrapWritten: parent ? parent.isWrapWritten : false,
    isOverflowWritten: false,
    serial: nextSerial++,
  };
}

/** The member of ComputedStyle that holds a property: `min-width` is `minWidth`. */
export function memberOf(property: PropertyName): keyof ComputedStyle {
  const known = MEMBERS.get(property);
  if (known) return known;
  const member = property.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  MEMBERS.set(property, member as keyof ComputedStyle);
  return member as keyof ComputedStyle;
}
const MEMBERS = new Map<PropertyName, keyof ComputedStyle>();

/** Applies one declaration; a colour must already be resolved (`color` holds its text). */
export function applyDeclaration(
  style: ComputedStyle,
  property: PropertyName,
  value: PropertyValue,
  origin: 'ua' | 'attribute' | 'author' | 'inline',
): void {
  (style as unknown as Record<string, unknown>)[memberOf(property)] = value;
  const isBuiltin = origin === 'ua';
  if (property === 'width') style.isWidthBuiltin = isBuiltin;
  else if (property === 'height') style.isHeightBuiltin = isBuiltin;
  else if (property === 'flex') style.isFlexBuiltin = isBuiltin;
  else if (property === 'wrap') style.isWrapWritten = !isBuiltin;
  else if (property === 'overflow') style.isOverflowWritten = !isBuiltin;
  else if (property === 'gap') {
    // G-022: a gap counts as both longhands with the same strength.
    style.rowGap = value as number;
    style.columnGap = value as number;
  }
}

/** The colour of a value under a token table, or null when its token is not defined. */
export function resolveColor(
  value: ColorValue,
  tokens: ReadonlyMap<string, string>,
): string | null {
  return 'color' in value ? value.color : (tokens.get(value.token) ?? null);
}
