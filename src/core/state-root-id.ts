import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/**
 * The name of a state root where a path does not fit: in a socket's name, in a
 * service's. Taken from its real path, so that every way to write one root has
 * the same; a root that is yet to be made has the one that it will have.
 *
 * @returns 12 hexadecimal digits: a user has a handful of roots, and names stay short
 */
export function identifyStateRoot(root: string): string {
  return createHash('sha256')
    .update(realPathOf(resolve(root)))
    .digest('hex')
    .slice(0, 12);
}

/** What is not there yet is made as real directories below what is. */
function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPathOf(parent), basename(path));
  }
}
