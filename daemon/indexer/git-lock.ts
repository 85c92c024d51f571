import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDirectory } from './is-directory.ts';

/**
 * A git command in a working tree is waited for this long: its files are one change.
 * A lock that is older was left behind by a git that was killed.
 */
const GIT_PATIENCE_MS = 10_000;

/** The lock that git holds while it rewrites the working tree around `path`; null outside of one. */
export function findGitLock(path: string): string | null {
  for (let dir = path; ; dir = dirname(dir)) {
    // A `.git` file (worktree, submodule) points elsewhere: those settle by time alone.
    if (isDirectory(join(dir, '.git'))) return join(dir, '.git', 'index.lock');
    if (dirname(dir) === dir) return null;
  }
}

/** True while a git command is at work under this lock. */
export function isGitAtWork(lock: string): boolean {
  const found = statSync(lock, { throwIfNoEntry: false });
  return found !== undefined && Date.now() - found.mtimeMs < GIT_PATIENCE_MS;
}
