import type { Scope } from '../../src/core/scope.ts';
import {
  ChangedMeanwhile,
  removeSnapshot,
  sweepLeftovers,
} from '../../src/search/vectors/snapshot.ts';
import type { VectorStore } from '../../src/search/vectors/store.ts';
import type { EmbedderLog } from '../embedder/log.ts';

/**
 * Vectors are saved when they have not changed for this long: an editor's next
 * save, or the next batch of a large catalog, comes sooner.
 */
const SETTLE_MS = 10_000;

/** After a save that failed (a full disk) the next attempt waits. */
const RETRY_MS = 600_000;

/**
 * A snapshot is written anew once this share of its rows is another. Until then
 * the next start reads what changed from index.db, at 50 µs a row, while a
 * snapshot of 80,000 rows is 220 MB to write: not after each edit of a file.
 */
const REWRITE_SHARE = 0.02;

/** Fewer rows come from index.db in less time than a snapshot's files are opened in. */
const MIN_ROWS = 256;

export interface SnapshotOptions {
  scope: Scope;
  log: EmbedderLog;
  /** Where the files are. */
  dir: string;
  store: VectorStore;
  /** False for a read-only session: it reads, and writes and deletes nothing. */
  canWrite: boolean;
  /** True while vectors are being made, or these are not the ones that serve. */
  isBusy(): boolean;
  minRows?: number;
  settleMs?: number;
}

export interface SnapshotKeeper {
  /** Fill the store from the files, as far as they are whole. */
  restore(): Promise<void>;
  /** Vectors may have changed; what is worth it is saved once they rest. */
  notice(): void;
}

/** Keep a copy of the vectors on disk, so that the next start has them at once. */
export function keepSnapshot(options: SnapshotOptions): SnapshotKeeper {
  const { scope, log, dir, store, canWrite } = options;
  const settleMs = options.settleMs ?? SETTLE_MS;
  /** `store.changes` as of the files; null while there are none that are whole. */
  let savedAt: number | null = null;
  let seen = -1;
  let cancel: (() => void) | undefined;
  let isSaving = false;
  /** The graphs of the files on their way into memory, and the save that was begun last. */
  let graphs: Promise<void> = Promise.resolve();
  let saving: Promise<void> = Promise.resolve();

  const restore = async (): Promise<void> => {
    const restored = await store.restore(dir);
    if (restored.kind === 'damaged') return discard(restored.reason);
    if (restored.kind === 'none') {
      log.info({ reason: restored.reason }, 'no snapshot of vectors; they come from the index');
    } else {
      savedAt = store.changes;
      graphs = store.adoptGraphs(restored).catch(async (error: unknown) => {
        savedAt = null;
        await discard(error instanceof Error ? error.message : String(error));
      });
    }
    // Which files are left over only the owner may say: another's may be half written.
    if (canWrite) await sweepLeftovers(dir).catch(() => {});
  };

  const discard = async (reason: string): Promise<void> => {
    if (!canWrite) return log.warn({ dir, reason }, 'the snapshot of vectors is not used');
    try {
      await removeSnapshot(dir);
      log.warn({ dir, reason }, 'the snapshot of vectors was damaged and is deleted');
    } catch (error) {
      log.warn({ dir, reason, err: error }, 'the snapshot of vectors is damaged');
    }
  };

  const isWorthwhile = (): boolean => {
    const rows = store.entries.size + store.chunks.size;
    if (rows < (options.minRows ?? MIN_ROWS)) return false;
    return savedAt === null || store.changes - savedAt > rows * REWRITE_SHARE;
  };

  const arm = (afterMs: number): void => {
    if (!canWrite || scope.isClosed || isSaving) return;
    cancel?.();
    seen = store.changes;
    cancel = scope.timeout(afterMs, 'snapshot of vectors', () => {
      cancel = undefined;
      if (!isWorthwhile()) return;
      const isResting = store.changes === seen && store.isSettled && !options.isBusy();
      if (isResting) void save();
      else arm(settleMs);
    });
  };

  const save = async (): Promise<void> => {
    isSaving = true;
    const startedAt = performance.now();
    const changes = store.changes;
    saving = store.save(dir, scope.signal);
    let nextMs = settleMs;
    try {
      await saving;
      savedAt = changes;
      const rows = store.entries.size + store.chunks.size;
      log.info({ rows, ms: Math.round(performance.now() - startedAt) }, 'vectors saved');
    } catch (error) {
      if (!scope.isClosed && !(error instanceof ChangedMeanwhile)) {
        nextMs = RETRY_MS;
        log.warn({ dir, err: error }, 'the snapshot of vectors could not be written');
      }
    } finally {
      isSaving = false;
    }
    if (isWorthwhile()) arm(nextMs);
  };

  // The library's threads must be done before the graphs go.
  scope.own(
    undefined,
    async () => {
      await saving.catch(() => {});
      await graphs;
    },
    'snapshot of vectors',
  );

  return {
    restore,
    notice: () => {
      if (isWorthwhile()) arm(settleMs);
    },
  };
}
