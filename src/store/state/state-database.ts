import { LecternError } from '../../core/errors.ts';
import { type Database, databaseFault, type SqlValue } from '../database.ts';
import { backUp, schemaVersion } from '../open-database.ts';
import { GLOBAL_WORKSPACE } from './global-workspace.ts';

/**
 * A burst of changes is copied once, as the state stood before its first one.
 * Ten minutes: longer than any setup session, so that the few copies kept reach
 * back to before it and not to a moment in its middle.
 */
const BACKUP_EVERY_MS = 10 * 60_000;

/** What a state database is made of; `openStateStore` puts it together. */
export interface StateDatabaseParts {
  /** Closed by the state database. */
  db: Database;
  /** Where people find it: absolute path of state.db. */
  path: string;
  /** Directory of the copies. */
  backups: string;
  /** Unix ms. */
  now: () => number;
  isReadOnly: boolean;
}

/**
 * state.db as those who keep decisions in it see it: they read with `all` and
 * `get`, and write with `change` or `note`. It owns what each decision brings
 * along: one transaction, the copy before a burst, the clock, the listeners.
 */
export class StateDatabase {
  readonly now: () => number;
  readonly #db: Database;
  readonly #path: string;
  readonly #backups: string;
  readonly #isReadOnly: boolean;
  readonly #listeners = new Set<() => void>();
  #clock = 1;
  #backedUpAt = Number.NEGATIVE_INFINITY;

  constructor({ db, path, backups, now, isReadOnly }: StateDatabaseParts) {
    this.now = now;
    this.#db = db;
    this.#path = path;
    this.#backups = backups;
    this.#isReadOnly = isReadOnly;
  }

  /** Grows with every decision, so that what is derived can be cached by it. */
  get clock(): number {
    return this.#clock;
  }

  get schemaVersion(): number {
    return schemaVersion(this.#db);
  }

  /** Called after each change of a decision. @returns stops it */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** See `Database.all`. */
  all<Row>(sql: string, ...values: SqlValue[]): Row[] {
    return this.#db.all<Row>(sql, ...values);
  }

  /** See `Database.get`. */
  get<Row>(sql: string, ...values: SqlValue[]): Row | undefined {
    return this.#db.get<Row>(sql, ...values);
  }

  /**
   * Write one decision, in one transaction.
   *
   * @throws LecternError io when the disk refuses it; then nothing of it is kept
   */
  change(work: (db: Database) => unknown): void {
    try {
      this.#backUpBeforeBurst();
      this.#db.transact(() => work(this.#db));
    } catch (error) {
      throw explainUnwritten(this.#path, error);
    }
    this.#clock++;
    for (const listener of this.#listeners) listener();
  }

  /** Write what is no decision: neither copied nor counted by the clock, left out when read-only. */
  note(work: (db: Database) => unknown): void {
    if (!this.#isReadOnly) work(this.#db);
  }

  close(): void {
    if (!this.#isReadOnly) this.#db.emptyLog();
    this.#db.close();
  }

  #backUpBeforeBurst(): void {
    const now = this.now();
    if (now - this.#backedUpAt < BACKUP_EVERY_MS) return;
    this.#backedUpAt = now;
    const hasDecisions =
      this.#db.get('SELECT 1 AS found FROM catalogs LIMIT 1') !== undefined ||
      this.#db.get('SELECT 1 AS found FROM workspaces WHERE name <> ?', GLOBAL_WORKSPACE) !==
        undefined;
    if (hasDecisions) backUp(this.#db, this.#backups, 'before-change');
  }
}

/** A change that the disk refused: nothing of it was kept, and what was decided before still stands. */
function explainUnwritten(path: string, error: unknown): unknown {
  const fault = (error as { code?: unknown }).code === 'EROFS' ? 'read-only' : databaseFault(error);
  const [why, next] =
    fault === 'full'
      ? ['the disk is full or failing', 'free some space, then try again']
      : fault === 'read-only'
        ? ['it is read-only', 'make it writable, then: lectern daemon restart']
        : fault === 'busy'
          ? ['another process holds it', 'try again']
          : [undefined, ''];
  if (why === undefined) return error;
  return new LecternError('io', `${path} cannot be written: ${why}`, { next, cause: error });
}
