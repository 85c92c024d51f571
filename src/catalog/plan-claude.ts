import { join } from 'node:path';
import { type ClaudePlugin, readClaudePlugin } from './claude-manifest.ts';
import { toSafeSegment } from './identity.ts';
import { parseLooseJson } from './json-manifest.ts';
import { MAX_MANIFEST_BYTES } from './limits.ts';
import { type Claims, claimDeclared, claimStandard, type PluginPlan } from './plan.ts';
import { type Reading, readManifest } from './reading.ts';
import type { TreeDir } from './scan-tree.ts';

const NO_PATHS = { skills: [], commands: [], agents: [] };

/** `.claude-plugin/plugin.json` of a directory, or null; a broken one is a problem of the plugin. */
export function openClaudePlugin(
  reading: Reading,
  dir: TreeDir,
): { path: string; about: ClaudePlugin | null } | null {
  if (!dir.hasClaudeFolder) return null;
  const name = join('.claude-plugin', 'plugin.json');
  const file = readManifest(reading, dir.real, name, MAX_MANIFEST_BYTES);
  if (file === null) return null;
  const parsed = parseLooseJson(file.bytes);
  return { path: file.path, about: parsed === null ? null : readClaudePlugin(parsed.object) };
}

/** Plan of a plugin that only its own `plugin.json` names. */
export function planClaudePlugin(
  reading: Reading,
  dir: TreeDir,
  fallbackName: string,
  claims: Claims,
): PluginPlan | null {
  const own = openClaudePlugin(reading, dir);
  if (own === null) return null;
  const plan = createClaudePlan(dir, own.about?.name ?? fallbackName, own.about, null);
  reportBroken(plan, own);
  claimStandard(plan, claims);
  claimDeclared(plan, { manifest: own.path, paths: own.about?.paths ?? NO_PATHS }, claims);
  return plan;
}

/** Plan of a Claude plugin before it claims anything: its own manifest first, the marketplace's entry after. */
export function createClaudePlan(
  dir: TreeDir,
  name: string,
  own: ClaudePlugin | null,
  listed: ClaudePlugin | null,
): PluginPlan {
  return {
    name: toSafeSegment(name),
    format: 'claude',
    dir,
    source: dir.path === '' ? '.' : dir.path,
    about: {
      version: own?.version ?? listed?.version ?? null,
      description: own?.description ?? listed?.description ?? null,
      license: own?.license ?? listed?.license ?? null,
      author: own?.author ?? listed?.author ?? null,
    },
    mcpServers: (own?.mcpServers ?? 0) + (listed?.mcpServers ?? 0),
    declaresHooks: own?.declaresHooks === true || listed?.declaresHooks === true,
    limitsSkills: false,
    candidates: [],
    problems: [],
  };
}

/** Say that a plugin.json is there and no use. */
export function reportBroken(
  plan: PluginPlan,
  own: { path: string; about: ClaudePlugin | null } | null,
): void {
  if (own === null || own.about !== null) return;
  plan.problems.push({
    severity: 'warning',
    file: own.path,
    message: 'plugin.json is not a JSON object; its entries are read all the same',
    fix: 'correct its syntax',
  });
}
