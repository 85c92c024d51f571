import { parentPort, workerData } from 'node:worker_threads';
import { readCatalog } from '../../src/catalog/read-catalog.ts';
import { endHung } from '../end-hung.ts';
import { watchHeartbeat } from '../watchdog.ts';
import type { IndexerThreadData } from './messages.ts';
import { runIndexer } from './run-indexer.ts';

// The entry of the indexer thread.
if (parentPort !== null) {
  const data = workerData as IndexerThreadData;
  if (data.watched !== null) {
    const { beats, log } = data.watched;
    watchHeartbeat(beats, (hungMs) => endHung(log, hungMs));
  }
  runIndexer(parentPort, data, readCatalog);
}
