import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { LecternError } from '../core/errors.ts';
import { resolveReal } from './contain.ts';
import { makeNamesUnique, makePluginNamesUnique, toSafeSegment } from './identity.ts';
import { member, objectMember, parseLooseJson } from './json-manifest.ts';
import { MAX_MANIFEST_BYTES, MAX_MCP_JSON_BYTES, READ_LIMITS } from './limits.ts';
import { type LoadedPlugin, loadEntries } from './load-entries.ts';
import { createPacer } from './pace.ts';
import type { Claims, PluginPlan } from './plan.ts';
import { planClaudePlugin } from './plan-claude.ts';
import { planFolders } from './plan-folders.ts';
import { namedHidden, openMarketplace, planMarketplace } from './plan-marketplace.ts';
import { planProject } from './plan-project.ts';
import { openTomeCatalog, planTomeCatalog, planTomePlugin } from './plan-tome.ts';
import { readBoundedSync } from './read-bounded.ts';
import type { Reading, ReadOptions } from './reading.ts';
import { readManifest } from './reading.ts';
import { createBudget, eachDir, findDir, scanTree, type TreeDir } from './scan-tree.ts';
import { nameFromUrl } from './source.ts';
import type { CatalogReading, ExternalPlugin, PluginReading } from './types.ts';
import { listWatched } from './watch-list.ts';

/** Everything about a root except its entries' texts. */
interface Plan
  extends Pick<CatalogReading, 'format' | 'name' | 'description' | 'version' | 'owner'> {
  plugins: PluginPlan[];
  external: ExternalPlugin[];
  trees: TreeDir[];
  awaited: string[];
}

/**
 * Read everything below one root: a Tome catalog (strict), a Claude Code
 * marketplace, a single plugin, a plain folder of skills, or a project's own
 * entries (design 1). Yields to the event loop at least every few milliseconds.
 *
 * @param root absolute path of a directory
 * @throws LecternError manifest_invalid for a `tome-catalog.toml` that cannot be used
 *   (a problem instead, when `lenient`); io when the root or that file cannot be read;
 *   the signal's reason when aborted. Anything else is a problem in the reading.
 */
export async function readCatalog(root: string, options: ReadOptions): Promise<CatalogReading> {
  const reading = openReading(root, options);
  const claims: Claims = new Map();
  const plan =
    options.kind === 'project'
      ? await planProjectRoot(reading, claims)
      : ((await planTomeRoot(reading, claims, options.lenient === true)) ??
        (await planNativeRoot(reading, claims)));
  makePluginNamesUnique(plan.plugins, reading.root);
  const loaded = await loadEntries(reading, plan.plugins);
  const plugins: PluginReading[] = [];
  for (const plugin of loaded) {
    await reading.pacer.breathe();
    plugins.push(describePlugin(reading, plugin));
  }
  const { trees, awaited, plugins: plans, ...about } = plan;
  return {
    ...about,
    root: reading.root,
    plugins,
    ...countEntries(loaded),
    problems: reading.problems,
    watch: listWatched(reading.root, trees, plans, awaited),
  };
}

function openReading(root: string, options: ReadOptions): Reading {
  const real = resolveReal(root);
  if (real === undefined || !statSync(real).isDirectory()) {
    throw new LecternError('io', `${root} is not a directory that can be read`);
  }
  const limits = { ...READ_LIMITS, ...options.limits };
  return {
    root: real,
    allowed: [real, ...(options.alsoAllowed ?? [])],
    limits,
    budget: createBudget(limits),
    pacer: createPacer(options.signal),
    hidden: new Set(),
    skipFiles: options.skipFiles ?? new Set(),
    onFile: options.onFile ?? (() => {}),
    known: options.known ?? new Map(),
    problems: [],
  };
}

async function planProjectRoot(reading: Reading, claims: Claims): Promise<Plan> {
  const plan = await planProject(reading, claims);
  return {
    format: 'project',
    name: toSafeSegment(basename(reading.root)),
    description: null,
    version: null,
    owner: null,
    plugins: [plan],
    external: [],
    trees: [plan.dir],
    awaited: ['.claude', '.agents'].map((name) => join(reading.root, name)),
  };
}

async function planTomeRoot(
  reading: Reading,
  claims: Claims,
  isLenient: boolean,
): Promise<Plan | null> {
  try {
    const catalog = openTomeCatalog(reading);
    if (catalog === null) return null;
    const plugins = await planTomeCatalog(reading, catalog, claims);
    const { name, description, version, owner } = catalog;
    const trees = plugins.map((plugin) => plugin.dir);
    return {
      format: 'tome',
      name,
      description,
      version,
      owner,
      plugins,
      external: [],
      trees,
      awaited: [],
    };
  } catch (error) {
    if (!isLenient || !(error instanceof LecternError)) throw error;
    const file = join(reading.root, 'tome-catalog.toml');
    reading.problems.push({
      severity: 'error',
      file,
      message: `${error.message}; folders are read without it`,
      fix: 'correct the manifest',
    });
    return null;
  }
}

async function planNativeRoot(reading: Reading, claims: Claims): Promise<Plan> {
  const outer = openMarketplace(reading, reading.root);
  // A repository's own .claude folder helps its developers; only where nothing is published is it the catalog.
  const hidden = outer === null ? new Set(['.claude', '.agents']) : namedHidden(outer);
  const tree = await scanTree(reading.root, { ...reading, hidden });
  const plan: Plan = {
    format: outer === null ? 'folder' : 'marketplace',
    name: toSafeSegment(outer?.name ?? nameOfFolder(reading.root)),
    description: outer?.description ?? null,
    version: outer?.version ?? null,
    owner: outer?.owner ?? null,
    plugins: [],
    external: [],
    trees: [tree],
    awaited: [],
  };
  const roots = new Set<TreeDir>();
  for (const dir of eachDir(tree)) {
    await reading.pacer.breathe();
    if (!dir.hasClaudeFolder) continue;
    const marketplace = dir === tree ? outer : openMarketplace(reading, dir.real);
    if (marketplace === null) continue;
    const listed = await planMarketplace(reading, dir, marketplace, claims, roots);
    plan.plugins.push(...listed.plans);
    plan.external.push(...listed.external);
    plan.awaited.push(...listed.awaited);
    for (const plugin of listed.plans) roots.add(plugin.dir);
  }
  await planUnlisted(reading, tree, plan, roots, claims);
  const own = plan.format === 'plugin' ? plan.plugins.find(({ dir }) => dir === tree) : undefined;
  plan.plugins.push(...planFolders(tree, plan.plugins, claims, plan.name, own));
  return plan;
}

/** Folders with a manifest of their own that no marketplace lists. */
async function planUnlisted(
  reading: Reading,
  tree: TreeDir,
  plan: Plan,
  roots: Set<TreeDir>,
  claims: Claims,
): Promise<void> {
  for (const dir of eachDir(tree)) {
    await reading.pacer.breathe();
    if (roots.has(dir) || (!dir.hasTomeManifest && !dir.hasClaudeFolder)) continue;
    if (dir !== tree && isTemplate(dir)) continue;
    const name = dir === tree ? plan.name : dir.name;
    const plugin = dir.hasTomeManifest
      ? planTomePlugin(reading, dir, null, claims)
      : planClaudePlugin(reading, dir, name, claims);
    if (plugin === null) continue;
    roots.add(dir);
    plan.plugins.push(plugin);
    if (dir === tree && plan.format === 'folder') {
      plan.format = 'plugin';
      plan.name = plugin.name;
      plan.description = plugin.about.description;
      plan.version = plugin.about.version;
    }
  }
}

/** A plugin below a skill is an example that the skill brings along. */
function isTemplate(dir: TreeDir): boolean {
  for (let at = dir.parent; at !== null; at = at.parent) if (at.isSkill) return true;
  return false;
}

/** A clone lies in a folder named by a digest; its origin tells what people call it. */
function nameOfFolder(root: string): string {
  const name = basename(root);
  if (!/^[0-9a-f]{64}(?:-[0-9a-f]+)?$/.test(name)) return name;
  const config = readBoundedSync(join(root, '.git', 'config'), MAX_MANIFEST_BYTES);
  const text = 'file' in config ? config.file.bytes.toString() : '';
  const url = /^\s*url\s*=\s*(\S+)/m.exec(text)?.[1];
  return url === undefined ? name : nameFromUrl(url);
}

function describePlugin(reading: Reading, loaded: LoadedPlugin): PluginReading {
  const { plan, entries } = loaded;
  makeNamesUnique(entries);
  const count = (kind: string): number => entries.filter((entry) => entry.kind === kind).length;
  const { dir } = plan;
  const hooks = plan.format === 'project' ? undefined : findDir(dir, 'hooks');
  return {
    name: plan.name,
    ...plan.about,
    format: plan.format,
    root: dir.real,
    source: plan.source,
    entries,
    components: {
      skills: count('skill'),
      agents: count('agent'),
      commands: count('command'),
      hooks: hooks?.markdown.size ?? 0,
      mcpServers: plan.mcpServers + countServers(reading, plan),
    },
    shipsHooksJson: plan.declaresHooks || isFile(hooks, 'hooks.json'),
    shipsGuardrails: isFile(hooks, 'GUARDRAILS.md'),
    problems: plan.problems,
    ...(plan.unusable === undefined ? {} : { unusable: plan.unusable }),
  };
}

function isFile(dir: TreeDir | undefined, name: string): boolean {
  if (dir === undefined) return false;
  return statSync(join(dir.real, name), { throwIfNoEntry: false })?.isFile() === true;
}

/** Keys under `mcpServers` in `.mcp.json`; zero for a file that cannot be used (library contract 2.4). */
function countServers(reading: Reading, plan: PluginPlan): number {
  if (plan.format === 'project') return 0;
  const file = readManifest(
    { ...reading, problems: [] },
    plan.dir.real,
    '.mcp.json',
    MAX_MCP_JSON_BYTES,
  );
  const object = file === null ? null : (parseLooseJson(file.bytes)?.object ?? null);
  if (object === null) return 0;
  if (member(object, 'mcpServers') !== undefined) {
    return Object.keys(objectMember(object, 'mcpServers') ?? {}).length;
  }
  // Claude Code also takes the servers without the wrapper.
  return plan.format === 'claude' ? Object.keys(object).length : 0;
}

function countEntries(loaded: readonly LoadedPlugin[]): Pick<CatalogReading, 'found' | 'loaded'> {
  const found = { skill: 0, command: 0, agent: 0 };
  const kept = { skill: 0, command: 0, agent: 0 };
  for (const plugin of loaded) {
    for (const kind of ['skill', 'command', 'agent'] as const) found[kind] += plugin.found[kind];
    for (const entry of plugin.entries) kept[entry.kind] += 1;
  }
  return { found, loaded: kept };
}
