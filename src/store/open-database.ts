import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { LecternError } from '../core/errors.ts';
import { makeOwnDirectory, refuseMisplaced } from '../protocol/link/own-file.ts';
import { Database, databaseFault } from './database.ts';

/**
 * How long a statement waits for another connection's lock. Our writers hold it
 * for single batches (tens of ms); a checkpoint of a large log may take seconds.
 */
const BUSY_MS = 5_000;

/** Copies kept per database; older ones are deleted. */
const BACKUPS_KEPT = 3;

/** Damaged files kept for a report; each may be as large as the index. */
const SET_ASIDE_KEPT = 2;

export interface WriteOptions {
  /** Numbered from 1 by position; a released step is never edited. */
  migrations: readonly string[];
  /** Where the state is copied to before a migration; omit for what can be recomputed. */
  backups?: string;
}

/**
 * Open a database for writing (WAL, foreign keys on) and bring its schema up to date.
 *
 * @throws LecternError schema_too_new, schema_migration
 * @throws MisplacedError where it or its log is no file
 * @throws SqliteError when it cannot be opened: see `databaseFault`
 */
export function openForWriting(path: string, options: WriteOptions): Database {
  for (const file of filesOf(path)) refuseMisplaced(file);
  createPrivately(path);
  const db = new Database(path);
  try {
    db.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
    db.exec('PRAGMA journal_mode = WAL');
    // In WAL mode NORMAL survives every crash of the process; only a power cut may lose the last commits.
    db.exec('PRAGMA synchronous = NORMAL');
    db.exec('PRAGMA foreign_keys = ON');
    migrate(db, options);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** A database and what SQLite keeps beside it while it is open. */
export function filesOf(path: string): string[] {
  return ['', '-wal', '-shm'].map((suffix) => path + suffix);
}

/**
 * SQLite would create the file readable for all; its log gets the mode of the file.
 * An existing file is not opened here: closing it would drop this process's locks.
 */
function createPrivately(path: string): void {
  if (path === ':memory:' || existsSync(path)) return;
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch {
    // SQLite will say what is wrong with the place, in its own terms.
  }
}

/**
 * Open a database for reading. `query_only` instead of libsql's `readonly`, which still writes.
 * On a read-only mount a database that was closed cleanly opens as immutable.
 *
 * @throws MisplacedError where it or its log is no file
 * @throws SqliteError when it cannot be opened
 */
export function openForReading(path: string): Database {
  for (const file of filesOf(path)) refuseMisplaced(file);
  let db: Database | undefined;
  try {
    db = new Database(path);
    db.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
    db.exec('PRAGMA query_only = ON');
    db.get('SELECT count(*) AS tables FROM sqlite_master');
    return db;
  } catch (error) {
    db?.close();
    if (databaseFault(error) !== 'read-only' || sizeOf(`${path}-wal`) > 0) throw error;
    return new Database(`${toFileUri(path)}?immutable=1`);
  }
}

/** The number of migrations that a database has had. */
export function schemaVersion(db: Database): number {
  return db.get<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0;
}

/**
 * Run the steps that a database lacks, each in a transaction of its own with its number.
 *
 * @throws LecternError schema_too_new when it has had steps that are not ours
 * @throws LecternError schema_migration when a step fails; the steps before it are kept
 */
export function migrate(db: Database, options: WriteOptions): void {
  const from = schemaVersion(db);
  const steps = options.migrations;
  if (from > steps.length) {
    throw new LecternError(
      'schema_too_new',
      `${db.path} has schema ${from}; this lectern knows ${steps.length}`,
    );
  }
  if (from === steps.length) return;
  if (from > 0 && options.backups !== undefined) backUp(db, options.backups, `schema-${from}`);
  for (let version = from + 1; version <= steps.length; version++) {
    try {
      db.transact(() => {
        db.exec(steps[version - 1]!);
        db.exec(`PRAGMA user_version = ${version}`);
      });
    } catch (error) {
      if (databaseFault(error) !== 'other') throw error;
      throw new LecternError(
        'schema_migration',
        `${db.path}: step ${version} failed: ${(error as Error).message}`,
        { cause: error },
      );
    }
  }
}

/**
 * Copy a database as of now into `dir`, and delete all but the newest few of its copies.
 * The copy is complete or absent: it gets its name when it is finished.
 *
 * @param why part of the file name, [a-z0-9-]
 * @returns the copy's path
 */
export function backUp(db: Database, dir: string, why: string): string {
  makeOwnDirectory(dir);
  const stem = basename(db.path);
  const copy = join(dir, `${stem}.${stamp()}.${why}`);
  const unfinished = `${copy}.part`;
  rmSync(unfinished, { force: true });
  // An expression is allowed after INTO; a parameter keeps quotes in paths harmless.
  db.run('VACUUM INTO ?', unfinished);
  renameSync(unfinished, copy);
  keepNewest(dir, `${stem}.`, BACKUPS_KEPT);
  return copy;
}

/** What `PRAGMA quick_check` finds wrong; empty when nothing is. */
export function findDamage(db: Database): string[] {
  return db
    .all<{ quick_check: string }>('PRAGMA quick_check(10)')
    .map((row) => row.quick_check)
    .filter((line) => line !== 'ok');
}

/**
 * Move a damaged database, or what stands in its place, out of the way, with its
 * log, so that it can be made anew. Every connection to it must be closed.
 *
 * @returns where it went
 */
export function setAside(path: string): string {
  const aside = `${path}.damaged-${stamp()}`;
  for (const suffix of ['', '-wal', '-shm']) {
    if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
  }
  keepNewest(dirname(path), `${basename(path)}.damaged-`, SET_ASIDE_KEPT);
  return aside;
}

/** Sorts by time as text, and never repeats within a process. */
function stamp(): string {
  const time = new Date().toISOString().replace(/[-:.]/g, '');
  return `${time}-${String(stampsMade++).padStart(4, '0')}`;
}
let stampsMade = 0;

function keepNewest(dir: string, prefix: string, kept: number): void {
  const isLog = /-(wal|shm)$/;
  const copies = readdirSync(dir).filter((name) => name.startsWith(prefix) && !isLog.test(name));
  for (const name of copies.sort().slice(0, -kept)) {
    for (const file of filesOf(join(dir, name))) {
      // A directory that stood in its place may be somebody's.
      if (!statSync(file, { throwIfNoEntry: false })?.isDirectory()) rmSync(file, { force: true });
    }
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function toFileUri(path: string): string {
  return `file:${path.replace(/[%?#]/g, (sign) => encodeURIComponent(sign))}`;
}
