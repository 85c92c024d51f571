import { realpathSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';
import { READ_LIMITS } from './limits.ts';

/** True when `path` is `root` or lies below it; both absolute and canonical. */
export function isInside(root: string, path: string): boolean {
  const between = relative(root, path);
  return (
    between === '' || (!between.startsWith(`..${sep}`) && between !== '..' && !isAbsolute(between))
  );
}

/** The canonical path behind links, or undefined where it leads nowhere or in a circle. */
export function resolveReal(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** Absolute in the eyes of any system: `/x`, `\x`, `C:\x`, `C:x`. */
export function looksAbsolute(path: string): boolean {
  return /^([/\\]|[A-Za-z]:)/.test(path);
}

/** Longer than any path below a root that people make; a manifest may hold megabytes of one. */
const MAX_DECLARED_CHARS = 1_024;

/** True for a path that may be looked for at all: no NUL, not longer or deeper than what is read. */
export function isPlausiblePath(path: string): boolean {
  return (
    path.length <= MAX_DECLARED_CHARS &&
    !path.includes('\0') &&
    path.split('/').length <= READ_LIMITS.maxDepth
  );
}

/** True when a component is `..`, whichever separator is used. */
export function climbs(path: string): boolean {
  return path.split(/[/\\]/).includes('..');
}

/** `./a//b/` as `a/b`; the root itself as ''. */
export function tidyRelative(path: string): string {
  return path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/');
}
