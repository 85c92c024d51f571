import { readEntryDecisions, writeEntryDecision } from './entry-decisions.ts';
import type { EntryKey } from './entry-key.ts';
import type { StateDatabase } from './state-database.ts';

export interface EnabledPluginRow {
  catalogId: number;
  plugin: string;
  enabledAt: number;
  tier: number;
}

export interface ExceptionRow extends EntryKey {
  catalogId: number;
  enabled: boolean;
}

interface PluginColumns {
  catalog_id: number;
  plugin: string;
  enabled_at: number;
  tier: number;
}

/** What is switched on: whole plugins, with single entries that differ from theirs. */
export class Enablement {
  readonly #db: StateDatabase;

  constructor(db: StateDatabase) {
    this.#db = db;
  }

  /** The enabled plugins of a workspace, sorted by catalog, then name. */
  pluginsOf(workspaceId: number): EnabledPluginRow[] {
    return this.#db
      .all<PluginColumns>(
        `SELECT p.* FROM plugins p JOIN catalogs c ON c.id = p.catalog_id
         WHERE c.workspace_id = ? ORDER BY c.name, p.plugin`,
        workspaceId,
      )
      .map((row) => ({
        catalogId: row.catalog_id,
        plugin: row.plugin,
        enabledAt: row.enabled_at,
        tier: row.tier,
      }));
  }

  /** Enable several plugins at once; one that is enabled keeps its time and takes the tier. */
  enable(plugins: readonly { catalogId: number; plugin: string; tier: number }[]): void {
    if (plugins.length === 0) return;
    this.#db.change((db) => {
      for (const { catalogId, plugin, tier } of plugins) {
        // What was switched off on its own stays off; a plugin enabled anew has no other leftovers.
        db.run(
          'DELETE FROM exceptions WHERE catalog_id = ? AND plugin = ? AND enabled = 1',
          catalogId,
          plugin,
        );
        db.run(
          `INSERT INTO plugins (catalog_id, plugin, enabled_at, tier) VALUES (?, ?, ?, ?)
           ON CONFLICT (catalog_id, plugin) DO UPDATE SET tier = excluded.tier`,
          catalogId,
          plugin,
          this.#db.now(),
          tier,
        );
      }
    });
  }

  /** Disable several plugins at once; their exceptions end. */
  disable(plugins: readonly { catalogId: number; plugin: string }[]): void {
    if (plugins.length === 0) return;
    this.#db.change((db) => {
      for (const { catalogId, plugin } of plugins) {
        db.run('DELETE FROM plugins WHERE catalog_id = ? AND plugin = ?', catalogId, plugin);
        db.run('DELETE FROM exceptions WHERE catalog_id = ? AND plugin = ?', catalogId, plugin);
      }
    });
  }

  /** The entries of a workspace that differ from their plugin. */
  exceptionsOf(workspaceId: number): ExceptionRow[] {
    return readEntryDecisions(this.#db, 'exceptions', workspaceId).map(({ value, ...entry }) => ({
      ...entry,
      enabled: value === 1,
    }));
  }

  /** Make an entry differ from its plugin; null ends the exception. */
  setException(catalogId: number, entry: EntryKey, enabled: boolean | null): void {
    const value = enabled === null ? null : Number(enabled);
    this.#db.change((db) => writeEntryDecision(db, 'exceptions', { ...entry, catalogId, value }));
  }
}
