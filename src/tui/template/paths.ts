import type { EachClause, Flag, Guard, Path } from './types.ts';

const IDENT = /^[A-Za-z_][A-Za-z0-9_]*$/;
const ID_NAME = /^[A-Za-z_][A-Za-z0-9_-]*$/;
const GUARD_NAME = /^[a-z_][a-z0-9_-]*$/;
const PATH = /^[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)*$/;

/** `[A-Za-z_][A-Za-z0-9_]*` (U-041). */
export function isIdent(text: string): boolean {
  return IDENT.test(text);
}

/** `[A-Za-z_][A-Za-z0-9_-]*` (U-041). */
export function isIdName(text: string): boolean {
  return ID_NAME.test(text);
}

/** `[a-z_][a-z0-9_-]*` (U-041). */
export function isGuardName(text: string): boolean {
  return GUARD_NAME.test(text);
}

/** A path, or `null` when the text is none. No spaces are allowed anywhere (U-041). */
export function parsePath(text: string): Path | null {
  return PATH.test(text) ? { source: text, segments: text.split('.') } : null;
}

/** `path` or `!path`, else `null`. */
export function parseGuard(text: string): Guard | null {
  const negated = text.startsWith('!');
  const path = parsePath(negated ? text.slice(1) : text);
  return path === null ? null : { source: text, negated, path };
}

/** `true`, `false` or a guard, else `null`. */
export function parseFlag(text: string): Flag | null {
  if (text === 'true') return true;
  if (text === 'false') return false;
  return parseGuard(text);
}

/**
 * `PATH as ALIAS` (U-077).
 * @returns the clause, or the reason as the diagnostic words it, without `each=⟨v⟩` in front
 */
export function parseEach(text: string): EachClause | { readonly reason: EachFault } {
  const at = text.indexOf(' as ');
  if (at < 0) return { reason: { kind: 'shape' } };
  const pathText = text.slice(0, at);
  const alias = text.slice(at + 4);
  if (/\s/.test(pathText) || /\s/.test(alias)) return { reason: { kind: 'spaces' } };
  const path = parsePath(pathText);
  if (path === null) return { reason: { kind: 'path', text: pathText } };
  if (!isIdent(alias)) return { reason: { kind: 'alias', text: alias } };
  return { source: text, path, alias };
}

export type EachFault =
  | { readonly kind: 'shape' }
  | { readonly kind: 'spaces' }
  | { readonly kind: 'path'; readonly text: string }
  | { readonly kind: 'alias'; readonly text: string };
