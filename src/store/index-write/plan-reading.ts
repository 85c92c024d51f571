import type { CatalogReading, EntryReading } from '../../catalog/types.ts';
import type { Database } from '../database.ts';
import type { EntryRow, PluginRow } from '../index-rows.ts';
import { emptyChange, type IndexChange } from '../index-view.ts';
import type { IndexRoot } from '../indexer-port.ts';
import { toColumns } from './entry-columns.ts';
import { entryKey, entryRowsOf, removeEntry } from './entry-rows.ts';
import { nameApart } from './name-apart.ts';
import { putPlugin } from './put-plugin.ts';
import { putSource } from './put-source.ts';
import { holds } from './upsert.ts';
import type { EntryWrite } from './write-entries.ts';

/** How one reading differs from the rows of its root, counted as library contract 3.9 does. */
export interface ReadingCounts {
  added: number;
  modified: number;
  removed: number;
  unchanged: number;
}

/** The writes that bring a root's rows to a reading, after its head is written. */
export interface ReadingPlan {
  sourceId: number;
  head: IndexChange;
  counts: ReadingCounts;
  writes: EntryWrite[];
}

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
