import { closeSync, existsSync, openSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { LecternError, toLecternError } from '../../core/errors.ts';
import { MisplacedError, refuseMisplaced } from '../../protocol/link/own-file.ts';
import { type Database, databaseFault } from '../database.ts';
import { openForReading, openForWriting } from '../open-database.ts';
import { GLOBAL_WORKSPACE } from './global-workspace.ts';
import { StateDatabase } from './state-database.ts';
import { STATE_MIGRATIONS } from './state-schema.ts';
import { StateStore } from './state-store.ts';

export interface StateStoreOptions {
  /** Absolute path of state.db. */
  path: string;
  /** Directory of the copies. */
  backups: string;
  /** Unix ms; replaced in tests. */
  now?: () => number;
  /** Open without writing (a session without a daemon, a read-only home). */
  readOnly?: boolean;
}

/**
 * Open state.db, make it if it is absent, and see that `global` exists.
 *
 * @throws LecternError schema_too_new, schema_migration; io when it is damaged or cannot be opened
 */
export function openStateStore({
  path,
  backups,
  now = Date.now,
  readOnly: isReadOnly = false,
}: StateStoreOptions): StateStore {
  const open = () => {
    try {
      return openFile(path, backups, now, isReadOnly);
    } catch (error) {
      throw explainUnusable(path, backups, error);
    }
  };
  return new StateStore(
    new StateDatabase({ db: open(), path, backups, now, isReadOnly, reopen: open }),
  );
}

function openFile(path: string, backups: string, now: () => number, isReadOnly: boolean): Database {
  refuseMisplaced(path);
  const isAbsent = !existsSync(path);
  // An empty file is a new database to SQLite: every decision would be lost without a word.
  if (!isAbsent && statSync(path).size === 0 && newestCopy(path, backups) !== undefined) {
    throw new Error('it is empty');
  }
  if (isReadOnly && !isAbsent) return openForReading(path);
  // Library contract 1.1: files of ours are the user's alone; SQLite gives its log the same mode.
  if (isAbsent && !isReadOnly) closeSync(openSync(path, 'a', 0o600));
  const db = openForWriting(isReadOnly ? ':memory:' : path, {
    migrations: STATE_MIGRATIONS,
    backups,
  });
  db.run(
    'INSERT INTO workspaces (name, created_at) VALUES (?, ?) ON CONFLICT (name) DO NOTHING',
    GLOBAL_WORKSPACE,
    now(),
  );
  return db;
}

/** What people decided is never replaced unasked (design 6): the error says what they can do. */
function explainUnusable(path: string, backups: string, error: unknown): LecternError {
  if (error instanceof LecternError) return error;
  if (error instanceof MisplacedError) return toLecternError(error);
  const copy = newestCopy(path, backups);
  const mend =
    copy === undefined
      ? `mv ${path} ${path}.damaged (what was decided is in it)`
      : `rm -f ${path}-wal ${path}-shm && cp ${copy} ${path}`;
  return new LecternError('io', `${path} cannot be used: ${(error as Error).message}`, {
    next: isOfPlace(error)
      ? 'check that it is a file of yours that you may write, then: lectern daemon restart'
      : `${mend}, then: lectern daemon restart`,
    cause: error,
  });
}

/** The fault lies with the place, not with the content. */
function isOfPlace(error: unknown): boolean {
  return /^(?:read-only|full|busy)$/.test(databaseFault(error));
}

/** The newest of the copies that changes left, if there is one. */
function newestCopy(path: string, backups: string): string | undefined {
  if (!existsSync(backups)) return undefined;
  const prefix = `${basename(path)}.`;
  const copies = readdirSync(backups).filter(
    (name) => name.startsWith(prefix) && !/(?:\.part|-wal|-shm)$/.test(name),
  );
  const newest = copies.sort().at(-1);
  return newest === undefined ? undefined : join(backups, newest);
}
