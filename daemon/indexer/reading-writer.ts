import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CatalogReading } from '../../src/catalog/types.ts';
import { type IndexChange, isEmptyChange } from '../../src/store/index-view.ts';
import { planReading, type ReadingPlan } from '../../src/store/index-write/plan-reading.ts';
import { writeEntries } from '../../src/store/index-write/write-entries.ts';
import type { IndexProgress, RootReading } from '../../src/store/indexer-port.ts';
import type { Breadcrumb } from '../breadcrumb.ts';
import type { IndexStore } from './index-store.ts';
import type { Root } from './root.ts';

/**
 * Entries written in one transaction. About 30 ms of work: other roots, cookies
 * and vectors get their turn between slices.
 */
const SLICE = 24;

export interface WriterDependencies {
  store: IndexStore;
  breadcrumb: Breadcrumb;
  onChange(change: IndexChange): void;
  onHealth(): void;
}

/** Brings whole readings into the index, in slices. */
export class ReadingWriter {
  readonly #deps: WriterDependencies;
  #progress: IndexProgress = { stage: 'idle', done: 0, total: 0 };

  constructor(deps: WriterDependencies) {
    this.#deps = deps;
  }

  /** Where the reading that is written now has got to, if it is of more than one slice. */
  get progress(): IndexProgress {
    return this.#progress;
  }

  /** @throws LecternError interrupted when the root is removed meanwhile; io when nothing can be written */
  async write(
    root: Root,
    reading: CatalogReading,
    force: boolean,
    onProgress?: (progress: IndexProgress) => void,
  ): Promise<RootReading> {
    const now = Date.now();
    const plan = this.#deps.store.write((db) => planReading(db, root, reading, force, now));
    await this.#writePlan(plan, now, root.ended.signal, onProgress);
    return describeReading(reading, plan);
  }

  async #writePlan(
    plan: ReadingPlan,
    now: number,
    ended: AbortSignal,
    onProgress?: (progress: IndexProgress) => void,
  ): Promise<void> {
    const total = plan.writes.length;
    const isBulk = total > SLICE;
    let done = 0;
    let pending: IndexChange | undefined = isEmptyChange(plan.head) ? undefined : plan.head;
    while (done < total || pending !== undefined) {
      const slice = plan.writes.slice(done, done + SLICE);
      const written = this.#deps.store.write((db) =>
        writeEntries(db, slice, now, (file) => this.#deps.breadcrumb.enter(file)),
      );
      done += slice.length;
      const change = pending === undefined ? written : { ...pending, entries: written.entries };
      pending = undefined;
      if (!isEmptyChange(change)) this.#deps.onChange(change);
      if (isBulk) {
        this.#progress = { stage: 'reading', done, total };
        onProgress?.(this.#progress);
        await nextTurn();
        if (ended.aborted) break;
      }
    }
    if (isBulk) {
      this.#progress = { stage: 'idle', done: 0, total: 0 };
      this.#deps.onHealth();
    }
    this.#deps.breadcrumb.leave(plan.writes.map((write) => write.reading.file));
    ended.throwIfAborted();
  }
}

function describeReading(reading: CatalogReading, plan: ReadingPlan): RootReading {
  return {
    sourceId: plan.sourceId,
    format: reading.format,
    name: reading.name,
    plugins: reading.plugins.length,
    entries: reading.plugins.reduce((sum, plugin) => sum + plugin.entries.length, 0),
    ...plan.counts,
    problems: [
      ...reading.problems,
      ...reading.plugins.flatMap((plugin) => [
        ...(plugin.unusable === undefined ? [] : [plugin.unusable]),
        ...plugin.problems,
        ...plugin.entries.flatMap((entry) => entry.problems),
      ]),
    ],
  };
}
