import type { Database } from '../database.ts';
import type { SourceRow } from '../index-rows.ts';
import { emptyChange, type IndexChange } from '../index-view.ts';
import { entryRowsOf, removeEntry } from './entry-rows.ts';

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

/** Delete the plugins and entries of a source, whose own row stays. @param change gets their ids */
export function dropContents(db: Database, sourceId: number, change: IndexChange): void {
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
