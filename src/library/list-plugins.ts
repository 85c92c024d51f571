import type { EntryKind } from '../catalog/types.ts';
import { toRfc3339 } from '../core/rfc3339.ts';
import {
  compareText,
  type LibraryCatalog,
  type LibraryPlugin,
  type ScopeView,
} from './scope-view.ts';

/** Input of the `list_plugins` tool; null and absent are the same. */
export interface ListPluginsInput {
  catalog?: string | null;
  enabled_only?: boolean;
  kind?: EntryKind | null;
}

export interface ListedEntry {
  name: string;
  kind: EntryKind;
  description: string;
  enabled: boolean;
  searchable: boolean;
  user_invocable: boolean;
  indexed_at: string;
}

export interface ListedPlugin {
  catalog: string;
  plugin: string;
  version?: string;
  enabled_entries: number;
  entries: ListedEntry[];
}

/** Answer `list_plugins` (library contract 6.4). An unknown catalog gives an empty list. */
export function listPlugins(
  input: ListPluginsInput,
  view: ScopeView,
): { workspace: string; plugins: ListedPlugin[] } {
  const enabledOnly = input.enabled_only ?? true;
  const plugins = view.catalogs
    .filter((catalog) => input.catalog == null || catalog.name === input.catalog)
    .flatMap((catalog) => [
      ...catalog.plugins.map((plugin) => describe(plugin, enabledOnly, input.kind ?? null)),
      ...(enabledOnly ? [] : externalsOf(catalog)),
    ])
    .filter((plugin) => !enabledOnly || plugin.enabled_entries > 0)
    .filter((plugin) => input.kind == null || plugin.entries.length > 0);
  return { workspace: view.workspace.name, plugins: plugins.sort(byCatalogThenPlugin) };
}

function describe(
  plugin: LibraryPlugin,
  enabledOnly: boolean,
  kind: EntryKind | null,
): ListedPlugin {
  return {
    catalog: plugin.catalog,
    plugin: plugin.name,
    ...(plugin.plugin.version === null ? {} : { version: plugin.plugin.version }),
    enabled_entries: plugin.entries.filter((it) => it.isEnabled).length,
    entries: plugin.entries
      .filter((it) => (!enabledOnly || it.isEnabled) && (kind === null || it.kind === kind))
      .map((it) => ({
        name: it.name,
        kind: it.kind,
        description: it.entry.description,
        enabled: it.isEnabled,
        searchable: it.entry.searchable,
        user_invocable: it.entry.userInvocable,
        indexed_at: toRfc3339(it.entry.indexedAt),
      })),
  };
}

/** Named by the manifest, kept elsewhere: declared, with nothing to list. */
function externalsOf(catalog: LibraryCatalog): ListedPlugin[] {
  return (catalog.source?.external ?? [])
    .filter((it) => !catalog.plugins.some((plugin) => plugin.name === it.name))
    .map((it) => ({ catalog: catalog.name, plugin: it.name, enabled_entries: 0, entries: [] }));
}

function byCatalogThenPlugin(a: ListedPlugin, b: ListedPlugin): number {
  return compareText(a.catalog, b.catalog) || compareText(a.plugin, b.plugin);
}
