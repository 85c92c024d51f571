import type { SqlValue } from '../database.ts';
import type { EntryKey } from './entry-key.ts';
import type { StateDatabase } from './state-database.ts';

export interface TierRow extends EntryKey {
  catalogId: number;
  tier: number;
}

interface TierColumns {
  catalog_id: number;
  plugin: string;
  kind: string;
  name: string;
  tier: number;
}

/** The tiers of single entries that differ from their plugin's. */
export class Tiers {
  readonly #db: StateDatabase;

  constructor(db: StateDatabase) {
    this.#db = db;
  }

  of(workspaceId: number): TierRow[] {
    return this.#db
      .all<TierColumns>(
        `SELECT t.* FROM tiers t JOIN catalogs c ON c.id = t.catalog_id
         WHERE c.workspace_id = ? ORDER BY c.name, t.plugin, t.kind, t.name`,
        workspaceId,
      )
      .map((row) => ({
        catalogId: row.catalog_id,
        plugin: row.plugin,
        kind: row.kind,
        name: row.name,
        tier: row.tier,
      }));
  }

  /** Set the tiers of several entries; null puts an entry back to its plugin's. */
  set(rows: readonly (EntryKey & { catalogId: number; tier: number | null })[]): void {
    if (rows.length === 0) return;
    this.#db.change((db) => {
      for (const row of rows) {
        const key: SqlValue[] = [row.catalogId, row.plugin, row.kind, row.name];
        db.run(
          'DELETE FROM tiers WHERE catalog_id = ? AND plugin = ? AND kind = ? AND name = ?',
          ...key,
        );
        if (row.tier === null) continue;
        db.run(
          'INSERT INTO tiers (catalog_id, plugin, kind, name, tier) VALUES (?, ?, ?, ?, ?)',
          ...key,
          row.tier,
        );
      }
    });
  }
}
