import type { Scope } from '../../src/core/scope.ts';
import type { Embedder } from '../../src/search/embed/embedder.ts';
import { createVectorStore, type VectorStore } from '../../src/search/vectors/store.ts';
import type { EmbedderLog } from '../embedder/log.ts';
import type { IndexerClient } from '../indexer/client.ts';
import { type Feed, startFeed } from './feed.ts';
import { keepSnapshot, type SnapshotKeeper } from './keep-snapshot.ts';
import { runInSteps } from './run-in-steps.ts';

/** What search needs of the index. */
export type SearchedIndex = Pick<
  IndexerClient,
  'view' | 'database' | 'onEntries' | 'storeVectors' | 'reportEmbedding'
>;

export interface ModelVectorsOptions {
  /** A child of it closes with the vectors. */
  scope: Scope;
  log: EmbedderLog;
  indexer: SearchedIndex;
  embedder: Embedder;
  /** False for a read-only session: what has no vector stays without. */
  canWrite: boolean;
  /** Where a copy of the vectors is kept for the next start; none is without. */
  snapshotDir: string | undefined;
  /** What has to be in memory before vectors are read from index.db. */
  before: Promise<void>;
  /** Whether searches are answered by these vectors. */
  isServing(vectors: ModelVectors): boolean;
  /** Nothing is left to embed for now. */
  onRest(): void;
}

/** One model with its vectors in memory, their copy on disk, and the feed that makes what lacks. */
export class ModelVectors {
  readonly embedder: Embedder;
  readonly store: VectorStore;
  /** Resolves when the vectors of the last life are in memory. */
  readonly filled: Promise<void>;
  readonly #indexer: SearchedIndex;
  readonly #scope: Scope;
  readonly #feed: Feed | null;
  readonly #snapshot: SnapshotKeeper | null;
  #isFilled = false;
  #isEmbedding = false;

  constructor(options: ModelVectorsOptions) {
    const { embedder, indexer, log, canWrite, snapshotDir } = options;
    const { id, dim } = embedder.profile;
    this.embedder = embedder;
    this.#indexer = indexer;
    this.#scope = options.scope.child(`vectors of ${id}`);
    const scope = this.#scope;
    const store = scope.own(createVectorStore(id, dim), (open) => open.close(), 'vector graphs');
    this.store = store;
    const isBusy = () => !options.isServing(this) || this.#isEmbedding;
    this.#snapshot =
      snapshotDir === undefined
        ? null
        : keepSnapshot({ scope, log, dir: snapshotDir, store, canWrite, isBusy });
    this.#feed = canWrite
      ? startFeed({
          scope,
          log,
          view: indexer.view,
          database: indexer.database,
          embedder,
          store,
          storeVectors: indexer.storeVectors,
          onProgress: (progress) => {
            indexer.reportEmbedding(progress);
            this.#isEmbedding = progress !== null;
            if (progress !== null) return;
            options.onRest();
            this.#snapshot?.notice();
          },
        })
      : null;
    // Its files are read while what comes before is loaded.
    const restored = this.#snapshot?.restore();
    this.filled = options.before.then(() => restored).then(() => this.#fill());
    void this.filled.then(() => {
      this.#isFilled = true;
      this.#look();
    });
  }

  get isFilled(): boolean {
    return this.#isFilled;
  }

  /** Vectors in memory, of entries and of chunks. */
  get rows(): number {
    return this.store.entries.size + this.store.chunks.size;
  }

  /** Whether every entry of the index has a vector of this model. */
  get isComplete(): boolean {
    for (const id of this.#indexer.view.entries.keys())
      if (this.store.entries.rowsOf(id).length === 0) return false;
    return true;
  }

  /** Entries changed: embed what lacks a vector and save what rests, once the last life's are there. */
  notice(): void {
    void this.filled.then(() => this.#look());
  }

  /** Resolves when nothing is left to embed now. */
  async idle(): Promise<void> {
    await this.filled;
    await this.#feed?.idle();
  }

  close(): Promise<void> {
    return this.#scope.close();
  }

  #fill(): Promise<void> {
    const { database, view } = this.#indexer;
    const isIndexed = (entryId: number): boolean => view.entries.has(entryId);
    return runInSteps(this.store.load(database, isIndexed), this.#scope);
  }

  #look(): void {
    this.#feed?.notice();
    this.#snapshot?.notice();
  }
}
