import type { Scope } from '../../src/core/scope.ts';
import { entryText } from '../../src/search/chunks.ts';
import { type Embedder, EmbedderUnavailable } from '../../src/search/embed/embedder.ts';
import type { VectorStore } from '../../src/search/vectors/store.ts';
import type { Database } from '../../src/store/database.ts';
import type { IndexView } from '../../src/store/index-view.ts';
import type { VectorRow } from '../../src/store/index-write/put-vectors.ts';
import type { IndexProgress } from '../../src/store/indexer-port.ts';
import type { EmbedderLog } from '../embedder/log.ts';

/**
 * Texts that go to the embedder together: about half a second of work, after
 * which they are stored, and a just-saved entry's description comes first again.
 */
const BATCH = 24;

/** Rest after a batch that failed (model away, disk full) before the next attempt. */
const RETRY_MS = 15_000;

export interface FeedOptions {
  scope: Scope;
  log: EmbedderLog;
  view: IndexView;
  database(): Database;
  embedder: Embedder;
  store: VectorStore;
  /** Have vectors written to index.db. */
  storeVectors(model: string, rows: VectorRow[]): Promise<void>;
  onProgress(progress: IndexProgress | null): void;
}

export interface Feed {
  /** Look for texts without vectors now; called when entries changed. */
  notice(): void;
  /** Resolves when nothing is left to embed, or the feed cannot go on. */
  idle(): Promise<void>;
}

/** The chunk `c` has no vector of model ?1. */
const LACKS_VECTOR =
  'NOT EXISTS (SELECT 1 FROM vectors v WHERE v.model = ?1 AND v.text_hash = c.text_hash)';

interface Pending {
  entryId: number;
  textHash: string;
  text: string;
}

/**
 * Embed whatever has no vector yet, descriptions of all entries first, then
 * bodies, in the background; each batch is stored and then shown in memory.
 */
export function startFeed(options: FeedOptions): Feed {
  const { scope, log, view, embedder, store } = options;
  const model = embedder.profile.id;
  /** Texts that cannot be embedded: a hash, and not asked for again in this life. */
  const refused = new Set<string>();
  let isRunning = false;
  let isNoticed = false;
  /** Texts embedded in this run, by entry: what was removed meanwhile does not count. */
  const doneOf = new Map<number, number>();
  const waiters: (() => void)[] = [];

  const run = async (): Promise<void> => {
    isRunning = true;
    try {
      while (!scope.isClosed) {
        isNoticed = false;
        const { stage, batch, left } = nextBatch();
        if (batch.length === 0) {
          if (isNoticed) continue;
          break;
        }
        const done = countDone();
        options.onProgress({ stage, done, total: done + left });
        await embedBatch(batch);
        for (const { entryId } of batch) doneOf.set(entryId, (doneOf.get(entryId) ?? 0) + 1);
      }
    } catch (error) {
      if (!scope.isClosed) {
        const reason = error instanceof Error ? error.message : String(error);
        if (error instanceof EmbedderUnavailable) log.info({ reason }, 'embedding waits');
        else log.warn({ reason }, 'embedding stopped for a while');
        scope.timeout(RETRY_MS, 'embedding retry', notice);
      }
    } finally {
      isRunning = false;
      doneOf.clear();
      options.onProgress(null);
      for (const resolve of waiters.splice(0)) resolve();
    }
  };

  const countDone = (): number => {
    let done = 0;
    for (const [entryId, texts] of doneOf) if (view.entries.has(entryId)) done += texts;
    return done;
  };

  const embedBatch = async (batch: readonly Pending[]): Promise<void> => {
    const texts = new Map(batch.map(({ textHash, text }) => [textHash, text]));
    const hashes = [...texts.keys()];
    const vectors = await embedder.embedTexts([...texts.values()]);
    const rows: VectorRow[] = [];
    for (const [i, vector] of vectors.entries()) {
      if (vector === null) refused.add(hashes[i]!);
      else rows.push({ textHash: hashes[i]!, vector });
    }
    await options.storeVectors(model, rows);
    for (const entryId of new Set(batch.map((pending) => pending.entryId)))
      if (view.entries.has(entryId)) store.refresh(options.database(), entryId);
  };

  /** The next texts without a vector: entries as long as there are any, then chunks. */
  const nextBatch = (): { stage: string; batch: Pending[]; left: number } => {
    const batch: Pending[] = [];
    let left = 0;
    for (const entry of view.entries.values()) {
      if (store.entries.rowsOf(entry.id).length > 0 || refused.has(entry.textHash)) continue;
      if (store.unplaced.has(entry.id)) continue;
      left++;
      if (batch.length < BATCH) {
        const text = entryText(entry.name, entry.description, entry.whenToUse);
        batch.push({ entryId: entry.id, textHash: entry.textHash, text });
      }
    }
    if (batch.length > 0) return { stage: 'descriptions', batch, left };
    // The store knows which entries lack what: asking index.db would look up every chunk there is.
    for (const [entryId, count] of store.lacking) {
      left += count;
      if (batch.length >= BATCH) continue;
      const rows = readChunks(entryId);
      // Another entry of the same text was embedded meanwhile.
      if (rows.length < count) store.refresh(options.database(), entryId);
      for (const row of rows) if (!refused.has(row.textHash)) batch.push(row);
    }
    return { stage: 'bodies', batch, left };
  };

  const readChunks = (entryId: number): Pending[] =>
    options.database().all<Pending>(
      `SELECT c.entry_id AS entryId, c.text_hash AS textHash, c.text AS text FROM chunks c
          WHERE c.entry_id = ?2 AND ${LACKS_VECTOR} ORDER BY c.position`,
      model,
      entryId,
    );

  const notice = (): void => {
    isNoticed = true;
    if (!isRunning && !scope.isClosed) void run();
  };

  return {
    notice,
    idle: () => (isRunning ? new Promise((resolve) => waiters.push(resolve)) : Promise.resolve()),
  };
}
