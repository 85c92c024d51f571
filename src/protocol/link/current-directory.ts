/**
 * The directory that a session works in. One that was removed since, such as the
 * worktree of a branch that is done, has no name any more: then the one that the
 * shell remembers, which names no project that still is, but stands in its place.
 *
 * @returns an absolute path, which need not exist
 */
export function currentDirectory(env: NodeJS.ProcessEnv = process.env): string {
  try {
    return process.cwd();
  } catch {
    return env['PWD']?.startsWith('/') ? env['PWD'] : '/';
  }
}
