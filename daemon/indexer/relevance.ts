import { lstatSync } from 'node:fs';
import { basename, extname } from 'node:path';

/** Entry files and manifests. */
const READ_EXTENSIONS = new Set(['.md', '.json', '.toml']);

/** What editors leave beside a file for a moment: vim, emacs, JetBrains, kate, Word. */
const TEMPORARY = /~$|^#.*#$|^\.#|\.sw[a-z]$|\.tmp$|___jb_|^4913$|\.kate-swp$|^~\$/;

/**
 * Whether something that happened at `path` can change a reading: an entry file,
 * a manifest or a directory. A repository's other files come and go unread.
 *
 * @param isWatched the path is a directory that was read before
 */
export function isRelevant(path: string, isWatched: boolean): boolean {
  if (isWatched) return true;
  const name = basename(path);
  if (TEMPORARY.test(name)) return false;
  if (READ_EXTENSIONS.has(extname(name).toLowerCase())) return true;
  const found = lstatSync(path, { throwIfNoEntry: false });
  // A link may lead to a skill folder. Something that is gone may have been one.
  return found === undefined ? extname(name) === '' : found.isDirectory() || found.isSymbolicLink();
}
