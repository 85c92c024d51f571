/** The kinds of entry, in the lower case they have everywhere (library contract 1). */
export type EntryKind = 'skill' | 'command' | 'agent';

/**
 * Something a reader should know about a file: found while reading, never
 * thrown. `severity: 'error'` means that the thing named was not loaded.
 */
export interface Problem {
  severity: 'error' | 'warning';
  /** Absolute path of the file. */
  file: string;
  /** 1-based line, where one can be named. */
  line?: number;
  /** What is wrong, with the offending key or value. */
  message: string;
  /** What to do about it. */
  fix?: string;
}

/** One declared argument of a command or skill (library contract 2.6). */
export interface EntryArgument {
  name: string;
  description?: string;
}

/** One entry as read from disk, before it has a row in the index. */
export interface EntryReading {
  kind: EntryKind;
  /** Unique within plugin and kind. */
  name: string;
  /** The name before siblings of one name were told apart: frontmatter name, else folder or stem. */
  declaredName: string;
  description: string;
  whenToUse: string | null;
  arguments: EntryArgument[];
  argumentHint: string | null;
  promptName: string | null;
  /** False only where `disable-model-invocation` says so. */
  searchable: boolean;
  userInvocable: boolean;
  /** Relative to the plugin root, `/` separators. */
  path: string;
  /** Absolute; the file the entry was read from (symlinks followed). */
  file: string;
  /** Everything after the frontmatter, line ends kept; empty when `unchanged`. */
  body: string;
  /**
   * Set when the file had the modification time and size of the `known` entry
   * that was handed to the reading: nothing was read, the other fields are the known ones.
   */
  unchanged?: true;
  /** SHA-256 hex of the file's bytes: two entries of one hash are one text. */
  fileHash: string;
  mtimeMs: number;
  size: number;
  problems: Problem[];
}

/** An entry as an earlier reading left it, to spare reading an unchanged file again. */
export type KnownEntry = Omit<EntryReading, 'body' | 'unchanged'>;

export type PluginFormat = 'tome' | 'claude' | 'folder' | 'project';

export interface PluginReading {
  name: string;
  version: string | null;
  description: string | null;
  license: string | null;
  author: { name: string | null; email: string | null } | null;
  format: PluginFormat;
  /** Absolute plugin root. */
  root: string;
  /** Relative to the catalog root, as the manifest gives it; `.` for the root itself. */
  source: string;
  entries: EntryReading[];
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
  /** Set when the manifest cannot be used: the plugin is listed, its entries are not loaded. */
  unusable?: Problem;
}

/** A plugin that a marketplace names but that lives elsewhere: listed, not fetched unasked. */
export interface ExternalPlugin {
  name: string;
  description: string | null;
  /** As the manifest gives it, in one line, without credentials. */
  source: string;
}

export type CatalogFormat = 'tome' | 'marketplace' | 'plugin' | 'folder' | 'project';

/** Everything found below one catalog root in one reading. */
export interface CatalogReading {
  format: CatalogFormat;
  /** The name the manifest gives, else the folder's. */
  name: string;
  description: string | null;
  version: string | null;
  owner: { name: string; email: string | null } | null;
  root: string;
  plugins: PluginReading[];
  external: ExternalPlugin[];
  /** Entry files found, loaded or not; each that is not loaded has a problem of severity `error`. */
  found: Record<EntryKind, number>;
  loaded: Record<EntryKind, number>;
  problems: Problem[];
  /** Absolute directories whose own listing or files can change this reading (not recursive). */
  watch: string[];
}
