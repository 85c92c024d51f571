import { statSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';
import { LecternError } from '../../src/core/errors.ts';
import type { Scope } from '../../src/core/scope.ts';
import type { StatePaths } from '../../src/protocol/link/state-paths.ts';
import { type Database, databaseFault } from '../../src/store/database.ts';
import { loadIndexView } from '../../src/store/index-rows.ts';
import { INDEX_MIGRATIONS } from '../../src/store/index-schema.ts';
import { emptyChange, type IndexChange, type LiveIndexView } from '../../src/store/index-view.ts';
import type {
  Indexer,
  IndexHealth,
  IndexProgress,
  IndexRoot,
  RootReading,
} from '../../src/store/indexer-port.ts';
import {
  openForReading,
  openForWriting,
  schemaVersion,
  setAside,
} from '../../src/store/open-database.ts';
import {
  type Ask,
  type AskParams,
  type AskResult,
  type FromIndexer,
  type IndexerThreadData,
  type LogLevel,
  type ThreadHealth,
  uncarryError,
  type VectorRow,
} from './messages.ts';
import { readThreadCode, startIndexerThread } from './start-thread.ts';

/**
 * How long a project stays watched after its last session: an agent that is
 * restarted, or the next one in the same project, finds it fresh.
 */
const LEASE_GRACE_MS = 10 * 60_000;

/** Rest before a dead thread is started again; doubles with each death up to the limit. */
const RESTART_MS = 200;
const RESTART_LIMIT_MS = 30_000;

/**
 * A thread that does not answer for this long hangs: its longest single work, the
 * check of a damaged index, takes seconds. What it had in work counts as its death.
 */
const HANG_MS = 60_000;

/** A thread that was told to close and does not within this time is ended. */
const CLOSE_MS = 3_000;

/** A thread that lived this long was healthy. */
const HEALTHY_MS = 60_000;

/** How much longer than its timeout an answer to caughtUp is waited for: the thread may be busy. */
const CATCH_UP_SLACK_MS = 5;

/** pino's shape. */
export type IndexerLog = Record<
  LogLevel,
  (fields: Record<string, unknown>, message: string) => void
>;

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

/** Entries whose rows are new or other than they were, and those that are gone. */
export interface EntriesChange {
  upserted: readonly number[];
  removed: readonly number[];
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
  /** Check the file for damage now; what was found. A damaged index is made anew. */
  verify(): Promise<string[]>;
}

interface Pending {
  message: { id: number; ask: Ask; params: unknown };
  resolve(result: unknown): void;
  reject(error: LecternError): void;
  onProgress: ((progress: IndexProgress) => void) | undefined;
  /** Threads that died while this was asked. */
  deaths: number;
}

/**
 * Open the index and start its thread. What the last life indexed answers at
 * once; the thread compares it with the disk in the background.
 *
 * @throws LecternError schema_too_new, io when there is no index and none can be made
 */
export async function startIndexer(options: IndexerOptions): Promise<IndexerClient> {
  const { paths, scope, log } = options;
  const code = readThreadCode();
  let { db, view } = openIndex(paths.indexDb, log);
  scope.own(undefined, () => db.close(), 'index (reading)');

  const changeListeners = new Set<(clock: number) => void>();
  const entryListeners = new Set<(change: EntriesChange) => void>();
  const pending = new Map<number, Pending>();
  const enrolled = new Map<string, IndexRoot>();
  const leases = new Map<string, { root: IndexRoot; holders: number; cancel: () => void }>();
  let lastId = 0;
  let embedding: IndexProgress | null = null;
  let health: ThreadHealth = {
    state: 'ready',
    detail: null,
    polled: [],
    quarantined: [],
    integrityOk: true,
    reindexedAt: null,
    reading: { stage: 'idle', done: 0, total: 0 },
  };
  let restartMs = RESTART_MS;
  let isClosing = false;
  let thread = start();
  scope.own(undefined, close, 'indexer thread');
  let isReady = false;
  let pingedAt: number | undefined;
  scope.interval((options.hangMs ?? HANG_MS) / 4, 'indexer watchdog', watch);

  function start(): Worker {
    const data: IndexerThreadData = {
      indexDb: paths.indexDb,
      cookies: paths.cookies,
      breadcrumb: options.breadcrumb,
      watched: options.watched ?? null,
    };
    const worker = startIndexerThread(code, data);
    const startedAt = performance.now();
    worker.on('message', (message: FromIndexer) => hear(message));
    worker.on('error', (error) => log.error({ err: error }, 'the indexer thread failed'));
    worker.on('exit', () => {
      if (isClosing) return;
      if (performance.now() - startedAt > HEALTHY_MS) restartMs = RESTART_MS;
      log.error({ restartMs }, 'the indexer thread ended; it is started again');
      scope.timeout(restartMs, 'indexer restart', restart);
      restartMs = Math.min(restartMs * 2, RESTART_LIMIT_MS);
    });
    return worker;
  }

  /** A thread that dies is started again; one that hangs has to be ended first. */
  function watch(): void {
    const now = performance.now();
    const hangMs = isReady ? (options.hangMs ?? HANG_MS) : HANG_MS;
    if (pingedAt === undefined) {
      pingedAt = now;
      const answered = () => {
        pingedAt = undefined;
      };
      ask('ping', {}).then(answered, answered);
    } else if (now - pingedAt > hangMs) {
      pingedAt = undefined;
      log.error({ hangMs }, 'the indexer thread hangs and is ended');
      void thread.terminate();
    }
  }

  /** A new thread takes up the roots and what was asked of the dead one, once. */
  function restart(): void {
    isReady = false;
    pingedAt = undefined;
    thread = start();
    for (const lease of leases.values()) void ask('lease', { root: lease.root }).catch(() => {});
    for (const root of enrolled.values()) void ask('add', { root }).catch(() => {});
    for (const waiting of [...pending.values()]) {
      if (waiting.deaths++ === 0) {
        thread.postMessage(waiting.message);
      } else {
        pending.delete(waiting.message.id);
        waiting.reject(new LecternError('internal', 'the indexer ended twice while at this'));
      }
    }
  }

  function ask<A extends Ask>(
    what: A,
    params: AskParams<A>,
    onProgress?: (progress: IndexProgress) => void,
  ): Promise<AskResult<A>> {
    if (isClosing && what !== 'close') {
      return Promise.reject(new LecternError('interrupted', 'the index is closing'));
    }
    return new Promise((resolve, reject) => {
      const message = { id: ++lastId, ask: what, params };
      pending.set(message.id, {
        message,
        resolve: resolve as (result: unknown) => void,
        reject,
        onProgress,
        deaths: 0,
      });
      thread.postMessage(message);
    });
  }

  function hear(message: FromIndexer): void {
    switch (message.tell) {
      case 'done':
        pending.get(message.id)?.resolve(message.result);
        pending.delete(message.id);
        break;
      case 'failed':
        pending.get(message.id)?.reject(uncarryError(message.error));
        pending.delete(message.id);
        break;
      case 'progress':
        pending.get(message.id)?.onProgress?.(message.progress);
        health = { ...health, reading: message.progress };
        break;
      case 'change':
        apply(message.change);
        break;
      case 'health':
        health = message.health;
        break;
      case 'damaged':
        rebuild(message.reason);
        break;
      case 'log':
        log[message.level](message.fields, message.message);
        break;
      case 'ready':
        isReady = true;
        break;
    }
  }

  function apply(change: IndexChange): void {
    const removed = removedBy(change, view);
    view.apply(change);
    const upserted = change.entries.map((entry) => entry.id);
    if (upserted.length > 0 || removed.length > 0) {
      for (const listener of entryListeners) listener({ upserted, removed });
    }
    for (const listener of changeListeners) listener(view.clock);
  }

  /** The thread found damage and closed its connection: replace the file, read everything again. */
  function rebuild(reason: string): void {
    db.close();
    const aside = setAside(paths.indexDb);
    log.error({ reason, aside }, 'the index was damaged; it is set aside and made anew');
    openForWriting(paths.indexDb, { migrations: INDEX_MIGRATIONS }).close();
    db = openForReading(paths.indexDb);
    apply({ ...emptyChange(), removedSources: [...view.sources.keys()] });
    void ask('reopen', {}).catch(() => {});
  }

  async function close(): Promise<void> {
    if (isClosing) return;
    isClosing = true;
    for (const waiting of pending.values()) {
      waiting.reject(new LecternError('interrupted', 'the index is closing'));
    }
    pending.clear();
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise((resolve) => {
      timer = setTimeout(resolve, CLOSE_MS);
      thread.once('exit', resolve);
    });
    await Promise.race([ask('close', {}), patience]).catch(() => {});
    clearTimeout(timer);
    await thread.terminate();
  }

  return {
    get view() {
      return view;
    },
    database: () => db,
    async addRoot(root, onProgress) {
      const reading: RootReading = await ask('add', { root }, onProgress);
      enrolled.set(root.root, root);
      return reading;
    },
    async removeRoot(root) {
      enrolled.delete(root);
      leases.get(root)?.cancel();
      leases.delete(root);
      await ask('remove', { root });
    },
    async leaseRoot(root) {
      let lease = leases.get(root.root);
      if (lease === undefined) {
        lease = { root, holders: 0, cancel: () => {} };
        leases.set(root.root, lease);
      }
      lease.cancel();
      lease.holders++;
      const held = lease;
      let isHeld = true;
      const drop = () => {
        if (!isHeld) return;
        isHeld = false;
        held.holders--;
        if (held.holders > 0 || leases.get(root.root) !== held || scope.isClosed) return;
        held.cancel = scope.timeout(LEASE_GRACE_MS, 'lease grace', () => {
          leases.delete(root.root);
          void ask('unlease', { root: root.root }).catch(() => {});
        });
      };
      try {
        await ask('lease', { root });
        return drop;
      } catch (error) {
        drop();
        throw error;
      }
    },
    reindex: (roots, force, onProgress) => ask('reindex', { roots, force }, onProgress),
    release: (file) => ask('release', { file }),
    caughtUp: createCatchUp((timeoutMs) => ask('catchUp', { timeoutMs })),
    onChange(listener) {
      changeListeners.add(listener);
      return () => changeListeners.delete(listener);
    },
    onEntries(listener) {
      entryListeners.add(listener);
      return () => entryListeners.delete(listener);
    },
    async storeVectors(model, rows) {
      await ask('storeVectors', { model, rows });
    },
    reportEmbedding(progress) {
      embedding = progress;
    },
    verify: () => ask('verify', {}),
    health(): IndexHealth {
      const { reading, ...rest } = health;
      return {
        ...rest,
        progress: reading.stage !== 'idle' || embedding === null ? reading : embedding,
        sizeBytes: sizeOf(paths.indexDb) + sizeOf(`${paths.indexDb}-wal`),
        schemaVersion: schemaVersion(db),
      };
    },
  };
}

/**
 * Share cookies between searches: one that is asked for before the thread was
 * told of the next is served by that next one, so a hundred agents cost two.
 */
function createCatchUp(
  ask: (timeoutMs: number) => Promise<boolean>,
): (timeoutMs: number) => Promise<boolean> {
  let current: Promise<boolean> | undefined;
  let next: Promise<boolean> | undefined;
  const begin = (timeoutMs: number): Promise<boolean> => {
    const run = ask(timeoutMs).catch(() => false);
    current = run;
    void run.then(() => {
      if (current === run) current = undefined;
    });
    return run;
  };
  return (timeoutMs) => {
    if (current === undefined) return within(begin(timeoutMs), timeoutMs);
    const running = current;
    next ??= running.then(() => {
      next = undefined;
      return begin(timeoutMs);
    });
    return within(next, timeoutMs);
  };
}

/** The answer, or false when the time is over. */
function within(answer: Promise<boolean>, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), timeoutMs + CATCH_UP_SLACK_MS);
    void answer.then((isCaughtUp) => {
      clearTimeout(timer);
      resolve(isCaughtUp);
    });
  });
}

/**
 * The index as the last life left it, its schema up to date. A damaged one is set
 * aside and starts empty; one that cannot be written is read as it is.
 */
function openIndex(path: string, log: IndexerLog): { db: Database; view: LiveIndexView } {
  for (let attempt = 1; ; attempt++) {
    let db: Database | undefined;
    try {
      prepare(path, log);
      db = openForReading(path);
      return { db, view: loadIndexView(db) };
    } catch (error) {
      db?.close();
      if (databaseFault(error) !== 'corrupt' || attempt === 2) throw explain(path, error);
      const aside = setAside(path);
      log.error(
        { reason: (error as Error).message, aside },
        'the index was damaged; it is set aside and made anew',
      );
    }
  }
}

function prepare(path: string, log: IndexerLog): void {
  try {
    openForWriting(path, { migrations: INDEX_MIGRATIONS }).close();
  } catch (error) {
    const fault = databaseFault(error);
    if (fault === 'corrupt' || fault === 'other') throw error;
    log.warn({ reason: (error as Error).message }, 'the index cannot be written');
  }
}

function explain(path: string, error: unknown): unknown {
  if (error instanceof LecternError) return error;
  return new LecternError('io', `${path} cannot be opened: ${(error as Error).message}`, {
    cause: error,
  });
}

/** Ids that leave the view with a change, those below a removed plugin or source included. */
function removedBy(change: IndexChange, view: LiveIndexView): number[] {
  const removed = new Set(change.removedEntries);
  const plugins = new Set(change.removedPlugins);
  for (const source of change.removedSources) {
    for (const plugin of view.pluginsOf(source)) plugins.add(plugin.id);
  }
  for (const plugin of plugins) {
    for (const entry of view.entriesOf(plugin)) removed.add(entry.id);
  }
  return [...removed];
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
