import type { Worker } from 'node:worker_threads';
import { type PartCode, readPart, startThread } from '../part-code.ts';
import type { BeginIndexing, IndexerThreadData } from './messages.ts';

export function readThreadCode(moduleUrl: string = import.meta.url): PartCode {
  return readPart(moduleUrl, './indexer.cjs', './main.ts');
}

/** Boot the indexer thread. It touches nothing before `beginIndexing`. */
export function bootThread(code: PartCode): Worker {
  return startThread(code);
}

/** Have a booted thread open the index and work. */
export function beginIndexing(thread: Worker, data: IndexerThreadData): void {
  const message: BeginIndexing = { begin: data };
  thread.postMessage(message);
}
