import type { EntryReading } from '../../catalog/types.ts';
import type { Database } from '../database.ts';
import { type EntryRow, type PluginRow, toEntry, toPlugin } from '../index-rows.ts';
import { emptyChange, type IndexChange } from '../index-view.ts';
import { type EntryColumns, toColumns } from './entry-columns.ts';
import { putEntryText } from './entry-text.ts';
import { upsert } from './upsert.ts';

export interface EntryWrite {
  pluginId: number;
  reading: EntryReading;
  existing: EntryRow | undefined;
  /** `text`: words, chunks and body too; `row`: only the row; `stamp`: only mtime and size. */
  scope: 'text' | 'row' | 'stamp';
  /** The body, where `reading` has none because its file was not read again. */
  keptBody: string | undefined;
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
