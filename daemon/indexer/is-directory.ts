import { statSync } from 'node:fs';

/** A link to a directory counts. */
export function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
