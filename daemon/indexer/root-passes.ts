import type { CatalogReading, Problem } from '../../src/catalog/types.ts';
import { toLecternError } from '../../src/core/errors.ts';
import type { Scope } from '../../src/core/scope.ts';
import { isEmptyChange } from '../../src/store/index-view.ts';
import { noteUnreadable } from '../../src/store/index-write/note-unreadable.ts';
import { writeEntries } from '../../src/store/index-write/write-entries.ts';
import type { IndexProgress, RootReading } from '../../src/store/indexer-port.ts';
import { isDirectory } from './is-directory.ts';
import type { LogLevel } from './messages.ts';
import { ReadingWriter, type WriterDependencies } from './reading-writer.ts';
import { isRemoved, markIndexed, type Root } from './root.ts';
import { type ReaderDependencies, RootReader } from './root-reader.ts';
import { returnSignals, takeSignals } from './root-signals.ts';
import type { RootWatches } from './root-watches.ts';

interface PassOptions {
  /** Rewrite unchanged entries too. */
  force?: boolean;
  onProgress?: ((progress: IndexProgress) => void) | undefined;
  /** Where only files of known entries changed, those alone may be read. */
  isPartAllowed?: boolean;
}

export interface PassesDependencies extends ReaderDependencies, WriterDependencies {
  scope: Scope;
  log(level: LogLevel, message: string, fields: Record<string, unknown>): void;
}

/** Passes over roots: one reading of a root and its way into the index. */
export class RootPasses {
  readonly #deps: PassesDependencies;
  readonly #watches: RootWatches;
  readonly #allRoots: () => string[];
  readonly #reader: RootReader;
  readonly #writer: ReadingWriter;
  /** First readings are long; one at a time leaves the second core to the searches. */
  #bulk: Promise<unknown> = Promise.resolve();

  /** @param allRoots every root that is read now: links may lead from one into another */
  constructor(deps: PassesDependencies, watches: RootWatches, allRoots: () => string[]) {
    this.#deps = deps;
    this.#watches = watches;
    this.#allRoots = allRoots;
    this.#reader = new RootReader(deps);
    this.#writer = new ReadingWriter(deps);
  }

  get progress(): IndexProgress {
    return this.#writer.progress;
  }

  /** Read a root when all readings in bulk that were asked for before have ended. */
  async runInBulk(root: Root, how: PassOptions): Promise<RootReading> {
    const before = this.#bulk;
    const run = before.catch(() => {}).then(() => this.run(root, how));
    this.#bulk = run.catch(() => {});
    return run;
  }

  /** A pass nobody waits for; why it failed is a line in the log. */
  runInBackground(root: Root): void {
    this.run(root, { isPartAllowed: true }).catch((error: unknown) => {
      if (this.#deps.scope.isClosed || isRemoved(root)) return;
      const reason = (error as Error).message;
      // A retry that fails for the same reason is not news.
      if (reason === root.failure) return;
      root.failure = reason;
      this.#deps.log('warn', 'a root could not be read', { root: root.root, reason });
    });
  }

  /** One reading of a root and its way into the index. Passes of one root never overlap. */
  run(root: Root, how: PassOptions & { isPartAllowed: true }): Promise<RootReading | undefined>;
  run(root: Root, how: PassOptions): Promise<RootReading>;
  run(root: Root, how: PassOptions): Promise<RootReading | undefined> {
    const run = root.queue.then(async () => {
      root.ended.signal.throwIfAborted();
      const { signalled, dirty } = takeSignals(root);
      const startedAt = performance.now();
      try {
        const isDone = how.isPartAllowed === true && (await this.#takeFilesAlone(root, dirty));
        const reading = isDone ? undefined : await this.#readAndWrite(root, dirty, how);
        root.failure = null;
        this.#finish(root, signalled, startedAt, !isDone);
        return reading;
      } catch (error) {
        // What could not be written is still owed; what cannot be read is noted and done with.
        if (this.#deps.store.state === 'ready') this.#finish(root, signalled, startedAt, true);
        else returnSignals(root, dirty);
        throw error;
      }
    });
    root.queue = run.catch(() => {});
    return run;
  }

  /** Give quarantined files another chance. */
  forgive(files: readonly string[]): void {
    const forgiven = files.filter((file) => this.#deps.breadcrumb.forgive(file));
    if (forgiven.length > 0) this.#deps.onHealth();
  }

  #finish(root: Root, signalled: number, startedAt: number, isWhole: boolean): void {
    const now = performance.now();
    const ms = now - startedAt;
    if (isWhole) {
      root.lastPassAt = now;
      root.passMs = ms;
    }
    const message = isWhole ? 'a root was read' : 'changed files of a root were read';
    this.#deps.log('debug', message, { root: root.root, ms });
    markIndexed(root, signalled);
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
      if (!isEmptyChange(change)) onChange(change);
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
      this.forgive([...dirty]);
      reading = await this.#reader.read(root, {
        dirty,
        force,
        alsoAllowed: this.#allRoots(),
        signal: AbortSignal.any([this.#deps.scope.signal, root.ended.signal]),
        watchAll: (dirs) => this.#watches.watchAll(root, dirs),
      });
    } catch (error) {
      this.#noteFailure(root, error);
      throw error;
    } finally {
      this.#deps.breadcrumb.leave();
    }
    root.ended.signal.throwIfAborted();
    return this.#writer.write(root, reading, force, onProgress);
  }

  #noteFailure(root: Root, caught: unknown): void {
    const { store, onChange } = this.#deps;
    const error = toLecternError(caught);
    const isGone = !isDirectory(root.root);
    const problem: Problem = {
      severity: 'error',
      file: root.root,
      message: isGone ? 'the directory does not exist' : error.message,
      ...(error.next === undefined ? {} : { fix: error.next }),
    };
    if (isGone) this.#watches.awaitReturn(root);
    if (!isRemoved(root) && store.hasSource(root.root)) {
      const change = store.write((db) => noteUnreadable(db, root.root, problem, isGone));
      if (!isEmptyChange(change)) onChange(change);
    }
  }
}
