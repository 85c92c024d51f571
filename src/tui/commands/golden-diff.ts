import type { JsonValue } from '../data/value.ts';
import { quote } from '../diagnostics/quote.ts';

/** The first difference between a stored frame and a new one, or `null` (U-173). */
export function firstDifference(want: string, got: string): string | null {
  if (want === got) return null;
  const wanted = want.split('\n');
  const lines = got.split('\n');
  const shared = Math.min(wanted.length, lines.length);
  for (let i = 0; i < shared; i++) {
    if (wanted[i] !== lines[i]) {
      return `line ${i + 1}: want ${quote(wanted[i]!)}, got ${quote(lines[i]!)}`;
    }
  }
  return `line count: want ${wanted.length}, got ${lines.length}`;
}

/**
 * Whether a new JSON frame only adds members to the stored one (U-174).
 *
 * @returns JSON pointer of the first loss or change in the stored document's order, or `null`
 */
export function firstLoss(stored: JsonValue, fresh: JsonValue | undefined, at = ''): string | null {
  if (Array.isArray(stored)) {
    if (!Array.isArray(fresh) || fresh.length !== stored.length) return at;
    for (const [i, item] of stored.entries()) {
      const loss = firstLoss(item, fresh[i], `${at}/${i}`);
      if (loss !== null) return loss;
    }
    return null;
  }
  if (stored instanceof Map) {
    if (!(fresh instanceof Map)) return at;
    for (const [name, member] of stored) {
      const pointer = `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      const loss = firstLoss(member, fresh.get(name), pointer);
      if (loss !== null) return loss;
    }
    return null;
  }
  return stored === fresh ? null : at;
}
