import { readEntryDecisions, writeEntryDecision } from './entry-decisions.ts';
import type { EntryKey } from './entry-key.ts';
import type { StateDatabase } from './state-database.ts';

export interface TierRow extends EntryKey {
  catalogId: number;
  tier: number;
}

/** The tiers of single entries that differ from their plugin's. */
export class Tiers {
  readonly #db: StateDatabase;

  constructor(db: StateDatabase) {
    this.#db = db;
  }

  of(workspaceId: number): TierRow[] {
    return readEntryDecisions(this.#db, 'tiers', workspaceId).map(({ value, ...entry }) => ({
      ...entry,
      tier: value,
    }));
  }

  /** Set the tiers of several entries; null puts an entry back to its plugin's. */
  set(rows: readonly (EntryKey & { catalogId: number; tier: number | null })[]): void {
    if (rows.length === 0) return;
    this.#db.change((db) => {
      for (const { tier, ...entry } of rows) {
        writeEntryDecision(db, 'tiers', { ...entry, value: tier });
      }
    });
  }
}
