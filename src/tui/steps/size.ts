import { quote } from '../diagnostics/quote.ts';

/** Frame sizes that can be asked for (U-141, U-232). */
export const MAX_FRAME_SIDE = 1000;
const MAX_INT = 9_223_372_036_854_775_807n;

/** The range error of a frame size, or `null` (U-141). */
export function sizeFault(cols: bigint | number, rows: bigint | number): string | null {
  const isGood = (side: bigint | number) => side >= 1 && side <= MAX_FRAME_SIDE;
  if (isGood(cols) && isGood(rows)) return null;
  return `--cols and --rows must be between 1 and 1000 (got ${cols}x${rows})`;
}

/**
 * `COLSxROWS`, not yet checked for its range (U-183).
 * @returns the sides, or why the text is none
 */
export function parseSize(
  text: string,
): { readonly cols: bigint; readonly rows: bigint } | { readonly reason: string } {
  const at = text.indexOf('x');
  if (at < 0) return { reason: `bad size ${quote(text)} (want COLSxROWS)` };
  const sides: bigint[] = [];
  for (const part of [text.slice(0, at), text.slice(at + 1)]) {
    const head = `bad size ${quote(text)}: strconv.Atoi: parsing ${quote(part)}`;
    if (!/^[+-]?[0-9]+$/.test(part)) return { reason: `${head}: invalid syntax` };
    // Longer than any 64-bit integer: no need to compute it.
    const side = part.length > 40 ? MAX_INT + 1n : BigInt(part.replace(/^\+/, ''));
    if (side > MAX_INT || side < -MAX_INT - 1n) return { reason: `${head}: value out of range` };
    sides.push(side);
  }
  return { cols: sides[0]!, rows: sides[1]! };
}
