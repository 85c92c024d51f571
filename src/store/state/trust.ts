import type { StateDatabase } from './state-database.ts';

export interface TrustRow {
  digest: string;
  /** What was looked at, for people: `<catalog>/<plugin>`. */
  subject: string;
  trustedAt: number;
}

interface TrustColumns {
  digest: string;
  subject: string;
  trusted_at: number;
}

/**
 * Content digests of plugin parts that may reach a host (design 4). No command
 * gives trust yet: what a version that does has given is exported with the rest.
 */
export class Trust {
  readonly #db: StateDatabase;

  constructor(db: StateDatabase) {
    this.#db = db;
  }

  /** Sorted by subject, then digest. */
  all(): TrustRow[] {
    return this.#db
      .all<TrustColumns>('SELECT * FROM trust ORDER BY subject, digest')
      .map((row) => ({ digest: row.digest, subject: row.subject, trustedAt: row.trusted_at }));
  }
}
