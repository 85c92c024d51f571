import { statSync } from 'node:fs';
import { basename, dirname, sep } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CatalogReading, Problem } from '../../src/catalog/types.ts';
import { LecternError, toLecternError } from '../../src/core/errors.ts';
import type { Scope } from '../../src/core/scope.ts';
import type { IndexChange } from '../../src/store/index-view.ts';
import {
  noteUnreadable,
  planReading,
  type ReadingPlan,
  removeSource,
  writeEntries,
} from '../../src/store/index-write.ts';
import type { IndexProgress, IndexRoot, RootReading } from '../../src/store/indexer-port.ts';
import type { Breadcrumb } from '../breadcrumb.ts';
import { DirectoryWatch, type OpenWatch, type WatchedPlace } from './directory-watch.ts';
import { findRemoteFileSystem } from './filesystem.ts';
import { findGitLock, isGitAtWork } from './git-lock.ts';
import type { IndexStore } from './index-store.ts';
import type { LogLevel } from './messages.ts';
import { isRelevant } from './relevance.ts';
import { type ReadCatalog, RootReader } from './root-reader.ts';
import { type Burst, dueAt } from './settle.ts';

/**
 * Entries written in one transaction. About 30 ms of work: other roots, cookies
 * and vectors get their turn between slices.
 */
const SLICE = 24;

/** Directories watched for one root; the default inotify limit of old kernels is 8,192 in all. */
const MAX_WATCHED_DIRS = 4_096;

/** Roots in all: more is a loop in somebody's script. */
const MAX_ROOTS = 512;

/** Rest between readings of a polled root; a slow one rests this many times its own duration. */
const POLL_MS = 2_000;
const POLL_REST = 20;

/**
 * A polled root is read for a search if that takes no longer than this: a search
 * waits 250 ms. Reading one of 20,000 entries for each search kept a core at work
 * and made every search wait in vain.
 */
const SEARCH_PASS_MS = 150;

/** Rest between readings that look for missed events: at most 1 % of one core. */
const RECONCILE_MS = 60_000;
const RECONCILE_REST = 100;

/** How often a write is tried again while nothing can be written. */
const RETRY_MS = 5_000;

/** How soon to look again while git is at work. */
const GIT_RECHECK_MS = 25;

/** Missed cookies and overfull queues ask for a reading of all roots, at most this often. */
const DOUBT_MS = 10_000;

/** Events in one turn that suggest that the kernel's queue (16,384) may have overflown. */
const DOUBTFUL_CROWD = 8_000;

interface PassOptions {
  /** Rewrite unchanged entries too. */
  force?: boolean;
  onProgress?: ((progress: IndexProgress) => void) | undefined;
  /** Where only files of known entries changed, those alone may be read. */
  isPartAllowed?: boolean;
}

export interface RootsDependencies {
  store: IndexStore;
  breadcrumb: Breadcrumb;
  scope: Scope;
  readCatalog: ReadCatalog;
  onChange(change: IndexChange): void;
  onHealth(): void;
  log(level: LogLevel, message: string, fields: Record<string, unknown>): void;
  /** Stands in for `fs.watch` where a test wants it to fail. */
  openWatch?: OpenWatch;
  maxWatchedDirs?: number;
  /** See SEARCH_PASS_MS. */
  searchPassMs?: number;
}

interface Root extends IndexRoot {
  /** Enrolled for good, as opposed to leased. */
  isKept: boolean;
  isLeased: boolean;
  /** Aborted when the root is removed: a reading of it ends early. */
  ended: AbortController;
  /** Why events cannot be relied on; null while it is watched. */
  polled: string | null;
  /** The `.git/index.lock` of the working tree that holds the root. */
  gitLock: string | null;
  sawGit: boolean;
  /** Why the last pass failed; null after one that did not. */
  failure: string | null;
  burst: Burst | null;
  dirty: Set<string>;
  cancelTimer: () => void;
  /** Signals so far, and how many of them the index has. */
  signalled: number;
  indexed: number;
  waiting: { until: number; done: () => void }[];
  /** Passes run one after another. */
  queue: Promise<unknown>;
  passMs: number;
  lastPassAt: number;
}

/** Every root that is read, with its watches, passes and polls. */
export class Roots {
  readonly #deps: RootsDependencies;
  readonly #roots = new Map<string, Root>();
  readonly #watch: DirectoryWatch<Root>;
  readonly #reader: RootReader;
  /** First readings are long; one at a time leaves the second core to the searches. */
  #bulk: Promise<unknown> = Promise.resolve();
  #bulkProgress: IndexProgress = { stage: 'idle', done: 0, total: 0 };
  #doubtedAt = Number.NEGATIVE_INFINITY;
  #eventsThisTurn = 0;

  constructor(deps: RootsDependencies) {
    this.#deps = deps;
    this.#reader = new RootReader(deps);
    this.#watch = deps.scope.own(
      new DirectoryWatch<Root>((root, path) => this.#notice(root, path), deps.openWatch),
      (watch) => watch.close(),
      'directory watches',
    );
    deps.scope.interval(POLL_MS, 'poll', () => this.#poll());
    deps.scope.interval(RETRY_MS, 'retry', () => this.#retry());
  }

  get polled(): { root: string; reason: string }[] {
    return [...this.#roots.values()].flatMap(({ root, polled }) =>
      polled === null ? [] : [{ root, reason: polled }],
    );
  }

  get progress(): IndexProgress {
    return this.#bulkProgress;
  }

  /** Enrol a root: read it, keep it watched. A first reading that fails leaves nothing behind. */
  async add(
    target: IndexRoot,
    hold: 'kept' | 'leased',
    onProgress?: (progress: IndexProgress) => void,
  ): Promise<RootReading> {
    const isNew = !this.#roots.has(target.root);
    const isKnown = this.#isIndexed(target.root);
    const root = this.#register(target);
    if (isNew) await this.#pollIfRemote(root);
    try {
      // A lease is a project: small, and its session is waiting.
      const read = () => this.#pass(root, { onProgress });
      const reading = await (hold === 'kept' ? this.#inBulk(read) : read());
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
      if (!isEmpty(change)) this.#deps.onChange(change);
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
    await this.#pollIfRemote(root);
    this.#watchAll(root, watched);
    this.#signal(root, root.root);
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
        this.#forgive(this.#deps.breadcrumb.quarantined.filter((file) => isBelow(file, path)));
      }
      readings.push(await this.#inBulk(() => this.#pass(root, { force, onProgress })));
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
    await Promise.all(owners.map((root) => this.#pass(root, {})));
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
      if (root.polled !== null && !this.#isSlow(root)) this.#signal(root, root.root);
    }
    await Promise.all(
      [...this.#roots.values()].map(
        (root) =>
          new Promise<void>((done) => {
            if (root.indexed >= root.signalled) done();
            else root.waiting.push({ until: root.signalled, done });
          }),
      ),
    );
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
    for (const root of this.#roots.values()) this.#signal(root, root.root);
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
    const root: Root = {
      ...target,
      isKept: false,
      isLeased: false,
      ended: new AbortController(),
      polled: null,
      gitLock: findGitLock(target.root),
      sawGit: false,
      failure: null,
      burst: null,
      dirty: new Set(),
      cancelTimer: () => {},
      signalled: 0,
      indexed: 0,
      waiting: [],
      queue: Promise.resolve(),
      passMs: 0,
      lastPassAt: performance.now(),
    };
    this.#roots.set(root.root, root);
    return root;
  }

  async #pollIfRemote(root: Root): Promise<void> {
    const remote = await findRemoteFileSystem(root.root);
    if (remote !== undefined) {
      this.#startPolling(root, `${remote} does not report changes made on other machines`);
    }
  }

  #forget(root: Root): void {
    root.ended.abort(new LecternError('interrupted', `${root.root} was removed meanwhile`));
    root.cancelTimer();
    this.#roots.delete(root.root);
    this.#watch.remove(root);
    for (const { done } of root.waiting.splice(0)) done();
    if (root.polled !== null) this.#deps.onHealth();
  }

  #notice(root: Root, path: string): void {
    if (this.#eventsThisTurn++ === 0) {
      setImmediate(() => {
        const crowd = this.#eventsThisTurn;
        this.#eventsThisTurn = 0;
        if (crowd > DOUBTFUL_CROWD) this.doubt(`${crowd} events in one turn`);
      });
    }
    if (path === root.root || isRelevant(path, this.#watch.isWatched(path))) {
      this.#signal(root, path);
    }
  }

  #signal(root: Root, path: string): void {
    const now = performance.now();
    root.signalled++;
    root.dirty.add(path);
    root.burst = { firstAt: root.burst?.firstAt ?? now, lastAt: now, paths: root.dirty.size };
    this.#schedule(root, dueAt(root.burst) - now);
  }

  #schedule(root: Root, afterMs: number): void {
    if (this.#deps.scope.isClosed || isRemoved(root)) return;
    root.cancelTimer();
    root.cancelTimer = this.#deps.scope.timeout(Math.max(0, afterMs), 'settling', () =>
      this.#act(root),
    );
  }

  /** The burst has settled, unless git is still at work in the same tree. */
  #act(root: Root): void {
    if (isRemoved(root) || root.burst === null) return;
    const isWaiting = root.gitLock !== null && isGitAtWork(root.gitLock);
    if (isWaiting || root.sawGit) {
      // Once more after git has ended: its last files may not have been reported yet.
      root.sawGit = isWaiting;
      this.#schedule(root, GIT_RECHECK_MS);
      return;
    }
    this.#passInBackground(root);
  }

  #passInBackground(root: Root): void {
    this.#pass(root, { isPartAllowed: true }).catch((error: unknown) => {
      if (this.#deps.scope.isClosed || isRemoved(root)) return;
      const reason = (error as Error).message;
      // A retry that fails for the same reason is not news.
      if (reason === root.failure) return;
      root.failure = reason;
      this.#deps.log('warn', 'a root could not be read', { root: root.root, reason });
    });
  }

  #poll(): void {
    const now = performance.now();
    for (const root of this.#roots.values()) {
      if (root.burst !== null) continue;
      const rest =
        root.polled === null
          ? Math.max(RECONCILE_MS, RECONCILE_REST * root.passMs)
          : Math.max(POLL_MS, POLL_REST * root.passMs);
      // The timer ticks every POLL_MS; without slack a root would wait for every second tick.
      if (now - root.lastPassAt < rest - POLL_MS / 2) continue;
      // No signal: a search should not wait for a reading that most likely finds nothing.
      root.lastPassAt = now;
      this.#passInBackground(root);
    }
  }

  /** While nothing could be written, changes were kept: try them again. */
  #retry(): void {
    if (this.#deps.store.state !== 'read-only') return;
    for (const root of this.#roots.values()) {
      if (root.indexed < root.signalled && root.burst === null) this.#signal(root, root.root);
    }
  }

  async #inBulk<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#bulk;
    const run = before.catch(() => {}).then(work);
    this.#bulk = run.catch(() => {});
    return run;
  }

  /** One reading of a root and its way into the index. Passes of one root never overlap. */
  #pass(root: Root, how: PassOptions & { isPartAllowed: true }): Promise<RootReading | undefined>;
  #pass(root: Root, how: PassOptions): Promise<RootReading>;
  #pass(root: Root, how: PassOptions): Promise<RootReading | undefined> {
    const run = root.queue.then(async () => {
      root.ended.signal.throwIfAborted();
      const signalled = root.signalled;
      const dirty = root.dirty;
      root.dirty = new Set();
      root.burst = null;
      root.cancelTimer();
      const startedAt = performance.now();
      try {
        const isDone = how.isPartAllowed === true && (await this.#takeFilesAlone(root, dirty));
        const reading = isDone ? undefined : await this.#readAndWrite(root, dirty, how);
        root.failure = null;
        this.#finishPass(root, signalled, startedAt, !isDone);
        return reading;
      } catch (error) {
        // What could not be written is still owed; what cannot be read is noted and done with.
        if (this.#deps.store.state === 'ready') {
          this.#finishPass(root, signalled, startedAt, true);
        } else {
          for (const path of dirty) root.dirty.add(path);
        }
        throw error;
      }
    });
    root.queue = run.catch(() => {});
    return run;
  }

  #finishPass(root: Root, signalled: number, startedAt: number, isWhole: boolean): void {
    root.indexed = signalled;
    const now = performance.now();
    const ms = now - startedAt;
    if (isWhole) {
      root.lastPassAt = now;
      root.passMs = ms;
    }
    const message = isWhole ? 'a root was read' : 'changed files of a root were read';
    this.#deps.log('debug', message, { root: root.root, ms });
    root.waiting = root.waiting.filter(({ until, done }) => {
      if (until > signalled) return true;
      done();
      return false;
    });
  }

  /** False when the whole root has to be read. */
  async #takeFilesAlone(root: Root, dirty: ReadonlySet<string>): Promise<boolean> {
    const { store, breadcrumb, onChange } = this.#deps;
    let survived: Iterable<string> = [];
    try {
      const writes = await this.#reader.readFilesAlone(root, dirty);
      if (writes === undefined) return false;
      survived = dirty;
      if (isRemoved(root) || writes.length === 0) return true;
      const change = store.write((db) => writeEntries(db, writes, Date.now()));
      if (!isEmpty(change)) onChange(change);
      return true;
    } finally {
      breadcrumb.leave(survived);
    }
  }

  async #readAndWrite(
    root: Root,
    dirty: ReadonlySet<string>,
    { force = false, onProgress }: PassOptions,
  ): Promise<RootReading> {
    let reading: CatalogReading;
    try {
      this.#forgive([...dirty]);
      reading = await this.#reader.read(root, {
        dirty,
        force,
        alsoAllowed: [...this.#roots.keys()],
        signal: AbortSignal.any([this.#deps.scope.signal, root.ended.signal]),
        watchAll: (dirs) => this.#watchAll(root, dirs),
      });
    } catch (error) {
      this.#noteFailure(root, error);
      throw error;
    } finally {
      this.#deps.breadcrumb.leave();
    }
    root.ended.signal.throwIfAborted();
    const now = Date.now();
    const plan = this.#deps.store.write((db) => planReading(db, root, reading, force, now));
    await this.#writePlan(plan, now, root.ended.signal, onProgress);
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

  async #writePlan(
    plan: ReadingPlan,
    now: number,
    ended: AbortSignal,
    onProgress?: (progress: IndexProgress) => void,
  ): Promise<void> {
    const total = plan.writes.length;
    const isBulk = total > SLICE;
    let done = 0;
    let pending: IndexChange | undefined = isEmpty(plan.head) ? undefined : plan.head;
    while (done < total || pending !== undefined) {
      const slice = plan.writes.slice(done, done + SLICE);
      const written = this.#deps.store.write((db) =>
        writeEntries(db, slice, now, (file) => this.#deps.breadcrumb.enter(file)),
      );
      done += slice.length;
      const change = pending === undefined ? written : { ...pending, entries: written.entries };
      pending = undefined;
      if (!isEmpty(change)) this.#deps.onChange(change);
      if (isBulk) {
        this.#bulkProgress = { stage: 'reading', done, total };
        onProgress?.(this.#bulkProgress);
        await nextTurn();
        if (ended.aborted) break;
      }
    }
    if (isBulk) {
      this.#bulkProgress = { stage: 'idle', done: 0, total: 0 };
      this.#deps.onHealth();
    }
    this.#deps.breadcrumb.leave(plan.writes.map((write) => write.reading.file));
    ended.throwIfAborted();
  }

  #forgive(files: readonly string[]): void {
    const forgiven = files.filter((file) => this.#deps.breadcrumb.forgive(file));
    if (forgiven.length > 0) this.#deps.onHealth();
  }

  /** @returns directories that were not watched before */
  #watchAll(root: Root, dirs: readonly string[]): number {
    if (root.polled !== null || isRemoved(root)) return 0;
    const most = this.#deps.maxWatchedDirs ?? MAX_WATCHED_DIRS;
    if (dirs.length > most) {
      this.#startPolling(
        root,
        `${dirs.length} directories would have to be watched; at most ${most} are, per root`,
      );
      return 0;
    }
    return this.#setWatch(
      root,
      dirs.map((dir) => ({ dir })),
    );
  }

  #setWatch(root: Root, places: readonly WatchedPlace[]): number {
    const outcome = this.#watch.set(root, places);
    if (outcome.limit !== undefined) this.#startPolling(root, nameLimit(outcome.limit));
    return outcome.fresh;
  }

  #startPolling(root: Root, reason: string): void {
    root.polled = reason;
    this.#watch.remove(root);
    this.#deps.log('warn', 'a root is polled', { root: root.root, reason });
    this.#deps.onHealth();
  }

  #noteFailure(root: Root, caught: unknown): void {
    const error = toLecternError(caught);
    const isGone = !isDirectory(root.root);
    const problem: Problem = {
      severity: 'error',
      file: root.root,
      message: isGone ? 'the directory does not exist' : error.message,
      ...(error.next === undefined ? {} : { fix: error.next }),
    };
    if (isGone) this.#awaitReturn(root);
    if (!isRemoved(root) && this.#isIndexed(root.root)) {
      const change = this.#deps.store.write((db) => noteUnreadable(db, root.root, problem, isGone));
      if (!isEmpty(change)) this.#deps.onChange(change);
    }
  }

  /** Watch for the return of a root that is gone, from the nearest directory above it that exists. */
  #awaitReturn(root: Root): void {
    if (root.polled !== null || isRemoved(root)) return;
    let name = basename(root.root);
    let above = dirname(root.root);
    while (!isDirectory(above) && dirname(above) !== above) {
      name = basename(above);
      above = dirname(above);
    }
    const fresh = this.#setWatch(root, [{ dir: above, only: name }]);
    // It may have come back before the watch began.
    if (fresh > 0) this.#signal(root, root.root);
  }

  #isIndexed(path: string): boolean {
    return (
      this.#deps.store.read((db) => db.get('SELECT 1 FROM sources WHERE root = ?', path)) !==
      undefined
    );
  }
}

function nameLimit(code: string): string {
  return code === 'ENOSPC'
    ? 'the limit of inotify watches is reached (sysctl fs.inotify.max_user_watches)'
    : 'the limit of open files or inotify instances is reached (ulimit -n, sysctl fs.inotify.max_user_instances)';
}

function isRemoved(root: Root): boolean {
  return root.ended.signal.aborted;
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function isBelow(file: string, dir: string): boolean {
  return file.startsWith(dir + sep);
}

function isEmpty(change: IndexChange): boolean {
  return Object.values(change).every((list) => list.length === 0);
}
