import type { JsonValue } from '../data/value.ts';
import { compactSortedJson } from '../json/print.ts';

/** A value as text: interpolation, row keys, input text (U-068). */
export function formatValue(value: JsonValue): string {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return formatNumber(value);
  if (typeof value === 'boolean') return String(value);
  return compactSortedJson(value);
}

/** Integral values are plain from here downward in magnitude (U-068). */
const PLAIN_INTEGER_LIMIT = 1e15;

/**
 * Shortest digits that round-trip, in exponent form (sign, two digits at least) when the decimal
 * exponent is below -4 or at least 6 (U-068, U-069).
 */
export function formatNumber(value: number): string {
  if (Number.isInteger(value) && Math.abs(value) < PLAIN_INTEGER_LIMIT) return String(value + 0);
  const [mantissa = '', exponentText = '0'] = value.toExponential().split('e');
  const exponent = Number(exponentText);
  if (exponent >= -4 && exponent < 6) {
    // Positional for these magnitudes in ECMAScript too: it switches below 1e-6 only.
    return String(value);
  }
  const sign = exponent < 0 ? '-' : '+';
  return `${mantissa}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
}
