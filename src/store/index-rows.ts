import type {
  CatalogFormat,
  EntryArgument,
  EntryKind,
  ExternalPlugin,
  KnownEntry,
  PluginFormat,
  Problem,
} from '../catalog/types.ts';
import type { Database } from './database.ts';
import {
  emptyChange,
  type IndexedEntry,
  type IndexedPlugin,
  type IndexedSource,
  LiveIndexView,
} from './index-view.ts';
import type { IndexRoot } from './indexer-port.ts';

const NO_ENTRIES: Record<EntryKind, number> = { skill: 0, command: 0, agent: 0 };

/** Rows of index.db as SQLite gives them; JSON columns are text, booleans 0 or 1. */
export interface SourceRow {
  id: number;
  root: string;
  kind: 'catalog' | 'project';
  format: CatalogFormat | null;
  name: string | null;
  description: string | null;
  version: string | null;
  owner: string | null;
  external: string;
  found: string;
  loaded: string;
  problems: string;
  read_at: number | null;
}

export interface PluginRow {
  id: number;
  source_id: number;
  name: string;
  version: string | null;
  description: string | null;
  license: string | null;
  author: string | null;
  format: PluginFormat;
  root: string;
  source: string;
  components: string;
  ships_hooks_json: number;
  ships_guardrails: number;
  problems: string;
  unusable: string | null;
  indexed_at: number;
}

export interface EntryRow {
  id: number;
  plugin_id: number;
  kind: EntryKind;
  name: string;
  declared_name: string;
  description: string;
  when_to_use: string | null;
  arguments: string;
  argument_hint: string | null;
  prompt_name: string | null;
  searchable: number;
  user_invocable: number;
  takes_arguments: number;
  path: string;
  file: string;
  file_hash: string;
  text_hash: string;
  body_chars: number;
  mtime_ms: number;
  size: number;
  problems: string;
  indexed_at: number;
}

/** A catalog root of an earlier life, with the directories that were watched for it. */
export interface KnownRoot {
  root: IndexRoot;
  watch: string[];
}

/** Catalog roots of the last life with the directories that were watched for them. */
export function listKnownRoots(db: Database): KnownRoot[] {
  return db
    .all<{ root: string; watch: string }>(
      "SELECT root, watch FROM sources WHERE kind = 'catalog' ORDER BY id",
    )
    .map(({ root, watch }) => ({
      root: { root, kind: 'catalog' },
      watch: parseList<string>(watch),
    }));
}

export interface ProjectRoot {
  root: string;
  /** Unix ms of the last reading. */
  readAt: number;
}

/** Projects of earlier lives. */
export function listProjectRoots(db: Database): ProjectRoot[] {
  return db.all<ProjectRoot>(
    "SELECT root, coalesce(read_at, 0) AS readAt FROM sources WHERE kind = 'project'",
  );
}

/**
 * The hot copy of everything in `db`, for a start without reading any catalog file.
 *
 * @throws SqliteError when the database is damaged
 */
export function loadIndexView(db: Database): LiveIndexView {
  const view = new LiveIndexView();
  const change = emptyChange();
  change.sources = db.all<SourceRow>('SELECT * FROM sources').map(toSource);
  change.plugins = db.all<PluginRow>('SELECT * FROM plugins').map(toPlugin);
  const plugins = new Map(change.plugins.map((plugin) => [plugin.id, plugin]));
  for (const row of db.all<EntryRow>('SELECT * FROM entries')) {
    change.entries.push(toEntry(row, plugins.get(row.plugin_id)!));
  }
  view.apply(change);
  return view;
}

export function toSource(row: SourceRow): IndexedSource {
  return {
    id: row.id,
    root: row.root,
    kind: row.kind,
    format: row.format,
    name: row.name,
    description: row.description,
    version: row.version,
    owner: parseOrNull<IndexedSource['owner']>(row.owner),
    external: parseList<ExternalPlugin>(row.external),
    found: { ...NO_ENTRIES, ...JSON.parse(row.found) },
    loaded: { ...NO_ENTRIES, ...JSON.parse(row.loaded) },
    problems: parseList<Problem>(row.problems),
    readAt: row.read_at,
  };
}

export function toPlugin(row: PluginRow): IndexedPlugin {
  return {
    id: row.id,
    sourceId: row.source_id,
    name: row.name,
    version: row.version,
    description: row.description,
    license: row.license,
    author: parseOrNull<IndexedPlugin['author']>(row.author),
    format: row.format,
    root: row.root,
    source: row.source,
    components: JSON.parse(row.components),
    shipsHooksJson: row.ships_hooks_json === 1,
    shipsGuardrails: row.ships_guardrails === 1,
    problems: parseList<Problem>(row.problems),
    unusable: parseOrNull<Problem>(row.unusable),
    indexedAt: row.indexed_at,
  };
}

export function toEntry(
  row: EntryRow,
  plugin: Pick<IndexedPlugin, 'sourceId' | 'name' | 'version'>,
): IndexedEntry {
  return {
    id: row.id,
    pluginId: row.plugin_id,
    sourceId: plugin.sourceId,
    plugin: plugin.name,
    pluginVersion: plugin.version,
    kind: row.kind,
    name: row.name,
    description: row.description,
    whenToUse: row.when_to_use,
    arguments: parseList<EntryArgument>(row.arguments),
    argumentHint: row.argument_hint,
    promptName: row.prompt_name,
    searchable: row.searchable === 1,
    userInvocable: row.user_invocable === 1,
    takesArguments: row.takes_arguments === 1,
    path: row.path,
    file: row.file,
    fileHash: row.file_hash,
    textHash: row.text_hash,
    bodyChars: row.body_chars,
    problems: parseList<Problem>(row.problems),
    indexedAt: row.indexed_at,
  };
}

/** An entry as it was read, made from its row: it spares reading an unchanged file again. */
export function toKnownEntry(row: EntryRow): KnownEntry {
  return {
    kind: row.kind,
    name: row.name,
    declaredName: row.declared_name,
    description: row.description,
    whenToUse: row.when_to_use,
    arguments: parseList<EntryArgument>(row.arguments),
    argumentHint: row.argument_hint,
    promptName: row.prompt_name,
    searchable: row.searchable === 1,
    userInvocable: row.user_invocable === 1,
    path: row.path,
    file: row.file,
    fileHash: row.file_hash,
    mtimeMs: row.mtime_ms,
    size: row.size,
    problems: parseList<Problem>(row.problems),
  };
}

/** Most lists are empty, and a start parses four of them an entry. */
function parseList<T>(json: string): T[] {
  return json === '[]' ? [] : (JSON.parse(json) as T[]);
}

function parseOrNull<T>(json: string | null): T | null {
  return json === null ? null : (JSON.parse(json) as T);
}
