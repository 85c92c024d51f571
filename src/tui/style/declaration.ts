import { quote } from '../diagnostics/quote.ts';
import { findProperty } from './properties.ts';
import type { Declaration } from './types.ts';

/**
 * Checks one declaration outside `:root` (U-113).
 *
 * @param property trimmed, as written
 * @param value    trimmed, as written
 * @param version  of the document that loads it
 * @param at       where a problem is reported
 */
export function parseDeclaration(
  property: string,
  value: string,
  version: 1 | 2 | 3,
  at: { file: string; line: number; col: number },
): { declaration: Declaration } | { error: string } {
  if (property.startsWith('--')) {
    return { error: `custom property ${property} is only allowed in :root` };
  }
  const known = findProperty(property);
  if (!known) return { error: `unknown property ${quote(property)}` };
  if (known.since > version) {
    return { error: `property ${quote(property)} (requires version="${known.since}")` };
  }
  if (value === '') return { error: `${property}: empty value` };
  const parsed = known.parse(property, value, version);
  if ('error' in parsed) return parsed;
  const { file, line, col } = at;
  return {
    declaration: { property: known.name, value: parsed.value, text: value, file, line, col },
  };
}
