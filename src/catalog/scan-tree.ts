import { type Dirent, lstatSync, opendirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isInside, resolveReal } from './contain.ts';
import type { ReadLimits } from './limits.ts';
import type { Pacer } from './pace.ts';
import type { Problem } from './types.ts';

/** One directory below a root, as far as it can matter to a catalog. */
export interface TreeDir {
  /** Path from the root of the scan, `/` separators; '' for the root. */
  path: string;
  name: string;
  /** Absolute and canonical. */
  real: string;
  parent: TreeDir | null;
  /** Sorted by name. */
  dirs: TreeDir[];
  /** Markdown files by name, sorted, each with its absolute canonical path. */
  markdown: Map<string, string>;
  /** Holds a `SKILL.md`. */
  isSkill: boolean;
  /** Holds `.claude-plugin/` or `tome-plugin.toml`. */
  hasClaudeFolder: boolean;
  hasTomeManifest: boolean;
  /** Reached through a link: the same directory may have a path of its own. */
  isLinked: boolean;
  /** Nothing in it yet: somebody may be about to fill it. */
  isEmpty: boolean;
}

export interface ScanScope {
  /** Roots that a link may lead into; absolute and canonical. */
  allowed: readonly string[];
  limits: ReadLimits;
  pacer: Pacer;
  /** Hidden directories that are entered all the same. */
  hidden: ReadonlySet<string>;
  /** What is left of the limits; shared by all scans of one reading. */
  budget: ScanBudget;
  problems: Problem[];
}

export interface ScanBudget {
  directories: number;
  items: number;
  /** Limits that were hit and said once. */
  told: Set<string>;
}

export function createBudget(limits: ReadLimits): ScanBudget {
  return { directories: limits.maxDirectories, items: limits.maxItems, told: new Set() };
}

/** Never entered: they hold other people's copies or a tool's own state. */
const SKIPPED = new Set(['.git', '.hg', '.svn', 'node_modules', '__pycache__']);

/** Folders whose names say what they hold (library contract 2.4). */
const COMPONENT = /^(?:skills|commands|agents)$/;

/**
 * Directory links within directory links. One hop is usual (a shared skill
 * folder); each level can double the paths, so a few must be enough.
 */
const MAX_LINK_HOPS = 3;

interface Visit {
  dir: TreeDir;
  depth: number;
  hops: number;
  /** Below a folder named `skills`: hidden groups there (`.system`) are entered. */
  inSkills: boolean;
}

/**
 * List the tree below `root` depth first in name order. Links are followed
 * within `allowed`, never into a directory that they lie in. Pipes, sockets
 * and devices are not even looked at.
 *
 * @param root absolute and canonical
 */
export async function scanTree(root: string, scope: ScanScope): Promise<TreeDir> {
  const top = createDir(null, basename(root), root, false);
  const stack: Visit[] = [{ dir: top, depth: 0, hops: 0, inSkills: top.name === 'skills' }];
  for (let visit = stack.pop(); visit !== undefined; visit = stack.pop()) {
    await scope.pacer.breathe();
    if (!spend(scope, 'directories', visit.dir)) break;
    const found = await listDirectory(visit, scope);
    visit.dir.dirs = found.map(({ dir }) => dir);
    if (visit.depth >= scope.limits.maxDepth) {
      if (found.length > 0) tellLimit(scope, 'maxDepth', visit.dir);
      visit.dir.dirs = [];
      continue;
    }
    for (const next of found.reverse()) stack.push(next);
  }
  return top;
}

function createDir(parent: TreeDir | null, name: string, real: string, isLinked: boolean): TreeDir {
  return {
    path: parent === null ? '' : parent.path === '' ? name : `${parent.path}/${name}`,
    name,
    real,
    parent,
    dirs: [],
    markdown: new Map(),
    isSkill: false,
    hasClaudeFolder: false,
    hasTomeManifest: false,
    isLinked: isLinked || parent?.isLinked === true,
    isEmpty: false,
  };
}

function spend(scope: ScanScope, what: 'directories' | 'items', dir: TreeDir): boolean {
  scope.budget[what] -= 1;
  if (scope.budget[what] >= 0) return true;
  tellLimit(scope, what === 'directories' ? 'maxDirectories' : 'maxItems', dir);
  return false;
}

function tellLimit(scope: ScanScope, limit: keyof ReadLimits, dir: TreeDir): void {
  if (scope.budget.told.has(limit)) return;
  scope.budget.told.add(limit);
  scope.problems.push({
    severity: 'error',
    file: dir.real,
    message: `reading stopped here: the limit ${limit} (${scope.limits[limit]}) is reached`,
    fix: 'enrol a smaller folder, the one that holds the skills',
  });
}

async function listDirectory(visit: Visit, scope: ScanScope): Promise<Visit[]> {
  const { dir } = visit;
  const items = await readItems(dir, scope);
  if (items === undefined) return [];
  items.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const found: Visit[] = [];
  for (const item of items) {
    const kind = typeOf(dir, item);
    if (item.name === 'SKILL.md' && (kind === 'directory' || kind === 'other')) {
      refuseNoFile(dir, item.name, scope);
    } else if (kind === 'file') keepFile(dir, item.name, join(dir.real, item.name));
    else if (kind === 'directory') {
      if (item.name === '.claude-plugin') dir.hasClaudeFolder = true;
      else if (isEntered(item.name, visit, scope))
        found.push(enter(visit, item.name, join(dir.real, item.name), false));
    } else if (kind === 'link') {
      const next = followLink(visit, item.name, scope);
      if (next !== undefined) found.push(next);
    }
  }
  reportMisspelt(dir, items, scope);
  return found;
}

/** How many items of one directory are read between two looks at the clock. */
const ITEMS_AT_ONCE = 1_024;

/**
 * Items of a directory that can matter, as many as the budget allows: of a
 * folder with 10^6 other files nothing is held.
 */
async function readItems(dir: TreeDir, scope: ScanScope): Promise<Dirent[] | undefined> {
  try {
    const handle = opendirSync(dir.real, { bufferSize: 256 });
    try {
      const items: Dirent[] = [];
      let seen = 0;
      for (let item = handle.readSync(); item !== null; item = handle.readSync()) {
        if (!spend(scope, 'items', dir)) break;
        seen += 1;
        if (seen % ITEMS_AT_ONCE === 0) await scope.pacer.breathe();
        if (!item.isFile() || isFileOfInterest(item.name)) items.push(item);
      }
      dir.isEmpty = seen === 0;
      return items;
    } finally {
      handle.closeSync();
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Gone between the listing of its parent and now: the next event tells.
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    scope.problems.push({
      severity: 'error',
      file: dir.real,
      message: `the directory cannot be read (${code})`,
      fix: 'give yourself read permission, or move it elsewhere',
    });
    return undefined;
  }
}

type ItemType = 'file' | 'directory' | 'link' | 'other';

function typeOf(dir: TreeDir, item: Dirent): ItemType {
  if (item.isFile()) return 'file';
  if (item.isDirectory()) return 'directory';
  if (item.isSymbolicLink()) return 'link';
  if (item.isFIFO() || item.isSocket() || item.isBlockDevice() || item.isCharacterDevice()) {
    return 'other';
  }
  // Some file systems do not say in the listing.
  const found = lstatSync(join(dir.real, item.name), { throwIfNoEntry: false });
  if (found === undefined) return 'other';
  return found.isFile()
    ? 'file'
    : found.isDirectory()
      ? 'directory'
      : found.isSymbolicLink()
        ? 'link'
        : 'other';
}

function isFileOfInterest(name: string): boolean {
  return name === 'tome-plugin.toml' || /\.md$/i.test(name);
}

function keepFile(dir: TreeDir, name: string, real: string): void {
  if (!isFileOfInterest(name)) return;
  if (name === 'tome-plugin.toml') {
    dir.hasTomeManifest = true;
    return;
  }
  dir.markdown.set(name, real);
  if (name === 'SKILL.md') dir.isSkill = true;
}

function isEntered(name: string, visit: Visit, scope: ScanScope): boolean {
  if (SKIPPED.has(name)) return false;
  return !name.startsWith('.') || visit.inSkills || scope.hidden.has(name);
}

function enter(visit: Visit, name: string, real: string, isLinked: boolean): Visit {
  return {
    dir: createDir(visit.dir, name, real, isLinked),
    depth: visit.depth + 1,
    hops: visit.hops + (isLinked ? 1 : 0),
    inSkills: visit.inSkills || name === 'skills',
  };
}

function followLink(visit: Visit, name: string, scope: ScanScope): Visit | undefined {
  const { dir } = visit;
  const path = join(dir.real, name);
  const real = resolveReal(path);
  const found = real === undefined ? undefined : statSync(real, { throwIfNoEntry: false });
  if (real === undefined || found === undefined) {
    if (canMatter(visit, name)) refuseLink(scope, path, 'leads nowhere or in a circle');
    return undefined;
  }
  if (!scope.allowed.some((root) => isInside(root, real))) {
    if (canMatter(visit, name)) refuseLink(scope, path, 'leads out of the catalog');
    return undefined;
  }
  if (found.isFile()) {
    keepFile(dir, name, real);
    return undefined;
  }
  if (!found.isDirectory() || !isEntered(name, visit, scope)) return undefined;
  // Into a folder that holds the link: that would go round for ever.
  if (isInside(real, dir.real) || visit.hops >= MAX_LINK_HOPS) return undefined;
  if (name === '.claude-plugin') {
    dir.hasClaudeFolder = true;
    return undefined;
  }
  return enter(visit, name, real, true);
}

/** Only links where an entry is expected are worth a word; a repository is full of others. */
function canMatter(visit: Visit, name: string): boolean {
  return (
    visit.inSkills ||
    visit.depth === 0 ||
    COMPONENT.test(name) ||
    COMPONENT.test(visit.dir.name) ||
    name === 'SKILL.md'
  );
}

function refuseLink(scope: ScanScope, path: string, why: string): void {
  scope.problems.push({
    severity: 'error',
    file: path,
    message: `the link ${why} and is not followed`,
    fix: 'put a copy in its place, or enrol the folder that it leads to',
  });
}

/** A pipe or device would hold the reader for ever; a folder of that name has no text. */
function refuseNoFile(dir: TreeDir, name: string, scope: ScanScope): void {
  scope.problems.push({
    severity: 'error',
    file: join(dir.real, name),
    message: `${name} is not read: it is not a file`,
    fix: 'put a text file in its place',
  });
}

/** `skill.md` in a folder below `skills/` is meant to be an entry and is not one (contract 2.4). */
function reportMisspelt(dir: TreeDir, items: Dirent[], scope: ScanScope): void {
  if (dir.isSkill || dir.parent?.name !== 'skills') return;
  const misspelt = items.find(
    ({ name }) => name !== 'SKILL.md' && name.toLowerCase() === 'skill.md',
  );
  if (misspelt === undefined) return;
  scope.problems.push({
    severity: 'error',
    file: join(dir.real, misspelt.name),
    message: `${misspelt.name} is not read: the file must be named SKILL.md`,
    fix: 'rename it to SKILL.md',
  });
}

/** The directory at a tidy relative path below `dir`, or undefined. */
export function findDir(dir: TreeDir, path: string): TreeDir | undefined {
  let at: TreeDir | undefined = dir;
  for (const part of path === '' ? [] : path.split('/')) {
    at = at?.dirs.find((child) => child.name === part);
  }
  return at;
}

/** `dir` and everything below it, parents first, in name order. */
export function* eachDir(dir: TreeDir): Generator<TreeDir> {
  const stack = [dir];
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    yield at;
    for (let i = at.dirs.length - 1; i >= 0; i -= 1) stack.push(at.dirs[i]!);
  }
}
