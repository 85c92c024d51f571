import type { ComponentPaths } from './claude-manifest.ts';
import { climbs, isPlausiblePath, looksAbsolute, tidyRelative } from './contain.ts';
import { eachDir, findDir, type TreeDir } from './scan-tree.ts';
import type { EntryKind, PluginFormat, PluginReading, Problem } from './types.ts';

/** One entry file that belongs to a plugin, not yet read. */
export interface Candidate {
  kind: EntryKind;
  /** Relative to the plugin root. */
  path: string;
  /** Absolute and canonical. */
  file: string;
  fallbackName: string;
}

/** One plugin and the entry files that it claims, before anything of them is read. */
export interface PluginPlan {
  name: string;
  format: PluginFormat;
  dir: TreeDir;
  source: string;
  about: Pick<PluginReading, 'version' | 'description' | 'license' | 'author'>;
  mcpServers: number;
  declaresHooks: boolean;
  /** A list in the manifest is the whole of its skills. */
  limitsSkills: boolean;
  candidates: Candidate[];
  problems: Problem[];
  unusable?: Problem;
}

/** The file that names the paths, and what its plugin names in it. */
export interface Declared {
  manifest: string;
  paths: ComponentPaths;
}

/** Files already claimed, by canonical path: two paths to one file are one entry (design 14). */
export type Claims = Map<string, PluginPlan>;

/** Commands and agents may be grouped in folders where Claude Code reads them (contract 2.4 else). */
function readsNested(format: PluginFormat): boolean {
  return format === 'claude' || format === 'project';
}

/** Claim what lies in the standard folders of a plugin. */
export function claimStandard(plan: PluginPlan, claims: Claims): void {
  if (!plan.limitsSkills) {
    if (plan.dir.isSkill && plan.format !== 'tome') claimSkill(plan, plan.dir, claims);
    const skills = findDir(plan.dir, 'skills');
    if (skills !== undefined) claimSkills(plan, skills, claims);
  }
  for (const kind of ['command', 'agent'] as const) {
    const folder = findDir(plan.dir, `${kind}s`);
    if (folder !== undefined) claimFolder(plan, kind, folder, claims);
  }
}

/** Claim what a manifest names beyond the standard folders, each path checked to stay inside. */
export function claimDeclared(plan: PluginPlan, declared: Declared, claims: Claims): void {
  for (const path of declared.paths.skills) {
    const dir = resolveDeclared(plan, declared, path);
    if (dir === undefined) continue;
    if (typeof dir === 'string' || !claimSkills(plan, dir, claims)) {
      reportAbsent(plan, declared, path, 'no SKILL.md lies there');
    }
  }
  for (const kind of ['command', 'agent'] as const) {
    for (const path of declared.paths[`${kind}s`]) {
      const found = resolveDeclared(plan, declared, path);
      if (found === undefined) continue;
      if (typeof found !== 'string') claimFolder(plan, kind, found, claims);
      else if (!claimFile(plan, kind, found, claims)) {
        reportAbsent(plan, declared, path, 'there is no such file');
      }
    }
  }
}

/** Claim one skill folder for a plugin. */
export function claimSkill(plan: PluginPlan, dir: TreeDir, claims: Claims): void {
  claim(plan, 'skill', dir, 'SKILL.md', dir.name, claims);
}

/** Claim every skill at and below a folder; false when there is none. */
export function claimSkills(plan: PluginPlan, folder: TreeDir, claims: Claims): boolean {
  let any = false;
  for (const dir of eachDir(folder)) {
    if (!dir.isSkill) continue;
    any = true;
    claimSkill(plan, dir, claims);
  }
  return any;
}

/** Claim the markdown files of a `commands` or `agents` folder. */
export function claimFolder(
  plan: PluginPlan,
  kind: 'command' | 'agent',
  folder: TreeDir,
  claims: Claims,
): void {
  for (const dir of eachDir(folder)) {
    if (lieInSkill(dir, folder)) continue;
    for (const name of dir.markdown.keys()) {
      if (name.startsWith('.')) continue;
      if (dir === folder || readsNested(plan.format)) claimMarkdown(plan, kind, dir, name, claims);
      else reportNested(plan, kind, dir, name);
    }
  }
}

/** Claim one markdown file as a command or agent. */
export function claimMarkdown(
  plan: PluginPlan,
  kind: 'command' | 'agent',
  dir: TreeDir,
  name: string,
  claims: Claims,
): void {
  claim(plan, kind, dir, name, name.replace(/\.md$/i, ''), claims);
}

function claim(
  plan: PluginPlan,
  kind: EntryKind,
  dir: TreeDir,
  name: string,
  fallbackName: string,
  claims: Claims,
): void {
  const file = dir.markdown.get(name);
  if (file === undefined || claims.has(file)) return;
  claims.set(file, plan);
  plan.candidates.push({ kind, path: pathBelow(plan.dir, dir, name), file, fallbackName });
}

function claimFile(
  plan: PluginPlan,
  kind: 'command' | 'agent',
  path: string,
  claims: Claims,
): boolean {
  const slash = path.lastIndexOf('/');
  const dir = findDir(plan.dir, slash < 0 ? '' : path.slice(0, slash));
  const name = path.slice(slash + 1);
  if (dir?.markdown.has(name) !== true) return false;
  claimMarkdown(plan, kind, dir, name, claims);
  return true;
}

function pathBelow(root: TreeDir, dir: TreeDir, name: string): string {
  const path = dir.path === '' ? name : `${dir.path}/${name}`;
  return root.path === '' ? path : path.slice(root.path.length + 1);
}

/** True when `dir`, or a folder between it and `top`, is a skill: then its files are resources. */
function lieInSkill(dir: TreeDir, top: TreeDir): boolean {
  for (let at: TreeDir | null = dir; at !== null; at = at.parent) {
    if (at.isSkill) return true;
    if (at === top) return false;
  }
  return false;
}

/** The directory at a declared path, the tidy path itself where no directory is, or undefined if refused. */
function resolveDeclared(
  plan: PluginPlan,
  declared: Declared,
  path: string,
): TreeDir | string | undefined {
  if (looksAbsolute(path) || climbs(path)) {
    reportAbsent(plan, declared, path, 'a path must be relative and stay inside the plugin');
    return undefined;
  }
  if (!isPlausiblePath(path)) {
    reportAbsent(plan, declared, path, 'it is no path that can be read');
    return undefined;
  }
  const tidy = tidyRelative(path);
  return findDir(plan.dir, tidy) ?? tidy;
}

function reportAbsent(plan: PluginPlan, declared: Declared, path: string, why: string): void {
  plan.problems.push({
    severity: 'error',
    file: declared.manifest,
    message: `plugin "${plan.name}" names ${JSON.stringify(path.slice(0, 200))}: ${why}`,
    fix: 'correct the path, or take it out of the manifest',
  });
}

function reportNested(plan: PluginPlan, kind: EntryKind, dir: TreeDir, name: string): void {
  plan.problems.push({
    severity: 'error',
    file: dir.markdown.get(name) ?? dir.real,
    message: `${pathBelow(plan.dir, dir, name)} is not read: ${kind}s lie directly in ${kind}s/`,
    fix: `move the file up into ${kind}s/`,
  });
}
