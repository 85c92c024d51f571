import type { MessagePort } from 'node:worker_threads';
import { listKnownRoots } from '../../src/store/index-rows.ts';
import { answerAsk } from './answer-ask.ts';
import { beginLife, settleIn } from './begin-life.ts';
import { openIndexerParts } from './indexer-parts.ts';
import {
  carryError,
  type FromIndexer,
  type IndexerThreadData,
  type ToIndexer,
} from './messages.ts';
import type { ReadCatalog } from './root-reader.ts';

/**
 * The indexer thread: reads roots, watches them, and is the only writer of
 * index.db. Lives until it is asked to close.
 */
export function runIndexer(
  port: Pick<MessagePort, 'on' | 'postMessage' | 'close'>,
  data: IndexerThreadData,
  readCatalog: ReadCatalog,
): void {
  const tell = (message: FromIndexer) => port.postMessage(message);
  const parts = openIndexerParts(data, readCatalog, tell);

  port.on('message', (message: ToIndexer) => {
    answerAsk(parts, message).then(
      (result) => {
        tell({ tell: 'done', id: message.id, result });
        if (message.ask === 'close') port.close();
      },
      (error: unknown) => tell({ tell: 'failed', id: message.id, error: carryError(error) }),
    );
  });

  const wasKilled = beginLife(parts);
  const known = parts.store.read(listKnownRoots) ?? [];
  tell({ tell: 'ready' });
  parts.tellHealth();
  settleIn(parts, known, wasKilled).catch((error: unknown) => {
    const reason = (error as Error).message;
    parts.log('warn', 'the start of the index is incomplete', { reason });
  });
}
