import { quote } from '../diagnostics/quote.ts';
import { isWhole, isZero, MAX_LITERAL, parseDecimal, toCells } from './decimal.ts';
import type { Size } from './types.ts';

/** Longest quotation of a bad size, in bytes (U-045). */
const QUOTED_BYTES = 40;

/** Reads a size (U-045): `auto`, or a decimal followed by nothing, `%` or `fr`. */
export function parseSize(text: string): { size: Size } | { error: string } {
  const trimmed = text.trim();
  if (trimmed === 'auto') return { size: { unit: 'auto' } };
  const unit = trimmed.endsWith('%') ? 'percent' : trimmed.endsWith('fr') ? 'fr' : 'cells';
  const number =
    unit === 'percent' ? trimmed.slice(0, -1) : unit === 'fr' ? trimmed.slice(0, -2) : trimmed;
  const shown = quote(shorten(text));
  if (number.length > MAX_LITERAL && /^[0-9.]+$/.test(number)) {
    return { error: `bad size ${shown}: a number has at most 1000 characters` };
  }
  const amount = parseDecimal(number);
  if (!amount) return { error: `bad size ${shown} (want N, N%, Nfr, or auto)` };
  if (unit === 'cells') {
    if (!isWhole(amount)) return { error: `bad size ${shown}: cells are integers` };
    return { size: { unit, cells: toCells(amount), amount } };
  }
  if (unit === 'fr' && isZero(amount)) return { error: `bad size ${shown}: fr weight must be > 0` };
  return { size: { unit, amount } };
}

/** Canonical text of a size (G-193). */
export function sizeText(size: Size): string {
  switch (size.unit) {
    case 'auto':
      return 'auto';
    case 'cells':
      return size.amount.literal;
    case 'percent':
      return `${size.amount.literal}%`;
    case 'fr':
      return `${size.amount.literal}fr`;
  }
}

function shorten(text: string): string {
  if (Buffer.byteLength(text) <= QUOTED_BYTES) return text;
  let kept = '';
  let bytes = 0;
  for (const char of text) {
    bytes += Buffer.byteLength(char);
    if (bytes > QUOTED_BYTES) break;
    kept += char;
  }
  return `${kept}…`;
}
