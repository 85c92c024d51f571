import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { replaceFile } from '../core/atomic-file.ts';
import type { StatePaths } from '../protocol/link/state-paths.ts';

/** Where the routing directive of a workspace is kept (library contract 1.1). */
export function rulesPath(paths: StatePaths, workspace: string): string {
  return join(paths.workspaces, workspace, 'RULES.md');
}

/**
 * Write a workspace's RULES.md when its text changed.
 *
 * @returns whether it was written
 */
export async function writeRules(
  paths: StatePaths,
  workspace: string,
  text: string,
): Promise<boolean> {
  const path = rulesPath(paths, workspace);
  const before = await readFile(path, 'utf8').catch(() => undefined);
  if (before === text) return false;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await replaceFile(path, text);
  return true;
}
