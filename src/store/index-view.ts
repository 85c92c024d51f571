import type {
  CatalogFormat,
  EntryArgument,
  EntryKind,
  ExternalPlugin,
  PluginFormat,
  Problem,
} from '../catalog/types.ts';

/** One row of `entries`, as the daemon keeps it hot: all but the body. */
export interface IndexedEntry {
  id: number;
  pluginId: number;
  sourceId: number;
  /** The plugin's name; the catalog's display name depends on the workspace. */
  plugin: string;
  pluginVersion: string | null;
  kind: EntryKind;
  name: string;
  description: string;
  whenToUse: string | null;
  arguments: EntryArgument[];
  argumentHint: string | null;
  promptName: string | null;
  searchable: boolean;
  userInvocable: boolean;
  /** The body holds `$ARGUMENTS` (decides the catch-all prompt argument). */
  takesArguments: boolean;
  /** Relative to the plugin root. */
  path: string;
  /** Absolute. */
  file: string;
  /** Entries of one hash are one text and fold into one result. */
  fileHash: string;
  textHash: string;
  bodyChars: number;
  problems: Problem[];
  /** Unix ms. */
  indexedAt: number;
}

export interface IndexedPlugin {
  id: number;
  sourceId: number;
  name: string;
  version: string | null;
  description: string | null;
  license: string | null;
  author: { name: string | null; email: string | null } | null;
  format: PluginFormat;
  root: string;
  source: string;
  components: {
    skills: number;
    agents: number;
    commands: number;
    hooks: number;
    mcpServers: number;
  };
  shipsHooksJson: boolean;
  shipsGuardrails: boolean;
  problems: Problem[];
  unusable: Problem | null;
  indexedAt: number;
}

export interface IndexedSource {
  id: number;
  /** Absolute, canonical. */
  root: string;
  kind: 'catalog' | 'project';
  format: CatalogFormat | null;
  name: string | null;
  description: string | null;
  version: string | null;
  owner: { name: string; email: string | null } | null;
  external: ExternalPlugin[];
  /** Entry files found, and how many of them could be loaded; the problems say why the rest was not. */
  found: Record<EntryKind, number>;
  loaded: Record<EntryKind, number>;
  problems: Problem[];
  /** Unix ms of the last complete reading that changed this row; null before the first. */
  readAt: number | null;
}

/**
 * The hot copy of the index that every session reads. Changes entry by entry;
 * `clock` grows with each change, so that anything derived can be cached by it.
 */
export interface IndexView {
  readonly clock: number;
  readonly sources: ReadonlyMap<number, IndexedSource>;
  readonly plugins: ReadonlyMap<number, IndexedPlugin>;
  readonly entries: ReadonlyMap<number, IndexedEntry>;
  sourceByRoot(root: string): IndexedSource | undefined;
  /** By name. */
  pluginsOf(sourceId: number): readonly IndexedPlugin[];
  /** By kind, then name. */
  entriesOf(pluginId: number): readonly IndexedEntry[];
}

/** What one write to the index changed: rows as they are now, and ids that are gone. */
export interface IndexChange {
  sources: IndexedSource[];
  plugins: IndexedPlugin[];
  entries: IndexedEntry[];
  removedSources: number[];
  removedPlugins: number[];
  removedEntries: number[];
}

export function emptyChange(): IndexChange {
  return {
    sources: [],
    plugins: [],
    entries: [],
    removedSources: [],
    removedPlugins: [],
    removedEntries: [],
  };
}

/** True when nothing changed at all. */
export function isEmptyChange(change: IndexChange): boolean {
  return Object.values(change).every((list) => list.length === 0);
}

/** The view that its owner keeps up to date with {@link LiveIndexView.apply}. */
export class LiveIndexView implements IndexView {
  readonly sources = new Map<number, IndexedSource>();
  readonly plugins = new Map<number, IndexedPlugin>();
  readonly entries = new Map<number, IndexedEntry>();
  #clock = 0;
  readonly #rootIds = new Map<string, number>();
  readonly #pluginIds = new Map<number, Set<number>>();
  readonly #entryIds = new Map<number, Set<number>>();
  readonly #pluginLists = new Map<number, IndexedPlugin[]>();
  readonly #entryLists = new Map<number, IndexedEntry[]>();

  get clock(): number {
    return this.#clock;
  }

  sourceByRoot(root: string): IndexedSource | undefined {
    const id = this.#rootIds.get(root);
    return id === undefined ? undefined : this.sources.get(id);
  }

  pluginsOf(sourceId: number): readonly IndexedPlugin[] {
    let list = this.#pluginLists.get(sourceId);
    if (list === undefined) {
      list = [...(this.#pluginIds.get(sourceId) ?? [])].map((id) => this.plugins.get(id)!);
      list.sort((a, b) => compareText(a.name, b.name));
      this.#pluginLists.set(sourceId, list);
    }
    return list;
  }

  entriesOf(pluginId: number): readonly IndexedEntry[] {
    let list = this.#entryLists.get(pluginId);
    if (list === undefined) {
      list = [...(this.#entryIds.get(pluginId) ?? [])].map((id) => this.entries.get(id)!);
      list.sort((a, b) => compareText(a.kind, b.kind) || compareText(a.name, b.name));
      this.#entryLists.set(pluginId, list);
    }
    return list;
  }

  /** Take over one change and let the clock grow. Removals come first, so a row may move. */
  apply(change: IndexChange): void {
    for (const id of change.removedEntries) this.#dropEntry(id);
    for (const id of change.removedPlugins) this.#dropPlugin(id);
    for (const id of change.removedSources) this.#dropSource(id);
    for (const source of change.sources) {
      this.sources.set(source.id, source);
      this.#rootIds.set(source.root, source.id);
    }
    for (const plugin of change.plugins) this.#putPlugin(plugin);
    for (const entry of change.entries) {
      this.entries.set(entry.id, entry);
      idsOf(this.#entryIds, entry.pluginId).add(entry.id);
      this.#entryLists.delete(entry.pluginId);
    }
    this.#clock++;
  }

  /** Forget everything: the index is being made anew. */
  clear(): void {
    for (const id of [...this.sources.keys()]) this.#dropSource(id);
    this.#clock++;
  }

  #putPlugin(plugin: IndexedPlugin): void {
    this.plugins.set(plugin.id, plugin);
    idsOf(this.#pluginIds, plugin.sourceId).add(plugin.id);
    this.#pluginLists.delete(plugin.sourceId);
    this.#entryLists.delete(plugin.id);
    // Entries carry their plugin's name and version, which may be what changed.
    for (const id of this.#entryIds.get(plugin.id) ?? []) {
      const entry = this.entries.get(id)!;
      this.entries.set(id, { ...entry, plugin: plugin.name, pluginVersion: plugin.version });
    }
  }

  #dropEntry(id: number): void {
    const entry = this.entries.get(id);
    if (entry === undefined) return;
    this.entries.delete(id);
    this.#entryIds.get(entry.pluginId)?.delete(id);
    this.#entryLists.delete(entry.pluginId);
  }

  #dropPlugin(id: number): void {
    const plugin = this.plugins.get(id);
    if (plugin === undefined) return;
    for (const entryId of [...(this.#entryIds.get(id) ?? [])]) this.#dropEntry(entryId);
    this.plugins.delete(id);
    this.#entryIds.delete(id);
    this.#entryLists.delete(id);
    this.#pluginIds.get(plugin.sourceId)?.delete(id);
    this.#pluginLists.delete(plugin.sourceId);
  }

  #dropSource(id: number): void {
    const source = this.sources.get(id);
    if (source === undefined) return;
    for (const pluginId of [...(this.#pluginIds.get(id) ?? [])]) this.#dropPlugin(pluginId);
    this.sources.delete(id);
    this.#pluginIds.delete(id);
    this.#pluginLists.delete(id);
    this.#rootIds.delete(source.root);
  }
}

function idsOf(map: Map<number, Set<number>>, key: number): Set<number> {
  let ids = map.get(key);
  if (ids === undefined) map.set(key, (ids = new Set()));
  return ids;
}

/** By code unit: the same order on every machine. */
function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
