import { toSafeSegment } from './identity.ts';
import { type Claims, claimMarkdown, claimSkill, type PluginPlan } from './plan.ts';
import { eachDir, type TreeDir } from './scan-tree.ts';

/**
 * Plugins of the folders that no manifest names: each is the folder that
 * directly holds `skills/`, `commands/` or `agents/`, else the catalog itself
 * (design 1).
 *
 * @param catalogName name of the plugin that is the catalog itself
 * @param own the plugin of the root, where the catalog is a single plugin; it takes what has no holder
 */
export function planFolders(
  tree: TreeDir,
  plans: readonly PluginPlan[],
  claims: Claims,
  catalogName: string,
  own: PluginPlan | undefined,
): PluginPlan[] {
  const roots = new Set(plans.map((plan) => plan.dir));
  const closed = new Set(plans.filter((plan) => plan.unusable).map((plan) => plan.dir));
  const byHolder = new Map<TreeDir, PluginPlan>();
  const planOf = (holder: TreeDir): PluginPlan => {
    if (holder === tree && own !== undefined) return own;
    let plan = byHolder.get(holder);
    if (plan === undefined) {
      plan = createFolderPlan(holder, holder === tree ? catalogName : holder.name);
      byHolder.set(holder, plan);
    }
    return plan;
  };
  // Real paths before linked ones: a file is known by where it lies.
  for (const isLinked of [false, true]) {
    for (const dir of eachDir(tree)) {
      if (dir.isLinked !== isLinked || liesBelow(dir, closed)) continue;
      const file = dir.markdown.get('SKILL.md');
      if (file !== undefined && !claims.has(file))
        claimSkill(planOf(skillHolder(dir, roots)), dir, claims);
      const kind = dir.name === 'commands' ? 'command' : dir.name === 'agents' ? 'agent' : null;
      if (kind === null || isResource(dir, roots)) continue;
      for (const [name, markdown] of dir.markdown) {
        if (name.startsWith('.') || claims.has(markdown)) continue;
        claimMarkdown(planOf(visible(dir.parent ?? dir)), kind, dir, name, claims);
      }
    }
  }
  return [...byHolder.values()].sort((a, b) => (a.dir.path < b.dir.path ? -1 : 1));
}

export function createFolderPlan(dir: TreeDir, name: string): PluginPlan {
  return {
    name: toSafeSegment(name),
    format: 'folder',
    dir,
    source: dir.path === '' ? '.' : dir.path,
    about: { version: null, description: null, license: null, author: null },
    mcpServers: 0,
    declaresHooks: false,
    limitsSkills: false,
    candidates: [],
    problems: [],
  };
}

function liesBelow(dir: TreeDir, tops: ReadonlySet<TreeDir>): boolean {
  if (tops.size === 0) return false;
  for (let at: TreeDir | null = dir; at !== null; at = at.parent) if (tops.has(at)) return true;
  return false;
}

/** True when a folder at or above `dir`, below the plugin it is in, is a skill. */
function isResource(dir: TreeDir, roots: ReadonlySet<TreeDir>): boolean {
  for (let at: TreeDir | null = dir; at !== null && !roots.has(at); at = at.parent) {
    if (at.isSkill) return true;
  }
  return false;
}

/** The folder that holds the nearest `skills/` above a skill, or the root of the tree. */
function skillHolder(skill: TreeDir, roots: ReadonlySet<TreeDir>): TreeDir {
  let at = skill;
  while (at.parent !== null) {
    at = at.parent;
    if (at.name === 'skills' && !isResource(at, roots)) return visible(at.parent ?? at);
  }
  return at;
}

/** `.claude/skills` belongs to the folder that `.claude` lies in. */
function visible(dir: TreeDir): TreeDir {
  let at = dir;
  while (at.name.startsWith('.') && at.parent !== null) at = at.parent;
  return at;
}
