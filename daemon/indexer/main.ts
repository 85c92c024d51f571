import { parentPort, workerData } from 'node:worker_threads';
import { readCatalog } from '../../src/catalog/read-catalog.ts';
import type { IndexerThreadData } from './messages.ts';
import { runIndexer } from './run-indexer.ts';

// The entry of the indexer thread.
if (parentPort !== null) {
  runIndexer(parentPort, workerData as IndexerThreadData, readCatalog);
}
