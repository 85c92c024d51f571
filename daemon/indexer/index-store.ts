import { LecternError } from '../../src/core/errors.ts';
import { VERSION } from '../../src/core/version.ts';
import { CHUNKER_VERSION } from '../../src/search/chunks.ts';
import { TOKENISER_VERSION } from '../../src/search/tokenise.ts';
import { WORDS_FORMAT } from '../../src/search/words.ts';
import { type Database, databaseFault } from '../../src/store/database.ts';
import { findPlace } from '../../src/store/file-place.ts';
import { INDEX_MIGRATIONS } from '../../src/store/index-schema.ts';
import type { IndexChange } from '../../src/store/index-view.ts';
import { rewriteTexts } from '../../src/store/index-write/entry-text.ts';
import { findDamage, openForWriting } from '../../src/store/open-database.ts';

/** Entries whose words are made anew in one transaction: some 50 ms of work. */
const REWRITE_BATCH = 32;

const REBUILT = 'the index was damaged, removed or replaced, and is being made anew';

export interface StoreEvents {
  /** The state or its detail changed. */
  onState(): void;
  /** The database is damaged and closed; it has to be made anew by whoever owns all connections. */
  onDamage(reason: string): void;
}

/**
 * The indexer's connection: the only one that writes. When the disk is full or
 * the state cannot be written, it says so and is tried again with each write.
 */
export class IndexStore {
  readonly #path: string;
  readonly #events: StoreEvents;
  #db: Database | undefined;
  #place: string | null | undefined;
  /** Set while the damaged file is being replaced: nobody may open it meanwhile. */
  #isDamaged = false;
  #isClosed = false;
  #state: 'ready' | 'rebuilding' | 'read-only' = 'ready';
  #detail: string | null = null;

  constructor(path: string, events: StoreEvents) {
    this.#path = path;
    this.#events = events;
  }

  get state(): 'ready' | 'rebuilding' | 'read-only' {
    return this.#state;
  }

  get detail(): string | null {
    return this.#detail;
  }

  /**
   * Do one write.
   *
   * @throws LecternError io when nothing can be written now (retryable by the caller later)
   */
  write<T>(work: (db: Database) => T): T {
    if (this.#isClosed) throw new LecternError('interrupted', 'the index is closed');
    if (this.#isDamaged) throw new LecternError('io', 'the index is being made anew');
    try {
      const result = work(this.#open());
      this.#become(this.#state === 'rebuilding' ? 'rebuilding' : 'ready', null);
      return result;
    } catch (error) {
      throw this.#explain(error);
    }
  }

  /**
   * Read with the writing connection; undefined while there is none.
   *
   * @throws LecternError io
   */
  read<T>(work: (db: Database) => T): T | undefined {
    if (this.#isDamaged || this.#isClosed) return undefined;
    try {
      return work(this.#open());
    } catch (error) {
      if (databaseFault(error) === 'corrupt') throw this.#explain(error);
      return undefined;
    }
  }

  /** True when a root has rows. */
  hasSource(root: string): boolean {
    return this.read((db) => db.get('SELECT 1 FROM sources WHERE root = ?', root)) !== undefined;
  }

  /** All roots have been read since the index was made anew. */
  endRebuild(): void {
    if (this.#state === 'rebuilding') this.#become('ready', null);
  }

  /** Its file was removed or replaced: it has to be made anew, unless that has happened. */
  lose(): void {
    if (this.#db === undefined || this.#isDamaged || findPlace(this.#path) === this.#place) return;
    this.#declareDamaged('it was removed or replaced while the daemon ran');
  }

  /** The damaged file is out of the way: all roots have to be read again. */
  reopen(): void {
    this.#isDamaged = false;
    this.#become('rebuilding', REBUILT);
  }

  /** What the integrity check finds wrong. Takes about a second for 300 MB. */
  verify(): string[] {
    try {
      const damage = this.read(findDamage) ?? [];
      if (damage.length > 0) this.#declareDamaged(damage[0]!);
      return damage;
    } catch (error) {
      // Too damaged to be checked; `read` has declared it.
      return [(error as Error).message];
    }
  }

  /** True when the last life did not close the database, so that it should be checked. */
  beginLife(): boolean {
    return this.write((db) => {
      const wasOpen = getMeta(db, 'open') === 'yes';
      setMeta(db, 'open', 'yes');
      return wasOpen;
    });
  }

  /**
   * True when entries may be taken over from their rows: the same lectern read them.
   * Another version may read the same file otherwise.
   */
  isReaderCurrent(): boolean {
    return this.read((db) => getMeta(db, 'reader') === VERSION) ?? true;
  }

  stampReader(): void {
    this.write((db) => setMeta(db, 'reader', VERSION));
  }

  /**
   * Make words and chunks anew where they were cut by another version; yields between batches.
   *
   * @param onChange told each batch, since what is in memory is of the other version too
   */
  async refreshTexts(
    pause: () => Promise<void>,
    onChange: (change: IndexChange) => void,
  ): Promise<void> {
    const versions = `${TOKENISER_VERSION}.${CHUNKER_VERSION}.${WORDS_FORMAT}`;
    const isCurrent = this.read((db) => getMeta(db, 'texts') === versions) ?? true;
    if (isCurrent) return;
    const ids = this.read((db) => db.all<{ id: number }>('SELECT id FROM entries')) ?? [];
    for (let at = 0; at < ids.length; at += REWRITE_BATCH) {
      const batch = ids.slice(at, at + REWRITE_BATCH).map((row) => row.id);
      onChange(this.write((db) => rewriteTexts(db, batch)));
      await pause();
    }
    this.write((db) => setMeta(db, 'texts', versions));
  }

  close(): void {
    this.#isClosed = true;
    const db = this.#db;
    this.#db = undefined;
    if (db === undefined) return;
    try {
      setMeta(db, 'open', 'no');
    } catch {
      // A full or read-only disk: the next life will check the index, nothing worse.
    }
    db.emptyLog();
    db.close();
  }

  #open(): Database {
    if (this.#db === undefined) {
      this.#db = openForWriting(this.#path, { migrations: INDEX_MIGRATIONS });
      this.#place = findPlace(this.#path);
    }
    return this.#db;
  }

  #explain(error: unknown): LecternError {
    if (error instanceof LecternError) return error;
    const fault = databaseFault(error);
    const message = (error as Error).message;
    if (fault === 'corrupt') {
      this.#declareDamaged(message);
      return new LecternError('index_integrity_check_failure', `the index is damaged: ${message}`);
    }
    if (fault === 'other') {
      return new LecternError('internal', `the index refused a write: ${message}`, {
        cause: error,
      });
    }
    const reason =
      fault === 'full'
        ? 'the disk is full or failing'
        : fault === 'busy'
          ? 'another process holds it'
          : // SQLite remembers a read-only log for as long as the process lives.
            'its directory or file is read-only; restart the daemon once that is mended';
    // A connection opened on a read-only file stays so when the file becomes writable.
    if (fault === 'read-only') this.#dropConnection();
    this.#become('read-only', `the index cannot be written: ${reason} (${message})`);
    return new LecternError('io', `the index cannot be written: ${reason}`, {
      next: fault === 'full' ? 'free some space, then try again' : 'lectern doctor',
      cause: error,
    });
  }

  #declareDamaged(reason: string): void {
    this.#dropConnection();
    this.#isDamaged = true;
    this.#become('rebuilding', REBUILT);
    this.#events.onDamage(reason);
  }

  #dropConnection(): void {
    this.#db?.close();
    this.#db = undefined;
  }

  #become(state: 'ready' | 'rebuilding' | 'read-only', detail: string | null): void {
    const kept = state === 'rebuilding' && detail === null ? this.#detail : detail;
    if (state === this.#state && kept === this.#detail) return;
    this.#state = state;
    this.#detail = kept;
    this.#events.onState();
  }
}

function getMeta(db: Database, key: string): string | undefined {
  return db.get<{ value: string }>('SELECT value FROM meta WHERE key = ?', key)?.value;
}

function setMeta(db: Database, key: string, value: string): void {
  db.run(
    'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
    key,
    value,
  );
}
