import type { Scope } from '../../src/core/scope.ts';
import type { PartNote } from '../../src/library/parts.ts';
import type { Embedder } from '../../src/search/embed/embedder.ts';
import type { ModelFault } from '../../src/search/embed/verify.ts';
import { createSearchEngine, type ExplainingSearchEngine } from '../../src/search/engine.ts';
import { createHotIndex } from '../../src/search/hot-index.ts';
import type { ModelHealth } from '../../src/search/types.ts';
import type { EmbedderLog } from '../embedder/log.ts';
import type { EntriesChange } from '../indexer/live-index.ts';
import { ModelVectors, type SearchedIndex } from './model-vectors.ts';
import { runInSteps } from './run-in-steps.ts';

/** What a search waits for a large index to be loaded: without a snapshot, 20,000 entries take 3 s and more. */
const LOAD_WAIT_MS = 2_500;

/** What helps where vectors found no room. */
const MORE_MEMORY =
  'raise the limit of memory (ulimit -v, or that of the container), then: lectern daemon restart';

export interface SearchOptions {
  scope: Scope;
  log: EmbedderLog;
  indexer: SearchedIndex;
  embedder: Embedder;
  /** False for a read-only session: what has no vector stays without. */
  canWrite: boolean;
  /** See SearchEngineOptions. */
  onWork?: (query: string) => () => void;
  /** Where a copy of the vectors is kept for the next start; none is without. */
  snapshotDir?: string;
}

export interface Search {
  engine: ExplainingSearchEngine;
  /** Embed with another model from now on; the old one answers until the new one has every entry. */
  adopt(embedder: Embedder): void;
  /** What there is no memory for, for `status` and `doctor`. */
  notes(): PartNote[];
  /** Resolves when nothing is left to embed now. */
  idle(): Promise<void>;
}

/**
 * The search of a daemon: words, names and vectors in memory, kept current by
 * the indexer's changes, and the feed that embeds what has no vector yet.
 */
export function startSearch(options: SearchOptions): Search {
  const { scope, log, indexer, canWrite, snapshotDir } = options;
  const hot = createHotIndex();
  const loaded = runInSteps(hot.load(indexer.database, indexer.view), scope);
  let serving = openVectors(options.embedder);
  /** Of the model that is to serve next. */
  let next: ModelVectors | null = null;
  let isLoaded = false;

  function openVectors(embedder: Embedder): ModelVectors {
    return new ModelVectors({
      scope,
      log,
      indexer,
      embedder,
      canWrite,
      snapshotDir,
      before: loaded,
      isServing: (vectors) => vectors === serving,
      onRest: promote,
    });
  }

  /** Let the next model serve once it has what the old one has. */
  function promote(): void {
    if (next?.isComplete !== true) return;
    const old = serving;
    serving = next;
    next = null;
    void old.close();
  }

  function adopt(embedder: Embedder): void {
    const vectors = openVectors(embedder);
    if (tellModelHealth(serving.embedder).state !== 'ok') {
      void serving.close();
      serving = vectors;
    } else {
      void next?.close();
      next = vectors;
      void vectors.filled.then(promote);
    }
  }

  function takeOver({ upserted, removed }: EntriesChange): void {
    const db = indexer.database();
    const all = next === null ? [serving] : [serving, next];
    for (const id of removed) {
      hot.delete(id);
      for (const { store } of all) store.delete(id);
    }
    for (const id of upserted) {
      const entry = indexer.view.entries.get(id);
      if (entry === undefined) continue;
      hot.refresh(db, entry);
      for (const { store } of all) store.refresh(db, id);
    }
    for (const vectors of all) vectors.notice();
  }
  scope.own(indexer.onEntries(takeOver), (stop) => stop(), 'entries listener');

  /** The first searches of a large index wait for it a moment, then take what is there. */
  async function beLoaded(): Promise<void> {
    if (isLoaded) return;
    await Promise.race([
      Promise.all([loaded, serving.filled]),
      new Promise<void>((resolve) => scope.timeout(LOAD_WAIT_MS, 'loading', resolve)),
    ]);
    isLoaded = true;
  }

  const engine = createSearchEngine({
    view: indexer.view,
    database: indexer.database,
    lexicon: hot.lexicon,
    names: hot.names,
    serving: () => ({ embedder: serving.embedder, index: serving.store }),
    modelHealth: () => tellModelHealth(serving.embedder),
    ...(options.onWork === undefined ? {} : { onWork: options.onWork }),
  });

  return {
    engine: {
      prepare: engine.prepare,
      async search(request) {
        await beLoaded();
        return await engine.search(request);
      },
      async explain(request) {
        await beLoaded();
        return await engine.explain(request);
      },
      model: engine.model,
      vectors: () => ({
        rows: serving.rows,
        entries: serving.store.entrySearch.kind,
        bodies: serving.store.chunkSearch.kind,
        loading: !serving.isFilled,
      }),
    },
    adopt,
    notes() {
      const shortage = serving.store.shortage ?? next?.store.shortage ?? null;
      if (shortage === null) return [];
      return [
        { subsystem: 'search', diagnosis: `${shortage}: words rank them`, command: MORE_MEMORY },
      ];
    },
    async idle() {
      await serving.idle();
      await next?.idle();
    },
  };
}

function tellModelHealth(embedder: Embedder): ModelHealth {
  const { name, version } = embedder.profile;
  const { state, fault } = embedder.health();
  if (state !== 'failed' || fault === null) return { name, version, state: 'ok', detail: null };
  return { name, version, state: STATE_OF[fault.kind], detail: fault.detail };
}

/** The contract knows three faults; a runtime that is absent is a model that is. */
const STATE_OF: Record<ModelFault['kind'], ModelHealth['state']> = {
  missing: 'missing',
  runtime: 'missing',
  corrupt: 'corrupt',
  checksum_mismatched: 'checksum_mismatched',
};
