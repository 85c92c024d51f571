import type { Database } from '../../src/store/database.ts';
import { findPlace } from '../../src/store/file-place.ts';
import { emptyChange, type IndexChange, type LiveIndexView } from '../../src/store/index-view.ts';
import type { IndexerLog } from './log.ts';
import { openAnew, openIndex } from './open-index.ts';

/** Entries whose rows are new or other than they were, and those that are gone. */
export interface EntriesChange {
  upserted: readonly number[];
  removed: readonly number[];
}

/** The index as the main thread reads it: a connection, the view, and who follows its changes. */
export class LiveIndex {
  readonly view: LiveIndexView;
  readonly #path: string;
  readonly #log: IndexerLog;
  readonly #changeListeners = new Set<(clock: number) => void>();
  readonly #entryListeners = new Set<(change: EntriesChange) => void>();
  #db: Database;
  #place: string | null | undefined;

  /** @throws LecternError schema_too_new, io when there is no index and none can be made */
  constructor(path: string, log: IndexerLog) {
    this.#path = path;
    this.#log = log;
    const { db, view } = openIndex(path, log);
    this.#db = db;
    this.#place = findPlace(path);
    this.view = view;
  }

  /** Ask each time: a rebuilt index is another file. */
  get database(): Database {
    return this.#db;
  }

  /** Another file, or none, stands where this one was opened: what is written would end with us. */
  get isLost(): boolean {
    const now = findPlace(this.#path);
    return now !== undefined && this.#place !== undefined && now !== this.#place;
  }

  /** Take over what the thread wrote, and tell of it. */
  apply(change: IndexChange): void {
    const removed = removedBy(change, this.view);
    this.view.apply(change);
    const upserted = change.entries.map((entry) => entry.id);
    if (upserted.length > 0 || removed.length > 0) {
      for (const listener of this.#entryListeners) listener({ upserted, removed });
    }
    for (const listener of this.#changeListeners) listener(this.view.clock);
  }

  /** The thread found damage and closed its connection: replace the file by an empty index. */
  makeAnew(reason: string): void {
    this.#db.close();
    this.#db = openAnew(this.#path, reason, this.#log);
    this.#place = findPlace(this.#path);
    this.apply({ ...emptyChange(), removedSources: [...this.view.sources.keys()] });
  }

  /** Called after the view changed. Returns a function that ends it. */
  onChange(listener: (clock: number) => void): () => void {
    this.#changeListeners.add(listener);
    return () => this.#changeListeners.delete(listener);
  }

  /** Called after the view changed, before onChange's listeners. */
  onEntries(listener: (change: EntriesChange) => void): () => void {
    this.#entryListeners.add(listener);
    return () => this.#entryListeners.delete(listener);
  }

  close(): void {
    this.#db.close();
  }
}

/** Ids that leave the view with a change, those below a removed plugin or source included. */
function removedBy(change: IndexChange, view: LiveIndexView): number[] {
  const removed = new Set(change.removedEntries);
  const plugins = new Set(change.removedPlugins);
  for (const source of change.removedSources) {
    for (const plugin of view.pluginsOf(source)) plugins.add(plugin.id);
  }
  for (const plugin of plugins) {
    for (const entry of view.entriesOf(plugin)) removed.add(entry.id);
  }
  return [...removed];
}
