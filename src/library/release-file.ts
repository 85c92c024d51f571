import { realpath } from 'node:fs/promises';
import { LecternError } from '../core/errors.ts';
import type { LibraryParts } from './parts.ts';

/**
 * Give a file another chance that is left out because reading it ended lectern
 * twice (design 3D), and read it.
 *
 * @param path absolute; links are followed
 * @returns the path under which it was left out
 * @throws LecternError usage (2) when it is not left out
 */
export async function releaseFile(parts: LibraryParts, path: string): Promise<string> {
  const leftOut = parts.indexer.health().quarantined.map(({ file }) => file);
  const file = leftOut.includes(path) ? path : await realpath(path).catch(() => path);
  if (!leftOut.includes(file) || !(await parts.indexer.release(file))) {
    throw new LecternError('usage', `${path} is not left out`, { next: 'lectern status' });
  }
  return file;
}
