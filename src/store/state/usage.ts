import type { EntryKey } from './entry-key.ts';
import type { StateDatabase } from './state-database.ts';

export interface UsageRow extends EntryKey {
  sourceRoot: string;
  loads: number;
  lastUsedAt: number;
}

interface UsageColumns {
  source_root: string;
  plugin: string;
  kind: string;
  name: string;
  loads: number;
  last_used_at: number;
}

/** How often each entry was loaded. */
export class Usage {
  readonly #db: StateDatabase;

  constructor(db: StateDatabase) {
    this.#db = db;
  }

  /** The most loaded first. */
  all(): UsageRow[] {
    return this.#db
      .all<UsageColumns>('SELECT * FROM usage ORDER BY loads DESC, source_root, plugin, kind, name')
      .map((row) => ({
        sourceRoot: row.source_root,
        plugin: row.plugin,
        kind: row.kind,
        name: row.name,
        loads: row.loads,
        lastUsedAt: row.last_used_at,
      }));
  }

  /** Add loads to the counts; not a decision, so neither copied nor counted by the clock. */
  add(loads: readonly (EntryKey & { sourceRoot: string; loads: number })[]): void {
    if (loads.length === 0) return;
    this.#db.note((db) =>
      db.transact(() => {
        for (const row of loads) {
          db.run(
            `INSERT INTO usage (source_root, plugin, kind, name, loads, last_used_at)
             VALUES (?, ?, ?, ?, ?, ?)
             ON CONFLICT (source_root, plugin, kind, name) DO UPDATE
             SET loads = loads + excluded.loads, last_used_at = excluded.last_used_at`,
            row.sourceRoot,
            row.plugin,
            row.kind,
            row.name,
            row.loads,
            this.#db.now(),
          );
        }
      }),
    );
  }
}
