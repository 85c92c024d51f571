import { sep } from 'node:path';
import { LecternError } from '../../src/core/errors.ts';
import { isEmptyChange } from '../../src/store/index-view.ts';
import { removeSource } from '../../src/store/index-write/remove-source.ts';
import type { IndexProgress, IndexRoot, RootReading } from '../../src/store/indexer-port.ts';
import { isPollDue, POLL_MS, SEARCH_PASS_MS } from './poll-pace.ts';
import { makeRoot, type Root, releaseWaiting, whenIndexed } from './root.ts';
import { type PassesDependencies, RootPasses } from './root-passes.ts';
import { RootSignals } from './root-signals.ts';
import { RootWatches, type WatchesDependencies } from './root-watches.ts';

/** Roots in all: more is a loop in somebody's script. */
const MAX_ROOTS = 512;

/** How often a write is tried again while nothing can be written. */
const RETRY_MS = 5_000;

/** Missed cookies and overfull queues ask for a reading of all roots, at most this often. */
const DOUBT_MS = 10_000;

export interface RootsDependencies extends PassesDependencies, WatchesDependencies {
  /** See SEARCH_PASS_MS. */
  searchPassMs?: number;
}

/** Every root that is read: when each is taken up, read again, and let go. */
export class Roots {
  readonly #deps: RootsDependencies;
  readonly #roots = new Map<string, Root>();
  readonly #signals: RootSignals;
  readonly #watches: RootWatches;
  readonly #passes: RootPasses;
  #doubtedAt = Number.NEGATIVE_INFINITY;

  constructor(deps: RootsDependencies) {
    this.#deps = deps;
    this.#signals = new RootSignals(deps.scope, (root) => this.#passes.runInBackground(root));
    this.#watches = new RootWatches(deps, {
      signal: (root, path) => this.#signals.signal(root, path),
      doubt: (why) => this.doubt(why),
    });
    this.#passes = new RootPasses(deps, this.#watches, () => [...this.#roots.keys()]);
    deps.scope.interval(POLL_MS, 'poll', () => this.#poll());
    deps.scope.interval(RETRY_MS, 'retry', () => this.#retry());
  }

  get polled(): { root: string; reason: string; remedy: string }[] {
    return [...this.#roots.values()].flatMap(({ root, polled }) =>
      polled === null ? [] : [{ root, reason: polled.reason, remedy: polled.remedy }],
    );
  }

  get progress(): IndexProgress {
    return this.#passes.progress;
  }

  /** Enrol a root: read it, keep it watched. A first reading that fails leaves nothing behind. */
  async add(
    target: IndexRoot,
    hold: 'kept' | 'leased',
    onProgress?: (progress: IndexProgress) => void,
  ): Promise<RootReading> {
    const isNew = !this.#roots.has(target.root);
    const isKnown = this.#deps.store.hasSource(target.root);
    const root = this.#register(target);
    if (isNew) await this.#watches.pollIfRemote(root);
    try {
      // A lease is a project: small, and its session is waiting.
      const reading = await (hold === 'kept'
        ? this.#passes.runInBulk(root, { onProgress })
        : this.#passes.run(root, { onProgress }));
      if (hold === 'kept') root.isKept = true;
      else root.isLeased = true;
      return reading;
    } catch (error) {
      if (isNew && !root.isKept && !root.isLeased) {
        this.#forget(root);
        if (!isKnown) this.#dropRows(root);
      }
      throw error;
    }
  }

  /** What a failed first reading wrote; where nothing can be written, that is little or nothing. */
  #dropRows(root: Root): void {
    try {
      const change = this.#deps.store.write((db) => removeSource(db, root.root));
      if (!isEmptyChange(change)) this.#deps.onChange(change);
    } catch (error) {
      const reason = (error as Error).message;
      this.#deps.log('warn', 'rows of a failed reading stay', { root: root.root, reason });
    }
  }

  /**
   * Take up a root that is in the index already, in the background: its rows answer
   * meanwhile. Watched first as in the last life, one reading is enough most times.
   */
  async resume(target: IndexRoot, watched: readonly string[]): Promise<void> {
    const root = this.#register(target);
    root.isKept = true;
    // Owed from the first moment: a search that comes now has to wait for this reading.
    root.signalled++;
    await this.#watches.pollIfRemote(root);
    this.#watches.watchAll(root, watched);
    this.#signals.signal(root, root.root);
  }

  async remove(path: string): Promise<void> {
    const root = this.#roots.get(path);
    if (root !== undefined) {
      this.#forget(root);
      await root.queue;
    }
    this.#deps.onChange(this.#deps.store.write((db) => removeSource(db, path)));
  }

  /** Stop watching a root that was only leased; its rows stay. */
  unlease(path: string): void {
    const root = this.#roots.get(path);
    if (root === undefined) return;
    root.isLeased = false;
    if (!root.isKept) this.#forget(root);
  }

  /** Read again now. `force` gives quarantined files another chance and rewrites all rows. */
  async reindex(
    paths: readonly string[] | null,
    force: boolean,
    onProgress?: (progress: IndexProgress) => void,
  ): Promise<RootReading[]> {
    const chosen = paths ?? [...this.#roots.keys()];
    const readings: RootReading[] = [];
    for (const path of chosen) {
      const root = this.#roots.get(path);
      if (root === undefined) {
        throw new LecternError('io', `${path} is not read by the index`);
      }
      if (force) {
        const { quarantined } = this.#deps.breadcrumb;
        this.#passes.forgive(quarantined.filter((file) => isBelow(file, path)));
      }
      readings.push(await this.#passes.runInBulk(root, { force, onProgress }));
    }
    return readings;
  }

  /**
   * Give a quarantined file another chance and read it.
   *
   * @returns false when it was not quarantined
   */
  async release(file: string): Promise<boolean> {
    if (!this.#deps.breadcrumb.forgive(file)) return false;
    this.#deps.onHealth();
    const owners = [...this.#roots.values()].filter((root) => isBelow(file, root.root));
    await Promise.all(owners.map((root) => this.#passes.run(root, {})));
    return true;
  }

  /** True while a polled root is too large to be read for a search: what changed there is seen later. */
  get isBehind(): boolean {
    return [...this.#roots.values()].some((root) => root.polled !== null && this.#isSlow(root));
  }

  #isSlow(root: Root): boolean {
    return root.passMs > (this.#deps.searchPassMs ?? SEARCH_PASS_MS);
  }

  /** Resolves when every change reported before this call is in the index; see {@link isBehind}. */
  async settled(): Promise<void> {
    for (const root of this.#roots.values()) {
      if (root.polled !== null && !this.#isSlow(root)) this.#signals.signal(root, root.root);
    }
    await Promise.all([...this.#roots.values()].map(whenIndexed));
  }

  /** Events may have been lost: read everything again soon. */
  doubt(why: string): void {
    const now = performance.now();
    if (now - this.#doubtedAt < DOUBT_MS) return;
    this.#doubtedAt = now;
    this.#deps.log('debug', 'reading every root again', { why });
    this.signalAll();
  }

  signalAll(): void {
    for (const root of this.#roots.values()) this.#signals.signal(root, root.root);
  }

  #register(target: IndexRoot): Root {
    const known = this.#roots.get(target.root);
    if (known !== undefined) return known;
    if (this.#roots.size >= MAX_ROOTS) {
      throw new LecternError(
        'usage',
        `${MAX_ROOTS} directories are read already, which is the most; ${target.root} is not`,
        { next: 'lectern catalog remove NAME' },
      );
    }
    const root = makeRoot(target);
    this.#roots.set(root.root, root);
    return root;
  }

  #forget(root: Root): void {
    root.ended.abort(new LecternError('interrupted', `${root.root} was removed meanwhile`));
    root.cancelTimer();
    this.#roots.delete(root.root);
    this.#watches.remove(root);
    releaseWaiting(root);
    if (root.polled !== null) this.#deps.onHealth();
  }

  #poll(): void {
    const now = performance.now();
    for (const root of this.#roots.values()) {
      if (root.burst !== null || !isPollDue(root, now)) continue;
      // No signal: a search should not wait for a reading that most likely finds nothing.
      root.lastPassAt = now;
      this.#passes.runInBackground(root);
    }
  }

  /** While nothing could be written, changes were kept: try them again. */
  #retry(): void {
    if (this.#deps.store.state !== 'read-only') return;
    for (const root of this.#roots.values()) {
      if (root.indexed < root.signalled && root.burst === null) {
        this.#signals.signal(root, root.root);
      }
    }
  }
}

function isBelow(file: string, dir: string): boolean {
  return file.startsWith(dir + sep);
}
