import { chmodSync, linkSync, renameSync, rmSync } from 'node:fs';
import type { Database } from '../database.ts';
import { findPlace } from '../file-place.ts';

/** What became of state.db's place under an open connection. */
export type PlaceVerdict = 'ours' | 'missing' | 'replaced';

/**
 * Where an open state.db stands. A connection goes on in a file that was removed
 * or replaced without noticing, and all that is decided then ends with it.
 */
export class StatePlace {
  readonly #path: string;
  #file: string | null | undefined;
  #log: string | null | undefined;
  #shared: string | null | undefined;

  /** @param path of a database that was opened and read just now */
  constructor(path: string) {
    this.#path = path;
    this.take();
  }

  /** What stands there now is what is open. */
  take(): void {
    this.#file = findPlace(this.#path);
    this.#log = findPlace(`${this.#path}-wal`);
    this.#shared = findPlace(`${this.#path}-shm`);
  }

  look(): PlaceVerdict {
    const now = findPlace(this.#path);
    // What cannot be told now proves nothing.
    if (now === undefined || this.#file === undefined || now === this.#file) return 'ours';
    return now === null ? 'missing' : 'replaced';
  }

  /** Decisions go into a log that nobody will find, until it is moved into the database. */
  get hasLostLog(): boolean {
    const now = findPlace(`${this.#path}-wal`);
    if (now === undefined) return false;
    this.#log ??= now;
    return now !== this.#log;
  }

  /** A log beside another database would be taken for that one's, and spoil it. */
  removeOwnLogs(): void {
    for (const [suffix, own] of [
      ['-wal', this.#log],
      ['-shm', this.#shared],
    ] as const) {
      const path = this.#path + suffix;
      if (own != null && findPlace(path) === own) rmSync(path, { force: true });
    }
  }

  /**
   * Put the content of `db` where its file was removed.
   *
   * @returns false when another file has come there meanwhile, which stays
   * @throws the database's or the file system's error
   */
  writeBack(db: Database): boolean {
    const part = `${this.#path}.part`;
    rmSync(part, { force: true });
    try {
      db.run('VACUUM INTO ?', part);
      chmodSync(part, 0o600);
      this.removeOwnLogs();
      return putUnlessTaken(part, this.#path);
    } finally {
      rmSync(part, { force: true });
    }
  }
}

function putUnlessTaken(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    // A file system without links.
    renameSync(from, to);
    return true;
  }
}
