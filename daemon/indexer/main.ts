import { parentPort } from 'node:worker_threads';
import { readCatalog } from '../../src/catalog/read-catalog.ts';
import { collectWhenIdle } from '../collect-when-idle.ts';
import { endHung } from '../end-hung.ts';
import { watchHeartbeat } from '../watchdog.ts';
import type { BeginIndexing } from './messages.ts';
import { runIndexer } from './run-indexer.ts';

// The entry of the indexer thread. Messages after the first are the indexer's.
const port = parentPort;
port?.once('message', ({ begin }: BeginIndexing) => {
  if (begin.watched !== null) {
    const { beats, log } = begin.watched;
    watchHeartbeat(beats, (hungMs) => endHung(log, hungMs));
  }
  // Reading a large catalog leaves its texts behind.
  collectWhenIdle();
  runIndexer(port, begin, readCatalog);
});
