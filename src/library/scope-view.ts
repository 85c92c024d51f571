import type { EntryKind } from '../catalog/types.ts';
import type { IndexedEntry, IndexedPlugin, IndexedSource, IndexView } from '../store/index-view.ts';
import type { EnrolmentRow } from '../store/state/enrolments.ts';
import type { StateStore } from '../store/state/state-store.ts';
import type { WorkspaceRow } from '../store/state/workspaces.ts';

/** The catalog that a project's own skill folders make up. Nobody else may have the name. */
export const PROJECT_CATALOG = 'project';

/** The tier of what nobody set one for: found through search (library contract 3.10). */
export const DEFAULT_TIER = 3;

/** One entry as one workspace sees it. */
export interface LibraryEntry {
  catalog: string;
  plugin: string;
  kind: EntryKind;
  name: string;
  entry: IndexedEntry;
  home: LibraryPlugin;
  isEnabled: boolean;
  tier: number;
}

export interface LibraryPlugin {
  catalog: string;
  name: string;
  plugin: IndexedPlugin;
  home: LibraryCatalog;
  /** The plugin as such is enabled; entries may differ. */
  isEnabled: boolean;
  /** Sorted by kind, then name. */
  entries: LibraryEntry[];
}

export interface LibraryCatalog {
  name: string;
  /** Null for the project's own folders. */
  enrolment: EnrolmentRow | null;
  root: string;
  /** Undefined while it has not been read, or is gone. */
  source: IndexedSource | undefined;
  /** Sorted by name. */
  plugins: LibraryPlugin[];
}

/** What one workspace sees at one moment, made once per change of the index or the state. */
export interface ScopeView {
  workspace: WorkspaceRow;
  projectRoot: string | null;
  /** Sorted by name. */
  catalogs: LibraryCatalog[];
  /** Sorted by catalog, plugin, kind, name. */
  enabled: LibraryEntry[];
  /** Enabled entries by index id, by catalog: a source enrolled under two names has two of each. */
  enabledById: ReadonlyMap<number, readonly LibraryEntry[]>;
  /** Catalogs of which something is enabled, and which have not been read into this index. */
  unread: string[];
}

/** Put together what the index knows and what people decided. Pure. */
export function buildScopeView(
  workspace: WorkspaceRow,
  projectRoot: string | null,
  state: StateStore,
  index: IndexView,
): ScopeView {
  const enrolments = state.enrolments.of(workspace.id);
  const pluginKey = (catalogId: number, plugin: string) => `${catalogId}/${plugin}`;
  const entryKey = (catalogId: number, plugin: string, kind: string, name: string) =>
    `${catalogId}/${plugin}/${kind}/${name}`;
  const enabledPlugins = state.enablement.pluginsOf(workspace.id);
  const tierOfPlugin = new Map(
    enabledPlugins.map((row) => [pluginKey(row.catalogId, row.plugin), row.tier]),
  );
  const entryExceptions = state.enablement.exceptionsOf(workspace.id);
  const exceptions = new Map(
    entryExceptions.map((row) => [
      entryKey(row.catalogId, row.plugin, row.kind, row.name),
      row.enabled,
    ]),
  );
  const tiers = new Map(
    state.tiers
      .of(workspace.id)
      .map((row) => [entryKey(row.catalogId, row.plugin, row.kind, row.name), row.tier]),
  );

  const catalogs: LibraryCatalog[] = enrolments.map((enrolment) => ({
    name: enrolment.name,
    enrolment,
    root: enrolment.root,
    source: index.sourceByRoot(enrolment.root),
    plugins: [],
  }));
  // A project that is enrolled as a catalog is that catalog, not a second one beside it.
  const isEnrolled = enrolments.some((row) => row.root === projectRoot);
  if (projectRoot !== null && !isEnrolled && hasOwnSkills(projectRoot, index)) {
    catalogs.push({
      name: PROJECT_CATALOG,
      enrolment: null,
      root: projectRoot,
      source: index.sourceByRoot(projectRoot),
      plugins: [],
    });
  }
  catalogs.sort((a, b) => compareText(a.name, b.name));

  const enabled: LibraryEntry[] = [];
  const enabledById = new Map<number, LibraryEntry[]>();
  for (const catalog of catalogs) {
    if (catalog.source === undefined) continue;
    const id = catalog.enrolment?.id ?? null;
    for (const plugin of index.pluginsOf(catalog.source.id)) {
      const tier = id === null ? DEFAULT_TIER : tierOfPlugin.get(pluginKey(id, plugin.name));
      const home: LibraryPlugin = {
        catalog: catalog.name,
        name: plugin.name,
        plugin,
        home: catalog,
        isEnabled: tier !== undefined,
        entries: [],
      };
      for (const entry of index.entriesOf(plugin.id)) {
        const key = id === null ? '' : entryKey(id, plugin.name, entry.kind, entry.name);
        home.entries.push({
          catalog: catalog.name,
          plugin: plugin.name,
          kind: entry.kind,
          name: entry.name,
          entry,
          home,
          isEnabled: exceptions.get(key) ?? home.isEnabled,
          tier: tiers.get(key) ?? tier ?? DEFAULT_TIER,
        });
      }
      catalog.plugins.push(home);
      for (const entry of home.entries) {
        if (!entry.isEnabled) continue;
        enabled.push(entry);
        const namesakes = enabledById.get(entry.entry.id);
        if (namesakes === undefined) enabledById.set(entry.entry.id, [entry]);
        else namesakes.push(entry);
      }
    }
  }
  const catalogsInUse = new Set(
    [...enabledPlugins, ...entryExceptions.filter((row) => row.enabled)].map(
      (row) => row.catalogId,
    ),
  );
  const unread = catalogs
    .filter((it) => it.enrolment !== null && it.source === undefined)
    .filter((it) => catalogsInUse.has(it.enrolment!.id))
    .map((it) => it.name);
  return { workspace, projectRoot, catalogs, enabled, enabledById, unread };
}

/** A repository without skills of its own is no catalog that a listing should show. */
export function hasOwnSkills(projectRoot: string, index: IndexView): boolean {
  const source = index.sourceByRoot(projectRoot);
  if (source?.kind !== 'project') return false;
  return (
    source.problems.length > 0 ||
    index.pluginsOf(source.id).some((plugin) => index.entriesOf(plugin.id).length > 0)
  );
}

/** By code unit, as every listing of the contract sorts. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
