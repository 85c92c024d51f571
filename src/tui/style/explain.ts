import { type Candidate, type Cascade, candidatesOf } from './cascade.ts';
import { type ComputedStyle, memberOf, resolveColor } from './computed.ts';
import { matchingEntries, type StyleNode } from './match.ts';
import { COLOR_PROPERTIES, PROPERTIES } from './properties.ts';
import { sizeText } from './size.ts';
import type { ColorValue, Decimal, PropertyName, Sides, Size } from './types.ts';

/** Where a property's value comes from and what it beat (G-192). */
export interface Explained {
  readonly property: PropertyName;
  /** Canonical text, null when unset (G-193). */
  readonly value: string | null;
  readonly origin: Candidate['origin'] | 'inherited' | 'initial';
  readonly winner: Candidate | null;
  /** Losing declarations, strongest first. */
  readonly overridden: readonly Candidate[];
}

/** Explains every property of a node in canonical order; a v3 document has two more. */
export function explainStyle(
  cascade: Cascade,
  node: StyleNode,
  style: ComputedStyle,
  version: number,
): Explained[] {
  const candidates = candidatesOf(matchingEntries(cascade.index, node), node.element);
  const resolved = candidates.filter((candidate) => isResolved(cascade, candidate));
  return PROPERTIES.filter(
    ({ name }) => version >= 3 || (name !== 'row-gap' && name !== 'column-gap'),
  ).map(({ name, inherited }) => {
    const own = resolved.filter(({ declaration }) => {
      if (declaration.property === name) return true;
      // A gap counts as both longhands (G-022).
      return declaration.property === 'gap' && (name === 'row-gap' || name === 'column-gap');
    });
    const winner = own.at(-1) ?? null;
    const fallback = inherited && node.parent !== null ? 'inherited' : 'initial';
    return {
      property: name,
      value: valueText(name, style),
      origin: winner ? winner.origin : fallback,
      winner,
      overridden: own.slice(0, -1).reverse(),
    };
  });
}

function isResolved(cascade: Cascade, { declaration }: Candidate): boolean {
  if (!COLOR_PROPERTIES.has(declaration.property)) return true;
  return resolveColor(declaration.value as ColorValue, cascade.tokens) !== null;
}

const SIZES = new Set(['width', 'height', 'min-width', 'min-height', 'max-width', 'max-height']);

function valueText(name: PropertyName, style: ComputedStyle): string | null {
  const value = style[memberOf(name)];
  if (value === null) return null;
  if (SIZES.has(name)) return sizeText(value as Size);
  if (name === 'flex') return (value as Decimal).literal;
  if (name === 'padding' || name === 'margin') return (value as Sides).join(' ');
  return String(value);
}
