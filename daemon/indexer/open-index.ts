import { LecternError } from '../../src/core/errors.ts';
import { MisplacedError } from '../../src/protocol/link/own-file.ts';
import { type Database, databaseFault } from '../../src/store/database.ts';
import { loadIndexView } from '../../src/store/index-rows.ts';
import { INDEX_MIGRATIONS } from '../../src/store/index-schema.ts';
import type { LiveIndexView } from '../../src/store/index-view.ts';
import { openForReading, openForWriting, setAside } from '../../src/store/open-database.ts';
import type { IndexerLog } from './log.ts';

/**
 * The index as the last life left it, its schema up to date. A damaged one, or
 * what stands in its place and is no file, is set aside, and it starts empty; one that cannot be written is read as it is.
 *
 * @throws LecternError schema_too_new, io when there is no index and none can be made
 */
export function openIndex(path: string, log: IndexerLog): { db: Database; view: LiveIndexView } {
  for (let attempt = 1; ; attempt++) {
    let db: Database | undefined;
    try {
      prepare(path, log);
      db = openForReading(path);
      return { db, view: loadIndexView(db) };
    } catch (error) {
      db?.close();
      if (!isMendedAnew(error) || attempt === 2) throw explain(path, error);
      moveDamagedAside(path, (error as Error).message, log);
    }
  }
}

/** Everything in the index can be computed again, so what cannot be used makes room. */
function isMendedAnew(error: unknown): boolean {
  return databaseFault(error) === 'corrupt' || error instanceof MisplacedError;
}

/** Set the damaged file aside and open an empty index in its place; its connections are closed. */
export function openAnew(path: string, reason: string, log: IndexerLog): Database {
  moveDamagedAside(path, reason, log);
  openForWriting(path, { migrations: INDEX_MIGRATIONS }).close();
  return openForReading(path);
}

function moveDamagedAside(path: string, reason: string, log: IndexerLog): void {
  const aside = setAside(path);
  log.error({ reason, aside }, 'the index cannot be used; it is set aside and made anew');
}

function prepare(path: string, log: IndexerLog): void {
  try {
    openForWriting(path, { migrations: INDEX_MIGRATIONS }).close();
  } catch (error) {
    const fault = databaseFault(error);
    if (fault === 'corrupt' || fault === 'other') throw error;
    log.warn({ reason: (error as Error).message }, 'the index cannot be written');
  }
}

function explain(path: string, error: unknown): unknown {
  if (error instanceof LecternError) return error;
  return new LecternError('io', `${path} cannot be opened: ${(error as Error).message}`, {
    cause: error,
  });
}
