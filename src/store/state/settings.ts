import type { StateDatabase } from './state-database.ts';

export interface SettingRow {
  key: string;
  value: string;
}

/**
 * Single values that were decided once for all workspaces. No command sets one
 * yet: what a version that does has set is exported with the rest.
 */
export class Settings {
  readonly #db: StateDatabase;

  constructor(db: StateDatabase) {
    this.#db = db;
  }

  /** Sorted by key. */
  all(): SettingRow[] {
    return this.#db.all<SettingRow>('SELECT * FROM settings ORDER BY key');
  }
}
