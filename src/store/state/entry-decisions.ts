import type { Database, SqlValue } from '../database.ts';
import type { EntryKey } from './entry-key.ts';
import type { StateDatabase } from './state-database.ts';

/** The tables that decide one value of single entries, and the column of that value. */
const VALUE_OF = { exceptions: 'enabled', tiers: 'tier' } as const;

/** An entry of one enrolled catalog, with what was decided of it. */
export interface EntryDecision extends EntryKey {
  catalogId: number;
  value: number;
}

/** What was decided of the entries of a workspace, sorted by catalog, plugin, kind, name. */
export function readEntryDecisions(
  db: StateDatabase,
  table: keyof typeof VALUE_OF,
  workspaceId: number,
): EntryDecision[] {
  return db.all<EntryDecision>(
    `SELECT d.catalog_id AS catalogId, d.plugin, d.kind, d.name, d.${VALUE_OF[table]} AS value
     FROM ${table} d JOIN catalogs c ON c.id = d.catalog_id
     WHERE c.workspace_id = ? ORDER BY c.name, d.plugin, d.kind, d.name`,
    workspaceId,
  );
}

/** Decide anew of one entry, within a change; null leaves it to its plugin again. */
export function writeEntryDecision(
  db: Database,
  table: keyof typeof VALUE_OF,
  { catalogId, plugin, kind, name, value }: Omit<EntryDecision, 'value'> & { value: number | null },
): void {
  const key: SqlValue[] = [catalogId, plugin, kind, name];
  db.run(
    `DELETE FROM ${table} WHERE catalog_id = ? AND plugin = ? AND kind = ? AND name = ?`,
    ...key,
  );
  if (value === null) return;
  db.run(
    `INSERT INTO ${table} (catalog_id, plugin, kind, name, ${VALUE_OF[table]})
     VALUES (?, ?, ?, ?, ?)`,
    ...key,
    value,
  );
}
