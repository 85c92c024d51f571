import { resolvePath, type Scope } from '../data/scope.ts';
import { isTruthy } from '../data/value.ts';
import { cleanText } from './clean.ts';
import { formatValue } from './format.ts';
import type { Guard, Path, Template } from './types.ts';

/**
 * Text of a template in a scope: values cleaned with LF kept (U-060); a path that does not resolve is
 * empty and handed to `onMissing` (U-086).
 */
export function expandTemplate(
  template: Template,
  scope: Scope,
  onMissing: (path: Path) => void,
): string {
  let out = '';
  for (const part of template.parts) {
    if (typeof part === 'string') {
      out += part;
      continue;
    }
    const value = resolvePath(part, scope);
    if (value === undefined) onMissing(part);
    else out += cleanText(formatValue(value), { keepLf: true });
  }
  return out;
}

/** Truth of a guard; a missing path counts as null before the negation (U-067). */
export function guardHolds(
  guard: Guard,
  scope: Scope,
): { readonly holds: boolean; readonly missing: boolean } {
  const value = resolvePath(guard.path, scope);
  return { holds: isTruthy(value) !== guard.negated, missing: value === undefined };
}
