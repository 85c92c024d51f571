import { LecternError, toLecternError } from '../../core/errors.ts';
import { MisplacedError } from '../../protocol/link/own-file.ts';
import { type Database, databaseFault, type SqlValue } from '../database.ts';
import { backUp, schemaVersion } from '../open-database.ts';
import { GLOBAL_WORKSPACE } from './global-workspace.ts';
import { StatePlace } from './state-place.ts';

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
  /** Open what stands at `path` now. */
  reopen: () => Database;
}

/** state.db was removed or replaced while it was open, and nothing was lost by it. */
export interface StateRescue {
  kind: 'written-back' | 'replaced';
  /** Where the decisions of a file that was replaced are; null when there were none. */
  copy: string | null;
}

/**
 * How often another file in the place of state.db is taken over in one life: on a
 * file system whose inode numbers change by themselves, each look would copy it.
 */
const MOST_TAKEN_OVER = 5;

/**
 * state.db as those who keep decisions in it see it: they read with `all` and
 * `get`, and write with `change` or `note`. It owns what each decision brings
 * along: one transaction, the copy before a burst, the clock, the listeners.
 */
export class StateDatabase {
  readonly now: () => number;
  #db: Database;
  readonly #path: string;
  readonly #backups: string;
  readonly #isReadOnly: boolean;
  readonly #listeners = new Set<() => void>();
  readonly #reopen: () => Database;
  readonly #place: StatePlace | undefined;
  readonly #rescues: StateRescue[] = [];
  #wasMissing = false;
  #takenOver = 0;
  #clock = 1;
  #backedUpAt = Number.NEGATIVE_INFINITY;

  constructor({ db, path, backups, now, isReadOnly, reopen }: StateDatabaseParts) {
    this.now = now;
    this.#db = db;
    this.#path = path;
    this.#backups = backups;
    this.#isReadOnly = isReadOnly;
    this.#reopen = reopen;
    this.#place = isReadOnly ? undefined : new StatePlace(path);
  }

  /** Grows with every decision, so that what is derived can be cached by it. */
  get clock(): number {
    return this.#clock;
  }

  get schemaVersion(): number {
    return schemaVersion(this.#db);
  }

  /** What `keepFile` has done in this life, oldest first. */
  get rescues(): readonly StateRescue[] {
    return this.#rescues;
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
      // What is changed was looked up in the former file: its numbers mean others in this one.
      if (this.keepFile(true)?.kind === 'replaced') {
        throw new LecternError('io', 'state.db was replaced by another file; nothing was changed', {
          next: 'try again',
        });
      }
      this.#backUpBeforeBurst();
      this.#db.transact(() => work(this.#db));
      if (this.#place?.hasLostLog) this.#db.emptyLog();
    } catch (error) {
      throw explainUnwritten(this.#path, error);
    }
    this.#tellChange();
  }

  /**
   * See that decisions are where the next life will look for them. A file that was
   * removed is written back; another one in its place was put there by somebody,
   * and holds from now on, while what was decided in the former is copied.
   *
   * @param isUrgent act at once; else a file must be missing twice, since whoever
   *   removes a whole state root, or replaces the file in two steps, is at it for a moment
   * @returns what was done; null when nothing had to be
   * @throws LecternError io, the file system's or the database's error; what is open serves on
   */
  keepFile(isUrgent = false): StateRescue | null {
    const place = this.#place;
    if (place === undefined) return null;
    const verdict = place.look();
    const wasMissing = this.#wasMissing;
    this.#wasMissing = verdict === 'missing';
    if (verdict === 'ours') {
      if (place.hasLostLog) this.#db.emptyLog();
      return null;
    }
    if (verdict === 'missing') {
      if (!isUrgent && !wasMissing) return null;
      if (place.writeBack(this.#db))
        return this.#moveOver(place, { kind: 'written-back', copy: null });
    }
    if (this.#takenOver >= MOST_TAKEN_OVER) return null;
    place.removeOwnLogs();
    const next = this.#reopen();
    this.#takenOver += 1;
    const copy = this.#hasDecisions() ? backUp(this.#db, this.#backups, 'replaced') : null;
    return this.#moveOver(place, { kind: 'replaced', copy }, next);
  }

  #moveOver(place: StatePlace, rescue: StateRescue, next = this.#reopen()): StateRescue {
    const former = this.#db;
    this.#db = next;
    place.take();
    this.#rescues.push(rescue);
    // SQLite sees that its file has moved, and leaves the log of the new one alone.
    former.close();
    this.#wasMissing = false;
    this.#tellChange();
    return rescue;
  }

  #tellChange(): void {
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
    if (this.#hasDecisions()) backUp(this.#db, this.#backups, 'before-change');
  }

  #hasDecisions(): boolean {
    return (
      this.#db.get('SELECT 1 AS found FROM catalogs LIMIT 1') !== undefined ||
      this.#db.get('SELECT 1 AS found FROM workspaces WHERE name <> ?', GLOBAL_WORKSPACE) !==
        undefined
    );
  }
}

/** A change that the disk refused: nothing of it was kept, and what was decided before still stands. */
function explainUnwritten(path: string, error: unknown): unknown {
  if (error instanceof LecternError || error instanceof MisplacedError)
    return toLecternError(error);
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
