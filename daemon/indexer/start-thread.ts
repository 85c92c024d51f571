import type { Worker } from 'node:worker_threads';
import { type PartCode, readPart, startThread } from '../part-code.ts';
import type { BeginIndexing, IndexerThreadData } from './messages.ts';

export function readThreadCode(moduleUrl: string = import.meta.url): PartCode {
  return readPart(moduleUrl, './indexer.cjs', './main.ts');
}

/** Start a thread that opens the index and works. */
export function startIndexerThread(code: PartCode, data: IndexerThreadData): Worker {
  const thread = startThread(code);
  const message: BeginIndexing = { begin: data };
  thread.postMessage(message);
  return thread;
}
