import { parsePath } from './paths.ts';
import type { Path, Template } from './types.ts';

/**
 * Split a template into literal text and insertions (U-061). With an error the template renders as
 * its source and `error` carries the first one.
 */
export function parseTemplate(source: string): {
  readonly template: Template;
  readonly error: string | null;
} {
  const parts: (string | Path)[] = [];
  let from = 0;
  for (;;) {
    const open = source.indexOf('{', from);
    const close = open < 0 ? -1 : source.indexOf('}', open + 1);
    if (close < 0) break;
    const inside = source.slice(open + 1, close);
    const path = parsePath(inside);
    if (path === null) return { template: literal(source), error: faultOf(inside) };
    if (open > from) parts.push(source.slice(from, open));
    parts.push(path);
    from = close + 1;
  }
  if (from < source.length) parts.push(source.slice(from));
  return { template: { source, parts }, error: null };
}

/** A template of plain text, for attributes that hold no insertions. */
export function literal(source: string): Template {
  return { source, parts: source === '' ? [] : [source] };
}

/** True when the text holds a brace pair, path or not (U-044). */
export function hasBracePair(text: string): boolean {
  const open = text.indexOf('{');
  return open >= 0 && text.indexOf('}', open + 1) >= 0;
}

function faultOf(inside: string): string {
  const trimmed = inside.trim();
  if (parsePath(trimmed) !== null) {
    return `{${inside}} is not a path: write {${trimmed}}, with no spaces inside the braces`;
  }
  return `{${inside}} is not a path; markup has no expressions`;
}
