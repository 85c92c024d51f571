import { realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The folders that make a directory a project with skills of its own (design 1). */
const SKILL_FOLDERS = ['.claude/skills', '.agents/skills', '.claude/commands', '.claude/agents'];

/** Bounds the walk on a crafted working directory. */
const MAX_LEVELS = 64;

/**
 * The project that a working directory belongs to: the nearest directory with
 * skill folders of its own, else the nearest repository. The home directory and
 * `/` are never one: what lies there is the person's, not a project's.
 *
 * @returns canonical path, or null
 */
export async function findProjectRoot(
  cwd: string,
  home: string | undefined,
): Promise<string | null> {
  let directory: string;
  try {
    directory = await realpath(cwd);
  } catch {
    return null;
  }
  const stop = home === undefined ? undefined : await realpath(home).catch(() => home);
  let repository: string | null = null;
  for (let level = 0; level < MAX_LEVELS; level++) {
    const parent = dirname(directory);
    if (parent === directory || directory === stop) break;
    for (const folder of SKILL_FOLDERS) {
      if (await exists(join(directory, folder))) return directory;
    }
    if (await exists(join(directory, '.git'))) {
      repository = directory;
      break;
    }
    directory = parent;
  }
  return repository;
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined)) !== undefined;
}
