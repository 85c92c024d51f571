import { statSync } from 'node:fs';
import { LecternError } from '../src/core/errors.ts';
import type { Scope } from '../src/core/scope.ts';
import { loadIndexView } from '../src/store/index-rows.ts';
import type { Indexer, IndexHealth } from '../src/store/indexer-port.ts';
import { openForReading, schemaVersion } from '../src/store/open-database.ts';
import type { IndexerClient } from './indexer/client.ts';

/** The index as a read-only session has it: answers from what is there, refuses the rest. */
export type FrozenIndexer = Indexer &
  Pick<IndexerClient, 'database' | 'onEntries' | 'storeVectors' | 'reportEmbedding' | 'keepFile'>;

/**
 * Open the index for a session that may write nothing (design 3G): no thread,
 * no watcher; what changed on disk since is not seen.
 *
 * @param reason why the session writes nothing
 * @throws LecternError index_integrity_check_failure when there is no index to read
 */
export function openFrozenIndex(indexDb: string, scope: Scope, reason: string): FrozenIndexer {
  const size = statSync(indexDb, { throwIfNoEntry: false })?.size;
  if (size === undefined) {
    throw new LecternError(
      'index_integrity_check_failure',
      `there is no index at ${indexDb}, and this session cannot make one: ${reason}`,
      { next: 'lectern daemon start   (outside the sandbox), then: lectern reindex' },
    );
  }
  const db = openForReading(indexDb);
  scope.own(db, (open) => open.close(), 'index (reading)');
  const view = loadIndexView(db);
  const refuse = async (): Promise<never> => {
    throw new LecternError('io', `nothing is written: ${reason}`, { next: 'lectern daemon start' });
  };
  const health: IndexHealth = {
    state: 'read-only',
    detail: 'no daemon: changes on disk are not seen',
    progress: { stage: 'idle', done: 0, total: 0 },
    sizeBytes: size,
    integrityOk: true,
    schemaVersion: schemaVersion(db),
    polled: [],
    quarantined: [],
    reindexedAt: null,
  };
  return {
    view,
    database: () => db,
    onEntries: () => () => {},
    storeVectors: refuse,
    reportEmbedding: () => {},
    keepFile: () => {},
    addRoot: refuse,
    removeRoot: refuse,
    reindex: refuse,
    release: refuse,
    // A project that the index does not hold yet stays unseen; nothing is wrong with the session.
    leaseRoot: async () => () => {},
    caughtUp: async () => false,
    onChange: () => () => {},
    health: () => health,
  };
}
