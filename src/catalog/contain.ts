import { realpathSync } from 'node:fs';
import { isAbsolute, relative, sep } from 'node:path';

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
