import type { EntryKind } from '../catalog/types.ts';
import { shellWord } from '../core/entry-id.ts';
import { LecternError } from '../core/errors.ts';
import { toRfc3339 } from '../core/rfc3339.ts';
import { addressOf } from './entry-address.ts';
import { findCatalog, findPlugin } from './find-plugin.ts';
import type { LibraryParts } from './parts.ts';
import type { LibraryCatalog, LibraryEntry, LibraryPlugin, ScopeView } from './scope-view.ts';
import { type PluginRef, parsePluginId } from './select-plugins.ts';
import { checkTier, isEnabled } from './set-plugins-enabled.ts';

export interface PluginRow {
  id: { catalog: string; plugin: string };
  version: string | null;
  author: string | null;
  description: string | null;
  last_upstream_change: string | null;
  status: 'enabled' | 'disabled' | 'unindexable';
  component_counts: {
    skills: number;
    agents: number;
    commands: number;
    hooks: number;
    mcp_servers: number;
  };
  last_indexed_at: string | null;
  external_source?: string;
  problems?: number;
}

export interface PluginListRequest {
  catalog: string | null;
  enabledOnly: boolean;
  filter: string | null;
  tier: number | null;
}

/**
 * Rows of `plugin list` (library contract 3.8), sorted by catalog and name.
 *
 * @throws LecternError catalog_not_found (3), usage (2) for a tier outside 1 to 3
 */
export async function listPluginRows(
  parts: LibraryParts,
  view: ScopeView,
  request: PluginListRequest,
): Promise<PluginRow[]> {
  if (request.tier !== null) checkTier(request.tier);
  const catalogs = request.catalog === null ? view.catalogs : [findCatalog(view, request.catalog)];
  const needle = request.filter?.toLowerCase() ?? null;
  const rows: PluginRow[] = [];
  for (const catalog of catalogs) {
    const changedAt = await upstreamChange(parts, catalog);
    for (const plugin of catalog.plugins) {
      if (request.enabledOnly && !isEnabled(plugin)) continue;
      if (request.tier !== null && !hasTier(plugin, request.tier)) continue;
      rows.push(describePlugin(plugin, changedAt));
    }
    if (request.enabledOnly || request.tier !== null) continue;
    for (const external of catalog.source?.external ?? []) {
      rows.push(describeExternal(catalog, external));
    }
  }
  if (needle === null) return rows;
  return rows.filter(
    (row) =>
      row.id.plugin.toLowerCase().includes(needle) ||
      (row.description?.toLowerCase().includes(needle) ?? false),
  );
}

/**
 * One plugin with its entries (library contract 3.8).
 *
 * @throws LecternError usage (2), catalog_not_found (3), plugin_not_found (20)
 */
export async function showPlugin(
  parts: LibraryParts,
  view: ScopeView,
  id: string,
  withDetails: boolean,
  nameOf: (entry: LibraryEntry) => string | undefined,
): Promise<object> {
  const ref = parseShownId(view, id);
  const catalog = findCatalog(view, ref.catalog);
  const external = catalog.source?.external.find((it) => it.name === ref.plugin);
  const isHere = catalog.plugins.some((it) => it.name === ref.plugin);
  if (external !== undefined && !isHere) {
    return {
      ...describeExternal(catalog, external),
      license: null,
      skills: [],
      commands: [],
      agents: [],
      ships_hooks_json: false,
      ships_guardrails_md: false,
      format: null,
      root: null,
      problems: [],
    };
  }
  const plugin = findPlugin(view, ref);
  const describe = (kind: string) =>
    plugin.entries
      .filter((it) => it.kind === kind)
      .map((it) => describeEntry(it, withDetails, nameOf(it)));
  const { problems: _count, ...row } = describePlugin(plugin, await upstreamChange(parts, catalog));
  return {
    ...row,
    license: plugin.plugin.license,
    skills: describe('skill'),
    commands: describe('command'),
    agents: describe('agent'),
    ships_hooks_json: plugin.plugin.shipsHooksJson,
    ships_guardrails_md: plugin.plugin.shipsGuardrails,
    format: plugin.plugin.format,
    root: plugin.plugin.root,
    problems: [
      ...(plugin.plugin.unusable === null ? [] : [plugin.plugin.unusable]),
      ...plugin.plugin.problems,
      ...plugin.entries.flatMap((it) => it.entry.problems),
    ],
  };
}

/** A bare name is no id (library contract 3.8, L-012); the error says which ids it may stand for. */
function parseShownId(view: ScopeView, id: string): PluginRef {
  const same = view.catalogs.flatMap((home) => home.plugins).filter((it) => it.name === id);
  if (same.length === 0) return parsePluginId(id);
  const ids = same.map((it) => `${it.catalog}/${it.name}`);
  throw new LecternError('usage', `"${id}" is no plugin id; did you mean ${ids.join(' or ')}?`, {
    next: `lectern plugin show ${shellWord(ids[0]!)}`,
  });
}

/**
 * Switch one entry apart from its plugin (design 1).
 *
 * @param id `<catalog>/<plugin>/<entry>`, whose name may hold slashes, or any form of {@link addressOf}
 * @throws LecternError usage (2), catalog_not_found (3), plugin_not_found (20), entry_not_found (27)
 */
export function setEntryEnabled(
  parts: LibraryParts,
  view: ScopeView,
  id: string,
  kind: EntryKind | null,
  enabled: boolean,
): object {
  const { catalog, plugin, name } = addressOf(view, id, kind);
  if (name === '') {
    throw new LecternError('usage', `"${id}" is no entry id: write <catalog>/<plugin>/<entry>`);
  }
  const home = findPlugin(view, parsePluginId(`${catalog}/${plugin}`));
  const { enrolment } = home.home;
  if (enrolment === null) {
    throw new LecternError(
      'usage',
      `"${catalog}/${plugin}" is the project's own and always enabled`,
    );
  }
  const found = home.entries.filter(
    (it) => it.name === name && (kind === null || it.kind === kind),
  );
  if (found.length === 0) {
    throw new LecternError('entry_not_found', `"${catalog}/${plugin}" has no entry "${name}"`, {
      next: `lectern plugin show ${catalog}/${plugin}`,
    });
  }
  if (found.length > 1) {
    const kinds = found.map((it) => it.kind).join(', ');
    throw new LecternError('usage', `"${id}" is several entries; add --kind, one of: ${kinds}`);
  }
  const entry = found[0]!;
  parts.state.enablement.setException(
    enrolment.id,
    { plugin: home.name, kind: entry.kind, name },
    enabled === home.isEnabled ? null : enabled,
  );
  return { catalog: entry.catalog, plugin: entry.plugin, name, kind: entry.kind, enabled };
}

function describePlugin(plugin: LibraryPlugin, changedAt: string | null): PluginRow {
  const { components, author, description, version, unusable } = plugin.plugin;
  const problems =
    plugin.plugin.problems.length +
    (unusable === null ? 0 : 1) +
    plugin.entries.reduce((sum, it) => sum + it.entry.problems.length, 0);
  return {
    id: { catalog: plugin.catalog, plugin: plugin.name },
    version,
    author: author?.name ?? null,
    description,
    last_upstream_change: changedAt,
    status: unusable !== null ? 'unindexable' : isEnabled(plugin) ? 'enabled' : 'disabled',
    component_counts: {
      skills: components.skills,
      agents: components.agents,
      commands: components.commands,
      hooks: components.hooks,
      mcp_servers: components.mcpServers,
    },
    last_indexed_at: toRfc3339(plugin.plugin.indexedAt),
    ...(problems === 0 ? {} : { problems }),
  };
}

function describeExternal(
  catalog: LibraryCatalog,
  external: { name: string; description: string | null; source: string },
): PluginRow {
  return {
    id: { catalog: catalog.name, plugin: external.name },
    version: null,
    author: null,
    description: external.description,
    last_upstream_change: null,
    status: 'disabled',
    component_counts: { skills: 0, agents: 0, commands: 0, hooks: 0, mcp_servers: 0 },
    last_indexed_at: null,
    external_source: external.source,
  };
}

function describeEntry(
  { entry, kind, tier, isEnabled: enabled }: LibraryEntry,
  withDetails: boolean,
  promptName: string | undefined,
): object {
  return {
    name: entry.name,
    description: entry.description,
    when_to_use: entry.whenToUse,
    searchable: entry.searchable,
    user_invocable: entry.userInvocable,
    prompt_name: kind === 'agent' ? null : (promptName ?? null),
    arguments: entry.arguments.map((it) => it.name),
    ...(entry.argumentHint === null ? {} : { argument_hint: entry.argumentHint }),
    ...(kind === 'agent' && promptName !== undefined ? { persona_name: promptName } : {}),
    ...(withDetails && kind !== 'agent' && enabled ? { tier } : {}),
    path: entry.path,
    enabled,
  };
}

function hasTier(plugin: LibraryPlugin, tier: number): boolean {
  return plugin.entries.some((it) => it.kind !== 'agent' && it.isEnabled && it.tier === tier);
}

/** The commit a clone stands at; a directory read in place has no upstream that we know. */
async function upstreamChange(
  parts: LibraryParts,
  catalog: LibraryCatalog,
): Promise<string | null> {
  if (catalog.enrolment?.kind !== 'git') return null;
  const time = await parts.git.commitTime(catalog.root).catch(() => null);
  return time === null ? null : toRfc3339(time);
}
