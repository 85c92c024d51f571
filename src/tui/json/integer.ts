/** An expansion longer than this stays the literal (U-222, U-232). */
const MAX_DIGITS = 4096;

const NUMBER = /^(-?)([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/;

/**
 * A JSON number as integer digits, judged on its digits and never as a float (U-222).
 *
 * @returns the literal itself when it has neither fraction nor exponent, `0` when all digits are
 * zero, the expanded digits otherwise; `null` when the value has a fraction
 */
export function expandInteger(literal: string): string | null {
  const match = NUMBER.exec(literal);
  if (match === null) return null;
  const [, sign = '', whole = '', fraction, exponent] = match;
  if (fraction === undefined && exponent === undefined) return literal;
  const digits = whole + (fraction ?? '');
  if (/^0+$/.test(digits)) return '0';
  // Far beyond any literal's length the value is plainly a fraction, or too long to write out.
  const shift = clampExponent(exponent ?? '0', literal.length + MAX_DIGITS);
  const point = whole.length + shift;
  if (/[1-9]/.test(digits.slice(Math.max(point, 0))) || point <= 0) return null;
  const kept = digits.slice(0, point).replace(/^0+/, '');
  const zeros = point - Math.min(point, digits.length);
  if (kept.length + zeros > MAX_DIGITS) return literal;
  return sign + (kept + '0'.repeat(zeros)).replace(/^0+(?=.)/, '');
}

function clampExponent(text: string, bound: number): number {
  const digits = text.replace(/^[+-]?0*/, '');
  const size = digits.length > 9 ? bound : Math.min(Number(digits === '' ? '0' : digits), bound);
  return text.startsWith('-') ? -size : size;
}
