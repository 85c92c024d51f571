import type { CatalogReading } from '../../catalog/types.ts';
import type { Database } from '../database.ts';
import { type SourceRow, toSource } from '../index-rows.ts';
import type { IndexChange } from '../index-view.ts';
import type { IndexRoot } from '../indexer-port.ts';
import { holds, upsert } from './upsert.ts';

/** Write the row of a root. @param head gets it, if it is not as it was */
export function putSource(
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
