import type { Database } from '../database.ts';
import type { EntryRow } from '../index-rows.ts';

/** The entries of a source by their key and by their file. */
export function entryRowsOf(db: Database, sourceId: number) {
  const rows = db.all<EntryRow>(
    'SELECT entries.* FROM entries JOIN plugins ON plugins.id = plugin_id WHERE source_id = ?',
    sourceId,
  );
  return {
    byKey: new Map(rows.map((row) => [entryKey(row.plugin_id, row.kind, row.name), row])),
    byFile: new Map(rows.map((row) => [row.file, row])),
  };
}

/** What tells the entries of one source apart. */
export function entryKey(pluginId: number, kind: string, name: string): string {
  return `${pluginId}\n${kind}\n${name}`;
}

/** Delete an entry with its words; its chunks and body go with its row. */
export function removeEntry(db: Database, id: number): void {
  db.run('DELETE FROM entries_fts WHERE rowid = ?', id);
  db.run('DELETE FROM entries WHERE id = ?', id);
}
