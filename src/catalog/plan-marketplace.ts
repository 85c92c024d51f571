import { join } from 'node:path';
import { type Marketplace, type MarketplacePlugin, readMarketplace } from './claude-manifest.ts';
import { climbs, isPlausiblePath, looksAbsolute, tidyRelative } from './contain.ts';
import { parseLooseJson } from './json-manifest.ts';
import { MAX_MARKETPLACE_BYTES } from './limits.ts';
import { type Claims, claimDeclared, claimStandard, type PluginPlan } from './plan.ts';
import { createClaudePlan, openClaudePlugin, reportBroken } from './plan-claude.ts';
import { planTomePlugin } from './plan-tome.ts';
import { type Reading, readManifest } from './reading.ts';
import { findDir, type TreeDir } from './scan-tree.ts';
import type { ExternalPlugin } from './types.ts';

/** `.claude-plugin/marketplace.json` of an absolute directory, or null. */
export function openMarketplace(reading: Reading, directory: string): Marketplace | null {
  const name = join('.claude-plugin', 'marketplace.json');
  const file = readManifest(reading, directory, name, MAX_MARKETPLACE_BYTES);
  if (file === null) return null;
  const parsed = parseLooseJson(file.bytes);
  if (parsed === null) {
    reading.problems.push({
      severity: 'error',
      file: file.path,
      message: 'marketplace.json is not a JSON object; folders are read without it',
      fix: 'correct its syntax',
    });
    return null;
  }
  const marketplace = readMarketplace(parsed.object);
  if (parsed.isLoose)
    marketplace.faults.push('it has comments or trailing commas, which JSON does not allow');
  for (const fault of marketplace.faults) {
    reading.problems.push({
      severity: 'warning',
      file: file.path,
      message: `marketplace.json: ${fault}`,
      fix: 'correct the entry',
    });
  }
  return marketplace;
}

/** Plans of a marketplace's local plugins, in its order; the others are `external`. */
export async function planMarketplace(
  reading: Reading,
  dir: TreeDir,
  marketplace: Marketplace,
  claims: Claims,
  roots: ReadonlySet<TreeDir>,
): Promise<{ plans: PluginPlan[]; external: ExternalPlugin[]; awaited: string[] }> {
  const plans: PluginPlan[] = [];
  const external: ExternalPlugin[] = [];
  const awaited: string[] = [];
  const manifest = join(dir.real, '.claude-plugin', 'marketplace.json');
  for (const listed of marketplace.plugins) {
    await reading.pacer.breathe();
    const { name, description, sourceText } = listed;
    if (listed.directories === null) {
      external.push({ name, description, source: sourceText });
      continue;
    }
    const place = locate(dir, listed.directories);
    if (typeof place === 'string') {
      reading.problems.push({
        severity: 'error',
        file: manifest,
        message: `plugin "${name}" is not read: its source "${sourceText}" ${place}`,
        fix: 'correct the source, or add the folder',
      });
      const path = tidyRelative(listed.directories[0]!.replaceAll('..', '.'));
      if (isPlausiblePath(path)) awaited.push(join(dir.real, path));
      continue;
    }
    // A nested marketplace often lists what the outer one has listed already.
    if (roots.has(place)) continue;
    plans.push(planListed(reading, place, listed, manifest, claims));
  }
  return { plans, external, awaited };
}

/** Hidden folders that a marketplace names: the scan enters them, and no other hidden ones. */
export function namedHidden(marketplace: Marketplace): Set<string> {
  const paths = marketplace.plugins.flatMap(
    ({ directories, paths: { skills, commands, agents } }) =>
      directories === null ? [] : [...directories, ...skills, ...commands, ...agents],
  );
  return new Set(paths.flatMap((path) => path.split('/')).filter((part) => /^\.[^.]/.test(part)));
}

/** The first of the directories that exists, or why none can be used. */
function locate(dir: TreeDir, directories: readonly string[]): TreeDir | string {
  let why = 'does not exist';
  for (const path of directories) {
    if (looksAbsolute(path)) why = 'is absolute';
    else if (climbs(path)) why = 'has a ".." component';
    else if (!isPlausiblePath(path)) why = 'is no path that can be read';
    else {
      const found = findDir(dir, tidyRelative(path));
      if (found !== undefined) return found;
    }
  }
  return why;
}

function planListed(
  reading: Reading,
  dir: TreeDir,
  listed: MarketplacePlugin,
  manifest: string,
  claims: Claims,
): PluginPlan {
  if (dir.hasTomeManifest) return planTomePlugin(reading, dir, listed.name, claims);
  const own = openClaudePlugin(reading, dir);
  const plan = createClaudePlan(dir, listed.name, own?.about ?? null, listed);
  plan.limitsSkills = listed.limitsSkills;
  reportBroken(plan, own);
  const before = claims.size;
  claimStandard(plan, claims);
  if (own?.about) {
    const paths = listed.limitsSkills ? { ...own.about.paths, skills: [] } : own.about.paths;
    claimDeclared(plan, { manifest: own.path, paths }, claims);
  }
  claimDeclared(plan, { manifest, paths: listed.paths }, claims);
  if (claims.size === before && plan.candidates.length === 0) reportShared(plan, manifest, claims);
  return plan;
}

/** Two plugins on one folder without lists of their own: the first has it all. */
function reportShared(plan: PluginPlan, manifest: string, claims: Claims): void {
  const other = [...claims.values()].find((claimant) => claimant.dir === plan.dir);
  if (other === undefined) return;
  plan.problems.push({
    severity: 'warning',
    file: manifest,
    message: `everything in ${plan.source} belongs to plugin "${other.name}" already`,
    fix: 'give each plugin a list of its skills, or a folder of its own',
  });
}
