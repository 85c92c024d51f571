import { basename, join } from 'node:path';
import { isInside, resolveReal } from './contain.ts';
import { type Claims, claimMarkdown, claimSkill, type PluginPlan } from './plan.ts';
import { createFolderPlan } from './plan-folders.ts';
import type { Reading } from './reading.ts';
import { eachDir, scanTree, type TreeDir } from './scan-tree.ts';
import type { EntryKind } from './types.ts';

/** Where a project keeps its own entries, as the agent hosts read them (design 1). */
const PLACES: readonly (readonly [EntryKind, string])[] = [
  ['skill', '.claude/skills'],
  ['skill', '.agents/skills'],
  ['command', '.claude/commands'],
  ['agent', '.claude/agents'],
];

/** The one plugin of a project, and the folders that were read for it. */
export async function planProject(reading: Reading, claims: Claims): Promise<PluginPlan> {
  const plan: PluginPlan = {
    ...createFolderPlan(createRoot(reading.root), 'project'),
    format: 'project',
  };
  for (const [kind, place] of await openPlaces(reading, plan)) {
    for (const dir of eachDir(place)) {
      if (kind === 'skill') {
        if (dir.isSkill) claimSkill(plan, dir, claims);
      } else if (!isInSkill(dir)) {
        for (const name of dir.markdown.keys()) {
          if (!name.startsWith('.')) claimMarkdown(plan, kind, dir, name, claims);
        }
      }
    }
  }
  return plan;
}

function createRoot(root: string): TreeDir {
  return {
    path: '',
    name: basename(root),
    real: root,
    parent: null,
    dirs: [],
    markdown: new Map(),
    isSkill: false,
    hasClaudeFolder: false,
    hasTomeManifest: false,
    isLinked: false,
    isEmpty: false,
  };
}

/** The places that exist, hung below the project's root; linked ones last, so that a file is known by where it lies. */
async function openPlaces(
  reading: Reading,
  plan: PluginPlan,
): Promise<(readonly [EntryKind, TreeDir])[]> {
  const opened: { kind: EntryKind; dir: TreeDir }[] = [];
  for (const [kind, path] of PLACES) {
    const written = join(reading.root, path);
    const real = resolveReal(written);
    if (real === undefined) continue;
    if (!reading.allowed.some((root) => isInside(root, real))) {
      plan.problems.push({
        severity: 'error',
        file: written,
        message: 'the link leads out of the project and is not followed',
        fix: 'put a copy in its place, or enrol the folder that it leads to',
      });
      continue;
    }
    const dir = await scanTree(real, reading);
    hang(dir, path, real !== written, plan.dir);
    opened.push({ kind, dir });
  }
  return opened
    .sort((a, b) => Number(a.dir.isLinked) - Number(b.dir.isLinked))
    .map(({ kind, dir }) => [kind, dir]);
}

/** Give a separately scanned tree its place below the project. */
function hang(top: TreeDir, path: string, isLinked: boolean, root: TreeDir): void {
  for (const dir of eachDir(top)) {
    dir.path = dir.path === '' ? path : `${path}/${dir.path}`;
    dir.isLinked ||= isLinked;
  }
  top.parent = root;
  root.dirs.push(top);
}

function isInSkill(dir: TreeDir): boolean {
  for (let at: TreeDir | null = dir; at !== null; at = at.parent) if (at.isSkill) return true;
  return false;
}
