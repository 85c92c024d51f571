/** A place in a sheet or document: 1-based line and column in code points (G-007). */
interface Place {
  readonly file: string;
  readonly line: number;
  readonly col: number;
}

/** A non-negative decimal literal, kept exact (G-040, G-041): its value is `digits / 10^scale`. */
export interface Decimal {
  /** Canonical: no leading integer zeros, no trailing fraction zeros. */
  readonly literal: string;
  readonly digits: bigint;
  readonly scale: number;
  /** The value when it is a whole number below 2^20, so that plain arithmetic is exact; else -1. */
  readonly small: number;
}

/** `N` (whole cells), `N%`, `Nfr` or `auto` (G-040). */
export type Size =
  | { readonly unit: 'cells'; readonly cells: number; readonly amount: Decimal }
  | { readonly unit: 'percent' | 'fr'; readonly amount: Decimal }
  | { readonly unit: 'auto' };

/** A literal colour in canonical text (G-038), or the name of a token. */
export type ColorValue = { readonly color: string } | { readonly token: string };

/** Top, right, bottom, left. */
export type Sides = readonly [number, number, number, number];

export type PropertyName =
  | 'layout'
  | 'grid-columns'
  | 'grid-min-width'
  | 'scrollbar'
  | 'dock'
  | 'width'
  | 'height'
  | 'min-width'
  | 'min-height'
  | 'max-width'
  | 'max-height'
  | 'flex'
  | 'gap'
  | 'row-gap'
  | 'column-gap'
  | 'padding'
  | 'margin'
  | 'align'
  | 'justify'
  | 'overflow'
  | 'content-align'
  | 'display'
  | 'color'
  | 'background'
  | 'border-color'
  | 'title-color'
  | 'border'
  | 'bold'
  | 'dim'
  | 'italic'
  | 'underline'
  | 'reverse'
  | 'wrap'
  | 'visibility'
  | 'bar';

export type PropertyValue = string | number | boolean | Size | Decimal | ColorValue | Sides;

/** One checked declaration; `text` is the value as written, trimmed. */
export interface Declaration extends Place {
  readonly property: PropertyName;
  readonly value: PropertyValue;
  readonly text: string;
}

export type Pseudo = 'focus' | 'selected' | 'disabled' | 'empty' | 'checked' | 'focus-within';

export interface Compound {
  readonly type: string | null;
  readonly id: string | null;
  readonly classes: readonly string[];
  readonly pseudos: readonly Pseudo[];
}

/** Compounds joined by `>`, the subject last (G-011). */
export interface Selector {
  readonly text: string;
  readonly compounds: readonly Compound[];
  /** G-017: plain sum, without carry protection. */
  readonly specificity: number;
}

/** One condition of an `@media` block (G-009). */
export interface Media {
  /** The condition as written, parentheses included. */
  readonly text: string;
  readonly feature: 'max-cols' | 'min-cols' | 'max-rows' | 'min-rows' | 'theme';
  /** Cells, or the theme's name. */
  readonly value: number | Theme;
}

export type Theme = 'dark' | 'light';

export interface TokenDefinition {
  readonly name: string;
  readonly color: string;
}

/** A rule that passed; `:root` rules have no selectors and only tokens. */
export interface Rule extends Place {
  readonly selectors: readonly Selector[];
  /** The selector list, each trimmed, joined by `, `. */
  readonly selectorText: string;
  readonly declarations: readonly Declaration[];
  readonly tokens: readonly TokenDefinition[];
  readonly media: Media | null;
}

export interface Sheet {
  readonly file: string;
  readonly rules: readonly Rule[];
}
