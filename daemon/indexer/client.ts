import type { Scope } from '../../src/core/scope.ts';
import type { StatePaths } from '../../src/protocol/link/state-paths.ts';
import type { Database } from '../../src/store/database.ts';
import type { VectorRow } from '../../src/store/index-write/put-vectors.ts';
import type { Indexer, IndexProgress, IndexRoot } from '../../src/store/indexer-port.ts';
import { Asks } from './asks.ts';
import { createCatchUp } from './catch-up.ts';
import { Health } from './health.ts';
import { Leases } from './leases.ts';
import { type EntriesChange, LiveIndex } from './live-index.ts';
import type { IndexerLog } from './log.ts';
import type { FromIndexer, IndexerThreadData } from './messages.ts';
import { readThreadCode } from './start-thread.ts';
import { ThreadLife } from './thread-life.ts';
import { ThreadWatchdog } from './thread-watchdog.ts';

export interface IndexerOptions {
  paths: Pick<StatePaths, 'indexDb' | 'cookies'>;
  scope: Scope;
  log: IndexerLog;
  /** Where the thread writes which file it has in work; its own file, nobody else's. */
  breadcrumb: string;
  /** See IndexerThreadData: the thread is the one that can tell when this one hangs. */
  watched?: IndexerThreadData['watched'];
  /** Silence after which a thread that has started is taken to hang. */
  hangMs?: number;
}

/** The port, and what only the daemon's own parts use. */
export interface IndexerClient extends Indexer {
  /** The main thread's connection, for reading. Ask each time: a rebuilt index is another file. */
  database(): Database;
  /** Have the indexer thread store vectors; resolves when they are committed. */
  storeVectors(model: string, rows: VectorRow[]): Promise<void>;
  /** Called after the view changed, before onChange's listeners. */
  onEntries(listener: (change: EntriesChange) => void): () => void;
  /** What the embedder is at, for `health().progress`; null when it is idle. */
  reportEmbedding(progress: IndexProgress | null): void;
  /** Make the index anew when its file was removed or replaced. */
  keepFile(): void;
  /** Check the file for damage now; what was found. A damaged index is made anew. */
  verify(): Promise<string[]>;
}

/**
 * Open the index and start its thread. What the last life indexed answers at
 * once; the thread compares it with the disk in the background.
 *
 * @throws LecternError schema_too_new, io when there is no index and none can be made
 */
export async function startIndexer(options: IndexerOptions): Promise<IndexerClient> {
  const { paths, scope, log, breadcrumb, watched = null } = options;
  const code = readThreadCode();
  const index = new LiveIndex(paths.indexDb, log);
  scope.own(index, (open) => open.close(), 'index (reading)');

  const health = new Health(paths.indexDb);
  const asks = new Asks((message) => thread.post(message));
  const leases = new Leases(scope, asks);
  /** Roots that were added, by path. */
  const enrolled = new Map<string, IndexRoot>();
  const thread = new ThreadLife({
    scope,
    log,
    code,
    data: { indexDb: paths.indexDb, cookies: paths.cookies, breadcrumb, watched },
    onMessage: hear,
    onRestart: takeUpAgain,
  });
  scope.own(
    thread,
    async () => {
      asks.refuse();
      await thread.close(() => asks.ask('close', {}));
    },
    'indexer thread',
  );
  const watchdog = new ThreadWatchdog({
    scope,
    log,
    hangMs: options.hangMs,
    ping: () => asks.ask('ping', {}),
    end: () => thread.end(),
  });

  function hear(message: FromIndexer): void {
    switch (message.tell) {
      case 'done':
      case 'failed':
        asks.hear(message);
        break;
      case 'progress':
        asks.hear(message);
        health.hearReading(message.progress);
        break;
      case 'change':
        index.apply(message.change);
        break;
      case 'health':
        health.hear(message.health);
        break;
      case 'damaged':
        index.makeAnew(message.reason);
        // Everything is read again.
        void asks.ask('reopen', {}).catch(() => {});
        break;
      case 'log':
        log[message.level](message.fields, message.message);
        break;
      case 'ready':
        watchdog.noteStart();
        break;
    }
  }

  /** A new thread takes up the roots and what was asked of the dead one, once. */
  function takeUpAgain(): void {
    watchdog.reset();
    asks.repeat(() => {
      leases.renew();
      for (const root of enrolled.values()) void asks.ask('add', { root }).catch(() => {});
    });
  }

  return {
    view: index.view,
    database: () => index.database,
    async addRoot(root, onProgress) {
      const reading = await asks.ask('add', { root }, onProgress);
      enrolled.set(root.root, root);
      return reading;
    },
    async removeRoot(root) {
      enrolled.delete(root);
      leases.forget(root);
      await asks.ask('remove', { root });
    },
    leaseRoot: (root) => leases.hold(root),
    reindex: (roots, force, onProgress) => asks.ask('reindex', { roots, force }, onProgress),
    release: (file) => asks.ask('release', { file }),
    caughtUp: createCatchUp((timeoutMs) => asks.ask('catchUp', { timeoutMs })),
    onChange: (listener) => index.onChange(listener),
    onEntries: (listener) => index.onEntries(listener),
    async storeVectors(model, rows) {
      await asks.ask('storeVectors', { model, rows });
    },
    reportEmbedding: (progress) => health.hearEmbedding(progress),
    keepFile() {
      if (index.isLost) void asks.ask('lost', {}).catch(() => {});
    },
    verify: () => asks.ask('verify', {}),
    health: () => health.now(index.database),
  };
}
