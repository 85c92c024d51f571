import { createHash } from 'node:crypto';
import type { CatalogReading, EntryReading, PluginReading, Problem } from '../catalog/types.ts';
import { chunk, entryText } from '../search/chunks.ts';
import { BODY_CHARS_INDEXED, ftsText } from '../search/tokenise.ts';
import { packWords, readWords } from '../search/words.ts';
import type { Database, SqlValue } from './database.ts';
import {
  type EntryRow,
  type PluginRow,
  type SourceRow,
  toEntry,
  toPlugin,
  toSource,
} from './index-rows.ts';
import { emptyChange, type IndexChange } from './index-view.ts';
import type { IndexRoot } from './indexer-port.ts';

/** How one reading differs from the rows of its root, counted as library contract 3.9 does. */
export interface ReadingCounts {
  added: number;
  modified: number;
  removed: number;
  unchanged: number;
}

export interface EntryWrite {
  pluginId: number;
  reading: EntryReading;
  existing: EntryRow | undefined;
  /** `text`: words, chunks and body too; `row`: only the row; `stamp`: only mtime and size. */
  scope: 'text' | 'row' | 'stamp';
  /** The body, where `reading` has none because its file was not read again. */
  keptBody: string | undefined;
}

/** The writes that bring a root's rows to a reading, after its head is written. */
export interface ReadingPlan {
  sourceId: number;
  head: IndexChange;
  counts: ReadingCounts;
  writes: EntryWrite[];
}

type EntryColumns = Omit<EntryRow, 'id' | 'mtime_ms' | 'size' | 'indexed_at'>;

/**
 * Compare a reading with the rows of its root; write the source, its plugins and
 * what is gone, in one transaction. The entries follow by {@link writeEntries},
 * in slices, so that a large root does not hold the writer for seconds.
 *
 * @param force count and rewrite unchanged entries as modified
 */
export function planReading(
  db: Database,
  root: IndexRoot,
  reading: CatalogReading,
  force: boolean,
  now: number,
): ReadingPlan {
  return db.transact(() => {
    const head = emptyChange();
    const source = putSource(db, root, reading, now, head);
    const known = new Map(
      db
        .all<PluginRow>('SELECT * FROM plugins WHERE source_id = ?', source.id)
        .map((row) => [row.name, row]),
    );
    const counts = { added: 0, modified: 0, removed: 0, unchanged: 0 };
    const rows = entryRowsOf(db, source.id);
    const writes: EntryWrite[] = [];
    for (const plugin of nameApart(reading.plugins)) {
      const row = putPlugin(db, source.id, plugin, known.get(plugin.name), now, head);
      known.delete(plugin.name);
      for (const entry of plugin.unusable === undefined ? plugin.entries : []) {
        const key = entryKey(row.id, entry.kind, entry.name);
        const existing = rows.byKey.get(key);
        rows.byKey.delete(key);
        const scope = scopeOf(entry, existing, row.id, force);
        if (existing === undefined) counts.added++;
        else if (existing.file_hash !== entry.fileHash || force) counts.modified++;
        else counts.unchanged++;
        if (scope === 'none') continue;
        writes.push({
          pluginId: row.id,
          reading: entry,
          existing,
          scope,
          keptBody: scope === 'text' ? keptBody(db, entry, rows.byFile) : undefined,
        });
      }
    }
    for (const gone of rows.byKey.values()) {
      removeEntry(db, gone.id);
      head.removedEntries.push(gone.id);
      counts.removed++;
    }
    for (const gone of known.values()) {
      db.run('DELETE FROM plugins WHERE id = ?', gone.id);
      head.removedPlugins.push(gone.id);
    }
    return { sourceId: source.id, head, counts, writes };
  });
}

/** The writes for entries whose files alone were read again, under their names of before. */
export function planEntries(
  changed: readonly { row: EntryRow; reading: EntryReading }[],
): EntryWrite[] {
  return changed.flatMap(({ row, reading }) => {
    const scope = scopeOf(reading, row, row.plugin_id, false);
    if (scope === 'none') return [];
    return [{ pluginId: row.plugin_id, reading, existing: row, scope, keptBody: undefined }];
  });
}

/**
 * Write some entries of a plan in one transaction.
 *
 * @param onEntry told each file before the work on its text begins
 */
export function writeEntries(
  db: Database,
  writes: readonly EntryWrite[],
  now: number,
  onEntry: (file: string) => void = () => {},
): IndexChange {
  const change = emptyChange();
  if (writes.length === 0) return change;
  db.transact(() => {
    for (const write of writes) {
      const { reading, existing } = write;
      onEntry(reading.file);
      if (write.scope === 'stamp') {
        db.run(
          'UPDATE entries SET mtime_ms = ?, size = ? WHERE id = ?',
          reading.mtimeMs,
          reading.size,
          existing!.id,
        );
        continue;
      }
      const isText = write.scope === 'text';
      const body = write.keptBody ?? reading.body;
      const columns = toColumns(write.pluginId, reading, existing, isText ? body : undefined);
      // A shown time should tell when the text changed, not when a flag did.
      const indexedAt = isText || existing === undefined ? now : existing.indexed_at;
      const id = putEntryRow(db, columns, reading, existing, indexedAt);
      if (isText) putEntryText(db, id, reading, body, existing !== undefined);
      const row = db.get<EntryRow>('SELECT * FROM entries WHERE id = ?', id)!;
      const plugin = db.get<PluginRow>('SELECT * FROM plugins WHERE id = ?', write.pluginId)!;
      change.entries.push(toEntry(row, toPlugin(plugin)));
    }
  });
  return change;
}

/** Delete a source with everything below it; vectors stay, so that a return embeds nothing. */
export function removeSource(db: Database, root: string): IndexChange {
  const change = emptyChange();
  db.transact(() => {
    const source = db.get<SourceRow>('SELECT * FROM sources WHERE root = ?', root);
    if (source === undefined) return;
    dropContents(db, source.id, change);
    db.run('DELETE FROM sources WHERE id = ?', source.id);
    change.removedSources.push(source.id);
  });
  return change;
}

/**
 * Keep a source that cannot be read now, and say why.
 *
 * @param isGone its directory does not exist: its entries must not be found any more
 */
export function noteUnreadable(
  db: Database,
  root: string,
  problem: Problem,
  isGone: boolean,
): IndexChange {
  const change = emptyChange();
  db.transact(() => {
    const source = db.get<SourceRow>('SELECT * FROM sources WHERE root = ?', root);
    if (source === undefined) return;
    if (isGone) dropContents(db, source.id, change);
    const problems = JSON.stringify([problem]);
    const isEmpty = change.removedPlugins.length === 0 && change.removedEntries.length === 0;
    if (problems === source.problems && isEmpty) return;
    // Counts of what is not there any more would go on being shown.
    const counts = isGone
      ? { found: '{}', loaded: '{}' }
      : { found: source.found, loaded: source.loaded };
    db.run(
      'UPDATE sources SET problems = ?, found = ?, loaded = ? WHERE id = ?',
      ...[problems, counts.found, counts.loaded, source.id],
    );
    change.sources.push(toSource({ ...source, ...counts, problems }));
  });
  return change;
}

/** Words, terms and chunks of entries whose text is in the index, made anew from the stored bodies. */
export function rewriteTexts(db: Database, ids: readonly number[]): IndexChange {
  const change = emptyChange();
  db.transact(() => {
    for (const id of ids) {
      const row = db.get<EntryRow>('SELECT * FROM entries WHERE id = ?', id);
      const stored = db.get<{ body: string }>('SELECT body FROM bodies WHERE entry_id = ?', id);
      if (row === undefined || stored === undefined) continue;
      const text = hashText(entryText(row.name, row.description, row.when_to_use));
      db.run('UPDATE entries SET text_hash = ? WHERE id = ?', text, id);
      const words = { name: row.name, description: row.description, whenToUse: row.when_to_use };
      putEntryText(db, id, words, stored.body, true);
      const plugin = db.get<PluginRow>('SELECT * FROM plugins WHERE id = ?', row.plugin_id)!;
      change.entries.push(toEntry({ ...row, text_hash: text }, toPlugin(plugin)));
    }
  });
  return change;
}

/**
 * Delete the vectors of texts that no entry and no chunk has, once there are more
 * than `kept` of them. Their age is not known, so all of them go.
 *
 * @returns how many were deleted
 */
export function pruneVectors(db: Database, kept: number): number {
  const unused = `FROM vectors
    WHERE text_hash NOT IN (SELECT text_hash FROM entries)
      AND text_hash NOT IN (SELECT text_hash FROM chunks)`;
  const found = db.get<{ count: number }>(`SELECT count(*) AS count ${unused}`)!.count;
  return found > kept ? db.run(`DELETE ${unused}`) : 0;
}

export function hashText(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function putSource(
  db: Database,
  root: IndexRoot,
  reading: CatalogReading,
  now: number,
  head: IndexChange,
): SourceRow {
  const columns = {
    root: root.root,
    kind: root.kind,
    format: reading.format,
    name: reading.name,
    description: reading.description,
    version: reading.version,
    owner: reading.owner === null ? null : JSON.stringify(reading.owner),
    external: JSON.stringify(reading.external),
    found: JSON.stringify(reading.found),
    loaded: JSON.stringify(reading.loaded),
    problems: JSON.stringify(reading.problems),
  };
  const existing = db.get<SourceRow>('SELECT * FROM sources WHERE root = ?', root.root);
  const isSame = existing !== undefined && existing.read_at !== null && holds(existing, columns);
  upsert(db, 'sources', 'root', {
    ...columns,
    watch: JSON.stringify(reading.watch),
    read_at: now,
  });
  const row = db.get<SourceRow>('SELECT * FROM sources WHERE root = ?', root.root)!;
  if (!isSame) head.sources.push(toSource(row));
  return row;
}

function putPlugin(
  db: Database,
  sourceId: number,
  plugin: PluginReading,
  existing: PluginRow | undefined,
  now: number,
  head: IndexChange,
): PluginRow {
  const columns = {
    source_id: sourceId,
    name: plugin.name,
    version: plugin.version,
    description: plugin.description,
    license: plugin.license,
    author: plugin.author === null ? null : JSON.stringify(plugin.author),
    format: plugin.format,
    root: plugin.root,
    source: plugin.source,
    components: JSON.stringify(plugin.components),
    ships_hooks_json: plugin.shipsHooksJson ? 1 : 0,
    ships_guardrails: plugin.shipsGuardrails ? 1 : 0,
    problems: JSON.stringify(plugin.problems),
    unusable: plugin.unusable === undefined ? null : JSON.stringify(plugin.unusable),
  };
  if (existing !== undefined && holds(existing, columns)) return existing;
  upsert(db, 'plugins', 'source_id, name', { ...columns, indexed_at: now });
  const row = db.get<PluginRow>(
    'SELECT * FROM plugins WHERE source_id = ? AND name = ?',
    sourceId,
    plugin.name,
  )!;
  head.plugins.push(toPlugin(row));
  return row;
}

/** The view and the rows key plugins by name; two of one name are told apart by their place. */
function nameApart(plugins: readonly PluginReading[]): PluginReading[] {
  const taken = new Set<string>();
  return plugins.map((plugin) => {
    let name = plugin.name;
    for (let n = 2; taken.has(name); n++) name = `${plugin.name}-${n}`;
    taken.add(name);
    if (name === plugin.name) return plugin;
    const problem: Problem = {
      severity: 'warning',
      file: plugin.root,
      message: `another plugin of this catalog is called "${plugin.name}" too; this one is listed as "${name}"`,
      fix: 'give one of them another name',
    };
    return { ...plugin, name, problems: [...plugin.problems, problem] };
  });
}

function entryRowsOf(db: Database, sourceId: number) {
  const rows = db.all<EntryRow>(
    'SELECT entries.* FROM entries JOIN plugins ON plugins.id = plugin_id WHERE source_id = ?',
    sourceId,
  );
  return {
    byKey: new Map(rows.map((row) => [entryKey(row.plugin_id, row.kind, row.name), row])),
    byFile: new Map(rows.map((row) => [row.file, row])),
  };
}

function entryKey(pluginId: number, kind: string, name: string): string {
  return `${pluginId}\n${kind}\n${name}`;
}

function scopeOf(
  entry: EntryReading,
  existing: EntryRow | undefined,
  pluginId: number,
  force: boolean,
): EntryWrite['scope'] | 'none' {
  if (existing === undefined || existing.file_hash !== entry.fileHash || force) return 'text';
  const columns = toColumns(pluginId, entry, existing, undefined);
  if (existing.text_hash !== columns.text_hash) return 'text';
  if (!holds(existing, columns)) return 'row';
  return existing.mtime_ms === entry.mtimeMs && existing.size === entry.size ? 'none' : 'stamp';
}

/** The stored body of a file that was not read again; undefined when the reading has it. */
function keptBody(
  db: Database,
  entry: EntryReading,
  byFile: ReadonlyMap<string, EntryRow>,
): string | undefined {
  if (entry.body !== '') return undefined;
  const row = byFile.get(entry.file);
  if (row === undefined || row.file_hash !== entry.fileHash) return undefined;
  return db.get<{ body: string }>('SELECT body FROM bodies WHERE entry_id = ?', row.id)?.body;
}

/** @param body undefined when the text is that of `existing` */
function toColumns(
  pluginId: number,
  entry: EntryReading,
  existing: EntryRow | undefined,
  body: string | undefined,
): EntryColumns {
  return {
    plugin_id: pluginId,
    kind: entry.kind,
    name: entry.name,
    declared_name: entry.declaredName,
    description: entry.description,
    when_to_use: entry.whenToUse,
    arguments: JSON.stringify(entry.arguments),
    argument_hint: entry.argumentHint,
    prompt_name: entry.promptName,
    searchable: entry.searchable ? 1 : 0,
    user_invocable: entry.userInvocable ? 1 : 0,
    takes_arguments:
      body === undefined ? existing!.takes_arguments : body.includes('$ARGUMENTS') ? 1 : 0,
    path: entry.path,
    file: entry.file,
    file_hash: entry.fileHash,
    text_hash: hashText(entryText(entry.name, entry.description, entry.whenToUse)),
    body_chars: body === undefined ? existing!.body_chars : body.length,
    problems: JSON.stringify(entry.problems),
  };
}

function putEntryRow(
  db: Database,
  columns: EntryColumns,
  reading: EntryReading,
  existing: EntryRow | undefined,
  indexedAt: number,
): number {
  upsert(db, 'entries', 'plugin_id, kind, name', {
    ...columns,
    mtime_ms: reading.mtimeMs,
    size: reading.size,
    indexed_at: indexedAt,
  });
  if (existing !== undefined) return existing.id;
  return db.get<{ id: number }>(
    'SELECT id FROM entries WHERE plugin_id = ? AND kind = ? AND name = ?',
    columns.plugin_id,
    columns.kind,
    columns.name,
  )!.id;
}

function putEntryText(
  db: Database,
  id: number,
  entry: Pick<EntryReading, 'name' | 'description' | 'whenToUse'>,
  body: string,
  isReplaced: boolean,
): void {
  db.run(
    'INSERT OR REPLACE INTO bodies (entry_id, body, terms) VALUES (?, ?, ?)',
    id,
    body,
    packWords(readWords(entry, body)),
  );
  if (isReplaced) {
    db.run('DELETE FROM entries_fts WHERE rowid = ?', id);
    db.run('DELETE FROM chunks WHERE entry_id = ?', id);
  }
  db.run(
    'INSERT INTO entries_fts (rowid, name, description, when_to_use, body) VALUES (?, ?, ?, ?, ?)',
    id,
    ftsText(entry.name),
    ftsText(entry.description),
    ftsText(entry.whenToUse ?? ''),
    ftsText(body.slice(0, BODY_CHARS_INDEXED)),
  );
  chunk(entry.name, body).forEach((text, position) => {
    db.run(
      'INSERT INTO chunks (entry_id, position, text_hash, text) VALUES (?, ?, ?, ?)',
      id,
      position,
      hashText(text),
      text,
    );
  });
}

function removeEntry(db: Database, id: number): void {
  db.run('DELETE FROM entries_fts WHERE rowid = ?', id);
  db.run('DELETE FROM entries WHERE id = ?', id);
}

function dropContents(db: Database, sourceId: number, change: IndexChange): void {
  for (const row of entryRowsOf(db, sourceId).byKey.values()) {
    removeEntry(db, row.id);
    change.removedEntries.push(row.id);
  }
  for (const { id } of db.all<{ id: number }>(
    'SELECT id FROM plugins WHERE source_id = ?',
    sourceId,
  )) {
    db.run('DELETE FROM plugins WHERE id = ?', id);
    change.removedPlugins.push(id);
  }
}

/** True when `row` has exactly these values. */
function holds(row: object, columns: Record<string, string | number | null>): boolean {
  return Object.entries(columns).every(
    ([column, value]) => (row as Record<string, unknown>)[column] === value,
  );
}

/** Insert, or update the row of the same key; a replaced row would lose its id and children. */
function upsert(db: Database, table: string, key: string, columns: Record<string, SqlValue>): void {
  const names = Object.keys(columns);
  const isKey = new Set(key.split(', '));
  const updates = names
    .filter((name) => !isKey.has(name))
    .map((name) => `${name} = excluded.${name}`);
  db.run(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})
     ON CONFLICT (${key}) DO UPDATE SET ${updates.join(', ')}`,
    ...Object.values(columns),
  );
}
