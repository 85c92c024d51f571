import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isInside } from './contain.ts';
import type { PluginPlan } from './plan.ts';
import { eachDir, type TreeDir } from './scan-tree.ts';

/**
 * Directories to watch, not recursively, so that every change to a reading is
 * seen: those of manifests and entry files, every folder on the way to them,
 * folders where the next skill is likely to appear. Resource folders of skills
 * and the rest of a repository are left to the reconcile.
 *
 * @param trees   what was scanned
 * @param awaited paths that a manifest names and that do not exist yet
 */
export function listWatched(
  root: string,
  trees: readonly TreeDir[],
  plans: readonly PluginPlan[],
  awaited: readonly string[],
): string[] {
  const watched = new Set<string>();
  const addWithParents = (path: string): void => {
    for (let at = path; isInside(root, at) && !watched.has(at); at = dirname(at)) watched.add(at);
    watched.add(path);
  };
  addWithParents(root);
  for (const plan of plans) {
    addWithParents(plan.dir.real);
    for (const { file } of plan.candidates) addWithParents(dirname(file));
  }
  for (const tree of trees) {
    // Parents come first, so that a folder is known to be watched when its children are looked at.
    for (const dir of eachDir(tree)) {
      if (dir.hasClaudeFolder) addWithParents(join(dir.real, '.claude-plugin'));
      const isResource = liesInSkill(dir);
      if (!isResource && (dir.isSkill || COMPONENT.test(dir.name))) addWithParents(dir.real);
      if (!watched.has(dir.real)) continue;
      const holdsSkills = dir.name === 'skills' || dir.dirs.some((child) => child.isSkill);
      for (const child of dir.dirs) {
        // Beside skill folders the next one appears; an empty folder is being filled.
        const isExpected = holdsSkills && !isResource && !dir.isSkill;
        if (isExpected || child.isEmpty) addWithParents(child.real);
      }
    }
  }
  for (const path of awaited) {
    let existing = path;
    while (isInside(root, existing) && !existsSync(existing)) existing = dirname(existing);
    addWithParents(existing);
  }
  return [...watched].sort();
}

/** Folders that are named for what a plugin holds. */
const COMPONENT = /^(?:skills|commands|agents|hooks)$/;

function liesInSkill(dir: TreeDir): boolean {
  for (let at = dir.parent; at !== null; at = at.parent) if (at.isSkill) return true;
  return false;
}
