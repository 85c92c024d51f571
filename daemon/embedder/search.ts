import type { Scope } from '../../src/core/scope.ts';
import type { Embedder } from '../../src/search/embed/embedder.ts';
import type { ModelFault } from '../../src/search/embed/verify.ts';
import { createSearchEngine, type ExplainingSearchEngine } from '../../src/search/engine.ts';
import { createHotIndex } from '../../src/search/hot-index.ts';
import type { ModelHealth } from '../../src/search/types.ts';
import { createVectorStore, type VectorStore } from '../../src/search/vectors/store.ts';
import type { IndexerClient } from '../indexer/client.ts';
import type { EntriesChange } from '../indexer/live-index.ts';
import { type Feed, startFeed } from './feed.ts';
import { keepSnapshot, type SnapshotKeeper } from './keep-snapshot.ts';
import type { EmbedderLog } from './log.ts';

export interface SearchOptions {
  scope: Scope;
  log: EmbedderLog;
  indexer: Pick<
    IndexerClient,
    'view' | 'database' | 'onEntries' | 'storeVectors' | 'reportEmbedding'
  >;
  /** Null: words alone answer, `reason` says why. */
  embedder: Embedder | null;
  reason?: string;
  /** False for a read-only session: what has no vector stays without. */
  canWrite: boolean;
  /** See SearchEngineOptions. */
  onWork?: (query: string) => () => void;
  /** Rows from which HNSW is used. */
  hnswFrom?: number;
  /** Where a copy of the vectors is kept for the next start; none is without. */
  snapshotDir?: string;
}

export interface SearchStatus {
  /** `exact` or `hnsw`, for entries and chunks; null without a model. */
  entries: 'exact' | 'hnsw' | null;
  chunks: 'exact' | 'hnsw' | null;
  vectors: number;
  /** Entries of the index that have a vector. */
  embedded: number;
  embedderPid: number | null;
  embedderRssBytes: number | null;
  embedderDeaths: number;
}

export interface Search {
  engine: ExplainingSearchEngine;
  status(): SearchStatus;
  /** Embed with another model from now on; the old one answers until the new one has every entry. */
  adopt(embedder: Embedder): void;
  /** Resolves when nothing is left to embed now. */
  idle(): Promise<void>;
}

/** What a search waits for a large index to be loaded: without a snapshot, 20,000 entries take 3 s and more. */
const LOAD_WAIT_MS = 2_500;

interface Slot {
  embedder: Embedder;
  store: VectorStore;
  feed: Feed | null;
  snapshot: SnapshotKeeper | null;
  scope: Scope;
  /** Resolves when the vectors of the last life are in memory. */
  filled: Promise<void>;
  isFilled: boolean;
}

/**
 * The search of a daemon: words, names and vectors in memory, kept current by
 * the indexer's changes, and the feed that embeds what has no vector yet.
 */
export function startSearch(options: SearchOptions): Search {
  const { scope, indexer } = options;
  const hot = createHotIndex();
  const isIndexed = (entryId: number): boolean => indexer.view.entries.has(entryId);
  const loaded = runInSteps(hot.load(indexer.database, indexer.view), scope);
  let serving: Slot | null = null;
  let next: Slot | null = null;

  const openSlot = (embedder: Embedder): Slot => {
    const { id, dim } = embedder.profile;
    const store = createVectorStore(id, dim, options.hnswFrom);
    const slotScope = scope.child(`vectors of ${id}`);
    slotScope.own(store, () => store.close(), 'vector graphs');
    const snapshot =
      options.snapshotDir === undefined
        ? null
        : keepSnapshot({
            scope: slotScope,
            log: options.log,
            dir: options.snapshotDir,
            store,
            canWrite: options.canWrite,
            isBusy: () => serving?.store !== store || isEmbedding,
          });
    let isEmbedding = false;
    // Its files are read while the words are loaded.
    const restored = snapshot?.restore();
    const filled = loaded
      .then(() => restored)
      .then(() => runInSteps(store.load(indexer.database, isIndexed), slotScope));
    const feed = options.canWrite
      ? startFeed({
          scope: slotScope,
          log: options.log,
          view: indexer.view,
          database: indexer.database,
          embedder,
          store,
          storeVectors: indexer.storeVectors,
          onProgress: (progress) => {
            indexer.reportEmbedding(progress);
            isEmbedding = progress !== null;
            if (progress !== null) return;
            promote();
            snapshot?.notice();
          },
        })
      : null;
    const slot: Slot = {
      embedder,
      store,
      feed,
      snapshot,
      scope: slotScope,
      filled,
      isFilled: false,
    };
    void filled.then(() => {
      slot.isFilled = true;
      feed?.notice();
      snapshot?.notice();
    });
    return slot;
  };

  /** Let the next model serve once it has what the old one has. */
  const promote = (): void => {
    if (next === null || countEmbedded(next) < indexer.view.entries.size) return;
    const old = serving;
    serving = next;
    next = null;
    void old?.scope.close();
  };

  const adopt = (embedder: Embedder): void => {
    const slot = openSlot(embedder);
    if (serving === null || modelHealth().state !== 'ok') {
      void serving?.scope.close();
      serving = slot;
    } else {
      void next?.scope.close();
      next = slot;
      void slot.filled.then(promote);
    }
  };

  const countEmbedded = (slot: Slot): number => {
    let embedded = 0;
    for (const id of indexer.view.entries.keys())
      if (slot.store.entries.rowsOf(id).length > 0) embedded++;
    return embedded;
  };

  const modelHealth = (): ModelHealth => {
    if (serving === null) {
      return { name: null, version: null, state: 'missing', detail: options.reason ?? null };
    }
    const { name, version } = serving.embedder.profile;
    const { state, fault } = serving.embedder.health();
    if (state !== 'failed' || fault === null) return { name, version, state: 'ok', detail: null };
    return { name, version, state: STATE_OF[fault.kind], detail: fault.detail };
  };

  scope.own(
    indexer.onEntries(({ upserted, removed }: EntriesChange) => {
      const db = indexer.database();
      const slots = [serving, next].filter((slot) => slot !== null);
      for (const id of removed) {
        hot.delete(id);
        for (const { store } of slots) store.delete(id);
      }
      for (const id of upserted) {
        const entry = indexer.view.entries.get(id);
        if (entry === undefined) continue;
        hot.refresh(db, entry);
        for (const { store } of slots) store.refresh(db, id);
      }
      for (const { feed, snapshot, filled } of slots)
        void filled.then(() => {
          feed?.notice();
          snapshot?.notice();
        });
    }),
    (stop) => stop(),
    'entries listener',
  );
  if (options.embedder !== null) adopt(options.embedder);

  /** The first searches of a large index wait for it a moment, then take what is there. */
  const beLoaded = async (): Promise<void> => {
    await Promise.race([
      Promise.all([loaded, serving?.filled]),
      new Promise<void>((resolve) => scope.timeout(LOAD_WAIT_MS, 'loading', resolve)),
    ]);
    isLoaded = true;
  };
  let isLoaded = false;

  const engine = createSearchEngine({
    view: indexer.view,
    database: indexer.database,
    lexicon: hot.lexicon,
    names: hot.names,
    serving: () => (serving === null ? null : { embedder: serving.embedder, index: serving.store }),
    modelHealth,
    ...(options.onWork === undefined ? {} : { onWork: options.onWork }),
  });

  return {
    engine: {
      prepare: engine.prepare,
      async search(request) {
        if (!isLoaded) await beLoaded();
        return await engine.search(request);
      },
      async explain(request) {
        if (!isLoaded) await beLoaded();
        return await engine.explain(request);
      },
      model: engine.model,
      vectors: () =>
        serving === null
          ? null
          : {
              rows: serving.store.entries.size + serving.store.chunks.size,
              entries: serving.store.entrySearch.kind,
              bodies: serving.store.chunkSearch.kind,
              loading: !serving.isFilled,
            },
    },
    status() {
      const health = serving?.embedder.health();
      return {
        entries: serving?.store.entrySearch.kind ?? null,
        chunks: serving?.store.chunkSearch.kind ?? null,
        vectors: serving === null ? 0 : serving.store.entries.size + serving.store.chunks.size,
        embedded: serving === null ? 0 : countEmbedded(serving),
        embedderPid: health?.pid ?? null,
        embedderRssBytes: health?.rssBytes ?? null,
        embedderDeaths: health?.deaths ?? 0,
      };
    },
    adopt,
    async idle() {
      for (const slot of [serving, next]) {
        await slot?.filled;
        await slot?.feed?.idle();
      }
    },
  };
}

/** Take all steps, letting the event loop turn between them; stops with the scope. */
async function runInSteps(steps: Iterable<void>, scope: Scope): Promise<void> {
  const each = steps[Symbol.iterator]();
  while (!scope.isClosed && each.next().done !== true) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The contract knows three faults; a runtime that is absent is a model that is. */
const STATE_OF: Record<ModelFault['kind'], ModelHealth['state']> = {
  missing: 'missing',
  runtime: 'missing',
  corrupt: 'corrupt',
  checksum_mismatched: 'checksum_mismatched',
};
