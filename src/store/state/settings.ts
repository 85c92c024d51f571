import type { StateDatabase } from './state-database.ts';

export interface SettingRow {
  key: string;
  value: string;
}

/** Single values that were decided once for all workspaces. */
export class Settings {
  readonly #db: StateDatabase;

  constructor(db: StateDatabase) {
    this.#db = db;
  }

  /** Sorted by key. */
  all(): SettingRow[] {
    return this.#db.all<SettingRow>('SELECT * FROM settings ORDER BY key');
  }

  set(key: string, value: string): void {
    this.#db.change((db) =>
      db.run(
        `INSERT INTO settings (key, value) VALUES (?, ?)
         ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
        key,
        value,
      ),
    );
  }
}
