import type { Problem } from '../../catalog/types.ts';
import type { Database } from '../database.ts';
import { type SourceRow, toSource } from '../index-rows.ts';
import { emptyChange, type IndexChange } from '../index-view.ts';
import { dropContents } from './remove-source.ts';

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
