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
  problems: Problem[];
  /** Unix ms of the last complete reading; null before the first. */
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
  pluginsOf(sourceId: number): readonly IndexedPlugin[];
  entriesOf(pluginId: number): readonly IndexedEntry[];
}
