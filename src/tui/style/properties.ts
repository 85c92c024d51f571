import { quote } from '../diagnostics/quote.ts';
import { parseColor } from './color.ts';
import { MAX_CELLS, MAX_LITERAL, parseDecimal, toCells } from './decimal.ts';
import { parseSize } from './size.ts';
import type { PropertyName, PropertyValue, Sides } from './types.ts';

type Parsed = { value: PropertyValue } | { error: string };
type Since = 1 | 2 | 3;
type Parse = (name: string, text: string, version: Since) => Parsed;

/** One of the 35 properties (G-025). */
export interface Property {
  readonly name: PropertyName;
  readonly inherited: boolean;
  readonly since: Since;
  readonly parse: Parse;
}

/** Values of an enumeration; those that a later version added carry it. */
type Choice = string | readonly [value: string, since: Since];

/** A `grid-min-width` above this counts as this (G-029). */
const MAX_GRID_MIN_WIDTH = 2 ** 30;

const size: Parse = (name, text) => {
  const parsed = parseSize(text);
  return 'error' in parsed ? { error: `${name}: ${parsed.error}` } : { value: parsed.size };
};

const color: Parse = (name, text) => {
  const parsed = parseColor(text);
  return 'error' in parsed ? { error: `${name}: ${parsed.error}` } : parsed;
};

const flag: Parse = (name, text) => {
  if (text === 'true' || text === 'false') return { value: text === 'true' };
  return { error: `${name}: bad value ${quote(text)} (want true or false)` };
};

const gap: Parse = (name, text) => {
  const count = /^\+?[0-9]+$/.test(text) ? Number(text) : -1;
  if (count >= 0 && count <= 4) return { value: count };
  return { error: `${name}: bad value ${quote(text)} (want one integer 0-4)` };
};

const flex: Parse = (name, text) => {
  if (text.length > MAX_LITERAL && /^[0-9.]+$/.test(text)) {
    return { error: `${name}: a number has at most 1000 characters` };
  }
  const amount = parseDecimal(text);
  return amount
    ? { value: amount }
    : { error: `${name}: bad value ${quote(text)} (want a number >= 0)` };
};

const sides: Parse = (name, text) => {
  const words = text.split(/\s+/u).filter((word) => word !== '');
  if (words.length < 1 || words.length > 4) {
    return { error: `${name}: want 1-4 cell values, got ${quote(text)}` };
  }
  const cells: number[] = [];
  for (const word of words) {
    if (!/^\+?[0-9]+$/.test(word)) {
      return { error: `${name}: bad cell value ${quote(word)} (cells only, no units)` };
    }
    cells.push(Math.min(MAX_CELLS, Number(word)));
  }
  return { value: expandSides(cells) };
};

/** CSS shorthand: all; vertical horizontal; top horizontal bottom; all four (G-026). */
function expandSides(cells: readonly number[]): Sides {
  const top = cells[0]!;
  const right = cells[1] ?? top;
  return [top, right, cells[2] ?? top, cells[3] ?? right];
}

const gridColumns: Parse = (name, text) => {
  const count = /^[0-9]+$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= 12) return { value: count };
  return { error: `${name}: bad value ${quote(text)} (want an integer 1-12)` };
};

const gridMinWidth: Parse = (name, text) => {
  const amount = /^[0-9]+$/.test(text) ? parseDecimal(text) : null;
  const cells = amount ? toCells(amount) : 0;
  if (cells >= 1) return { value: Math.min(cells, MAX_GRID_MIN_WIDTH) };
  return { error: `${name}: bad value ${quote(text)} (want an integer >= 1)` };
};

/** A closed list of words; a word of a later version says which version it needs (U-113). */
function oneOf(...choices: Choice[]): Parse {
  return (name, text, version) => {
    const known = choices.map((c): readonly [string, Since] =>
      typeof c === 'string' ? [c, 1] : c,
    );
    const hit = known.find(([value]) => value === text);
    if (hit && hit[1] <= version) return { value: text };
    const wanted = known.filter(([, since]) => since <= version).map(([value]) => value);
    const message = hit
      ? `${name}: value ${quote(text)} (want ${wanted.join(' | ')}) (requires version="${hit[1]}")`
      : `${name}: bad value ${quote(text)} (want ${wanted.join(' | ')})`;
    return { error: message };
  };
}

function property(name: PropertyName, parse: Parse, since: Since = 1, inherited = false): Property {
  return { name, parse, since, inherited };
}

/** In the order `inspect` lists them (G-025). */
export const PROPERTIES: readonly Property[] = [
  property('layout', oneOf('column', 'row', ['grid', 2])),
  property('grid-columns', gridColumns, 2),
  property('grid-min-width', gridMinWidth, 2),
  property('scrollbar', oneOf('none', 'auto'), 2),
  property('dock', oneOf('top', 'right', 'bottom', 'left')),
  property('width', size),
  property('height', size),
  property('min-width', size),
  property('min-height', size),
  property('max-width', size),
  property('max-height', size),
  property('flex', flex),
  property('gap', gap),
  property('row-gap', gap, 3),
  property('column-gap', gap, 3),
  property('padding', sides),
  property('margin', sides),
  property('align', oneOf('start', 'center', 'end', 'stretch')),
  property('justify', oneOf('start', 'center', 'end', 'space-between')),
  property('overflow', oneOf('hidden', 'scroll')),
  property('content-align', oneOf('start', 'center', 'end')),
  property('display', oneOf('flex', 'none')),
  property('color', color, 1, true),
  property('background', color),
  property('border-color', color),
  property('title-color', color),
  property('border', oneOf('none', 'single', 'double', 'rounded', 'thick')),
  property('bold', flag, 1, true),
  property('dim', flag, 1, true),
  property('italic', flag, 1, true),
  property('underline', flag, 1, true),
  property('reverse', flag, 1, true),
  property(
    'wrap',
    oneOf('wrap', 'nowrap', 'truncate', ['truncate-start', 3], ['truncate-middle', 3]),
    1,
    true,
  ),
  property('visibility', oneOf('visible', 'hidden'), 1, true),
  property('bar', oneOf('block', 'eighths'), 2),
];

const BY_NAME = new Map<string, Property>(PROPERTIES.map((p) => [p.name, p]));

export function findProperty(name: string): Property | undefined {
  return BY_NAME.get(name);
}

/** The properties whose values may name a token (G-023). */
export const COLOR_PROPERTIES: ReadonlySet<PropertyName> = new Set([
  'color',
  'background',
  'border-color',
  'title-color',
]);
