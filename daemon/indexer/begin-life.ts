import { existsSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type KnownRoot, listProjectRoots, type ProjectRoot } from '../../src/store/index-rows.ts';
import { pruneVectors } from '../../src/store/index-write/prune-vectors.ts';
import type { IndexerParts } from './indexer-parts.ts';

/** Rows of a project that no session opened for this long go; its vectors stay. */
const PROJECT_KEPT_MS = 30 * 24 * 3_600_000;

/** Vectors of texts that no entry has now: 30 MB of them spare embedding what comes back. */
const UNUSED_VECTORS_KEPT = 20_000;

/**
 * Open the index, whatever its state; a failure is in the health and is tried again.
 *
 * @returns true when the last life did not close it
 */
export function beginLife({ store, log }: Pick<IndexerParts, 'store' | 'log'>): boolean {
  try {
    return store.beginLife();
  } catch (error) {
    log('warn', 'the index is read-only for now', { reason: (error as Error).message });
    return false;
  }
}

/**
 * What a start does in the background, while the rows of the last life answer.
 *
 * @param known roots of the last life
 * @param wasKilled the last life did not close the index: it is checked at the end
 */
export async function settleIn(
  { store, roots, tell }: IndexerParts,
  known: readonly KnownRoot[],
  wasKilled: boolean,
): Promise<void> {
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

function isForgotten({ root, readAt }: ProjectRoot): boolean {
  return !existsSync(root) || Date.now() - readAt > PROJECT_KEPT_MS;
}
