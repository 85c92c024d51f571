import { putVectors } from '../../src/store/index-write/put-vectors.ts';
import type { IndexProgress } from '../../src/store/indexer-port.ts';
import { beginLife } from './begin-life.ts';
import type { IndexerParts } from './indexer-parts.ts';
import type { ToIndexer } from './messages.ts';

/**
 * Do what the main thread asks. Each case answers as IndexerAsks says.
 *
 * @throws LecternError whatever the work ends with
 */
export async function answerAsk(parts: IndexerParts, message: ToIndexer): Promise<unknown> {
  const { roots, store, found } = parts;
  const onProgress = (progress: IndexProgress) =>
    parts.tell({ tell: 'progress', id: message.id, progress });
  switch (message.ask) {
    case 'add':
      return roots.add(message.params.root, 'kept', onProgress);
    case 'lease':
      return roots.add(message.params.root, 'leased', onProgress);
    case 'remove':
      return roots.remove(message.params.root);
    case 'unlease':
      return roots.unlease(message.params.root);
    case 'reindex': {
      const { roots: chosen, force } = message.params;
      const readings = await roots.reindex(chosen, force, onProgress);
      found.reindexedAt = Date.now();
      parts.tellHealth();
      return readings;
    }
    case 'release':
      return roots.release(message.params.file);
    case 'catchUp':
      return catchUp(parts, message.params.timeoutMs);
    case 'storeVectors': {
      const { model, rows } = message.params;
      return store.write((db) => putVectors(db, model, rows));
    }
    case 'ping':
      return undefined;
    case 'verify': {
      const damage = store.verify();
      found.integrityOk = damage.length === 0;
      parts.tellHealth();
      return damage;
    }
    case 'lost':
      return parts.store.lose();
    case 'reopen':
      return reopen(parts);
    case 'close':
      return parts.scope.close();
  }
}

/** See Indexer.caughtUp. While nothing can be written, waiting would not help. */
async function catchUp(
  { cookies, roots, store }: IndexerParts,
  timeoutMs: number,
): Promise<boolean> {
  const deadline = AbortSignal.timeout(timeoutMs);
  try {
    if (!(await cookies.pass(deadline))) roots.signalAll();
  } catch {
    roots.doubt('a cookie was not reported in time');
    return false;
  }
  if (store.state === 'read-only') return false;
  return Promise.race([
    roots.settled().then(() => !roots.isBehind),
    new Promise<boolean>((resolve) => {
      if (deadline.aborted) resolve(false);
      deadline.addEventListener('abort', () => resolve(false), { once: true });
    }),
  ]);
}

/** The damaged file was set aside and an empty one made: read everything again. */
function reopen(parts: IndexerParts): void {
  const { store, roots, found } = parts;
  store.reopen();
  beginLife(parts);
  roots.signalAll();
  void roots.settled().then(() => {
    found.integrityOk = true;
    store.endRebuild();
  });
}
