import type { Diagnostic } from '../diagnostics/types.ts';
import { BUILTIN_SHEET } from './builtin-sheet.ts';
import { applyDeclaration, type ComputedStyle, resolveColor, startStyle } from './computed.ts';
import {
  type Entry,
  indexRules,
  matchingEntries,
  type RuleIndex,
  type StyleNode,
} from './match.ts';
import { type MediaContext, mediaHolds } from './media.ts';
import { COLOR_PROPERTIES } from './properties.ts';
import { tokenTable } from './tokens.ts';
import type { ColorValue, Declaration, Sheet } from './types.ts';

export type Origin = 'ua' | 'attribute' | 'author' | 'inline';

/** A declaration with its strength, weakest first in a list (G-019). */
export interface Candidate {
  readonly declaration: Declaration;
  readonly origin: Origin;
  /** The selector entry of a rule; null for attributes and `style=""`. */
  readonly entry: Entry | null;
}

/** The cascade of one frame: rules whose media hold, and its tokens. */
export interface Cascade {
  readonly index: RuleIndex;
  readonly tokens: ReadonlyMap<string, string>;
  /** Styles by parent style, element with declarations of its own, and what matched. */
  readonly cache: Map<string, Styled>;
}

/** A computed style and the token problems met on the way (G-023). */
export interface Styled {
  readonly style: ComputedStyle;
  readonly problems: readonly Diagnostic[];
}

/**
 * Styles kept before the cache starts anew. A screen of the reference documents needs about 100;
 * 1,024 bounds the memory of a document whose class guards keep changing.
 */
const CACHE_LIMIT = 1024;

export function createCascade(sheets: readonly Sheet[], frame: MediaContext): Cascade {
  return {
    index: indexRules(BUILTIN_SHEET, sheets, (rule) => mediaHolds(rule.media, frame)),
    tokens: tokenTable(sheets, frame),
    cache: new Map(),
  };
}

/**
 * Computes a node's style. Its parent's style and its own state flags must be final (G-016).
 *
 * @param parentStyle what inherited properties come from; null on a screen (G-027)
 */
export function computeStyle(
  cascade: Cascade,
  node: StyleNode,
  parentStyle: ComputedStyle | null,
): Styled {
  const entries = matchingEntries(cascade.index, node);
  const own = node.element && hasOwnDeclarations(node.element) ? node.element : null;
  let key = `${parentStyle ? parentStyle.serial : ''}/${own ? own.order : ''}`;
  for (const entry of entries) key += `,${entry.order}`;
  const known = cascade.cache.get(key);
  if (known) return known;
  const styled = resolveStyle(cascade, entries, own, parentStyle);
  if (cascade.cache.size >= CACHE_LIMIT) cascade.cache.clear();
  cascade.cache.set(key, styled);
  return styled;
}

type OwnDeclarations = NonNullable<StyleNode['element']>;

function hasOwnDeclarations(element: OwnDeclarations): boolean {
  return element.presentational.length > 0 || element.inline.length > 0;
}

/** Candidates of a node from weakest to strongest (G-018, G-019). */
export function candidatesOf(
  entries: readonly Entry[],
  element: OwnDeclarations | null,
): Candidate[] {
  const candidates: Candidate[] = [];
  const add = (entry: Entry, origin: Origin) => {
    for (const declaration of entry.rule.declarations)
      candidates.push({ declaration, origin, entry });
  };
  // Stable by specificity within an origin; the entries already stand in order of appearance.
  const ranked = [...entries].sort((a, b) => a.selector.specificity - b.selector.specificity);
  for (const entry of ranked) if (entry.isBuiltin) add(entry, 'ua');
  for (const declaration of element?.presentational ?? []) {
    candidates.push({ declaration, origin: 'attribute', entry: null });
  }
  for (const entry of ranked) if (!entry.isBuiltin) add(entry, 'author');
  for (const declaration of element?.inline ?? []) {
    candidates.push({ declaration, origin: 'inline', entry: null });
  }
  return candidates;
}

function resolveStyle(
  cascade: Cascade,
  entries: readonly Entry[],
  element: OwnDeclarations | null,
  parentStyle: ComputedStyle | null,
): Styled {
  const style = startStyle(parentStyle);
  const problems: Diagnostic[] = [];
  for (const { declaration, origin } of candidatesOf(entries, element)) {
    const { property, value } = declaration;
    if (COLOR_PROPERTIES.has(property)) {
      const color = resolveColor(value as ColorValue, cascade.tokens);
      if (color === null) problems.push(unknownToken(declaration));
      else applyDeclaration(style, property, color, origin);
    } else {
      applyDeclaration(style, property, value, origin);
    }
  }
  return { style, problems };
}

/** The report of a colour whose token is not defined (U-116). */
export function unknownToken(declaration: Declaration): Diagnostic {
  const { property, value, file, line, col } = declaration;
  const name = (value as { token: string }).token;
  const msg = `${property}: unknown token $${name}`;
  return { severity: 'error', code: 'V003', msg, file, line, col, path: '', id: '' };
}
