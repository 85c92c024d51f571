import { existsSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MessagePort } from 'node:worker_threads';
import { Scope } from '../../src/core/scope.ts';
import { listKnownRoots, listProjectRoots, type ProjectRoot } from '../../src/store/index-rows.ts';
import { pruneVectors } from '../../src/store/index-write/prune-vectors.ts';
import type { IndexProgress } from '../../src/store/indexer-port.ts';
import { Breadcrumb } from '../breadcrumb.ts';
import { Cookies } from './cookies.ts';
import { IndexStore } from './index-store.ts';
import {
  carryError,
  type FromIndexer,
  type IndexerThreadData,
  type LogLevel,
  type ToIndexer,
} from './messages.ts';
import type { ReadCatalog } from './root-reader.ts';
import { Roots } from './roots.ts';

/** Rows of a project that no session opened for this long go; its vectors stay. */
const PROJECT_KEPT_MS = 30 * 24 * 3_600_000;

/** Vectors of texts that no entry has now: 30 MB of them spare embedding what comes back. */
const UNUSED_VECTORS_KEPT = 20_000;

/**
 * The indexer thread: reads roots, watches them, and is the only writer of
 * index.db. Lives until it is asked to close.
 */
export function runIndexer(
  port: Pick<MessagePort, 'on' | 'postMessage' | 'close'>,
  data: IndexerThreadData,
  readCatalog: ReadCatalog,
): void {
  const scope = new Scope('indexer');
  const tell = (message: FromIndexer) => port.postMessage(message);
  const log = (level: LogLevel, message: string, fields: Record<string, unknown>) =>
    tell({ tell: 'log', level, message, fields });
  const breadcrumb = scope.own(
    new Breadcrumb(data.breadcrumb),
    (trail) => trail.close(),
    'breadcrumb',
  );
  for (const file of breadcrumb.quarantined) log('warn', 'a file is left alone', { file });

  let integrityOk = true;
  let reindexedAt: number | null = null;
  const tellHealth = () =>
    tell({
      tell: 'health',
      health: {
        state: store.state,
        detail: store.detail,
        polled: roots.polled,
        quarantined: breadcrumb.quarantined.map((file) => ({
          file,
          reason: 'reading it ended lectern twice',
        })),
        integrityOk,
        reindexedAt,
        reading: roots.progress,
      },
    });
  const store: IndexStore = scope.own(
    new IndexStore(data.indexDb, {
      onState: () => tellHealth(),
      onDamage: (reason) => {
        integrityOk = false;
        tell({ tell: 'damaged', reason });
      },
    }),
    (opened) => opened.close(),
    'index',
  );
  // Before any root: where watches run out, it is a root that is polled.
  const cookies = new Cookies(data.cookies, scope);
  const roots: Roots = new Roots({
    store,
    breadcrumb,
    scope,
    readCatalog,
    onChange: (change) => tell({ tell: 'change', change }),
    onHealth: () => tellHealth(),
    log,
  });

  port.on('message', (message: ToIndexer) => {
    answer(message).then(
      (result) => {
        tell({ tell: 'done', id: message.id, result });
        if (message.ask === 'close') port.close();
      },
      (error: unknown) => tell({ tell: 'failed', id: message.id, error: carryError(error) }),
    );
  });

  async function answer(message: ToIndexer): Promise<unknown> {
    const onProgress = (progress: IndexProgress) =>
      tell({ tell: 'progress', id: message.id, progress });
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
        const readings = await roots.reindex(
          message.params.roots,
          message.params.force,
          onProgress,
        );
        reindexedAt = Date.now();
        tellHealth();
        return readings;
      }
      case 'release':
        return roots.release(message.params.file);
      case 'catchUp':
        return catchUp(message.params.timeoutMs);
      case 'storeVectors':
        return store.write((db) => {
          db.transact(() => {
            for (const { textHash, vector } of message.params.rows) {
              db.run(
                'INSERT OR REPLACE INTO vectors (model, text_hash, vector) VALUES (?, ?, ?)',
                message.params.model,
                textHash,
                new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength),
              );
            }
          });
        });
      case 'ping':
        return undefined;
      case 'verify': {
        const damage = store.verify();
        integrityOk = damage.length === 0;
        tellHealth();
        return damage;
      }
      case 'reopen': {
        store.reopen();
        begin();
        roots.signalAll();
        void roots.settled().then(() => {
          integrityOk = true;
          store.endRebuild();
        });
        return undefined;
      }
      case 'close':
        return scope.close();
    }
  }

  /** See Indexer.caughtUp. While nothing can be written, waiting would not help. */
  async function catchUp(timeoutMs: number): Promise<boolean> {
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

  /** Open the index, whatever its state; a failure is in the health and is tried again. */
  function begin(): boolean {
    try {
      return store.beginLife();
    } catch (error) {
      log('warn', 'the index is read-only for now', { reason: (error as Error).message });
      return false;
    }
  }

  const wasKilled = begin();
  const known = store.read(listKnownRoots) ?? [];
  tell({ tell: 'ready' });
  tellHealth();
  void settleIn().catch((error: unknown) => {
    log('warn', 'the start of the index is incomplete', { reason: (error as Error).message });
  });

  /** What a start does in the background, while the rows of the last life answer. */
  async function settleIn(): Promise<void> {
    for (const root of store.read(listProjectRoots) ?? []) {
      // A project that is gone, or that nobody opened for long, is not looked at again.
      if (isForgotten(root)) await roots.remove(root.root);
    }
    await Promise.all(known.map(({ root, watch }) => roots.resume(root, watch)));
    await store.refreshTexts(
      () => nextTurn(),
      (change) => tell({ tell: 'change', change }),
    );
    await roots.settled();
    store.stampReader();
    store.write((db) => pruneVectors(db, UNUSED_VECTORS_KEPT));
    if (wasKilled) store.verify();
  }
}

function isForgotten({ root, readAt }: ProjectRoot): boolean {
  return !existsSync(root) || Date.now() - readAt > PROJECT_KEPT_MS;
}
