import { dirname } from 'node:path';
import type { ReadOptions } from '../../src/catalog/reading.ts';
import { rereadEntry } from '../../src/catalog/reread-entry.ts';
import type {
  CatalogReading,
  EntryReading,
  KnownEntry,
  PluginFormat,
} from '../../src/catalog/types.ts';
import { type EntryRow, toKnownEntry } from '../../src/store/index-rows.ts';
import { planEntries } from '../../src/store/index-write/plan-reading.ts';
import type { EntryWrite } from '../../src/store/index-write/write-entries.ts';
import type { IndexRoot } from '../../src/store/indexer-port.ts';
import type { Breadcrumb } from '../breadcrumb.ts';
import type { IndexStore } from './index-store.ts';

/**
 * Readings of one pass until no directory is new to the watcher. Two is usual;
 * more means that a tree is being written, whose next event starts a new pass.
 */
const MAX_ROUNDS = 4;

/** Changed entry files that are read alone; a crowd is read with its root. */
const FEW_FILES = 10;

/** Twice the coarsest tick of file times on local file systems. */
const TICK_MS = 20;

/**
 * Stands for the time of a file that was written just before it was read: it may
 * be written again and look the same, so the next reading takes it from disk.
 */
const NO_TIME = -1;

export type ReadCatalog = (root: string, options: ReadOptions) => Promise<CatalogReading>;

/** A root with the paths that were reported since the reading began. */
export type ReadRoot = IndexRoot & { readonly dirty: ReadonlySet<string> };

export interface ReadRequest {
  /** Paths that were reported before: what lies at and below them is read from disk. */
  dirty: ReadonlySet<string>;
  /** Read every file again. */
  force: boolean;
  /** Other roots that links may lead into. */
  alsoAllowed: readonly string[];
  /** Watch these directories; how many of them were not watched before. */
  watchAll(dirs: readonly string[]): number;
  /** Ends the reading early. */
  signal: AbortSignal;
}

/** An entry's row with the format of its plugin. */
type RootEntryRow = EntryRow & { format: PluginFormat };

export interface ReaderDependencies {
  store: IndexStore;
  breadcrumb: Breadcrumb;
  readCatalog: ReadCatalog;
}

/** Reads roots, and takes over from their rows what has not changed. */
export class RootReader {
  readonly #deps: ReaderDependencies;

  constructor(deps: ReaderDependencies) {
    this.#deps = deps;
  }

  /**
   * The common save: only files of known entries changed, so their root need not
   * be listed again.
   *
   * @returns undefined when the whole root has to be read to know what changed
   */
  async readFilesAlone(
    root: ReadRoot,
    files: ReadonlySet<string>,
  ): Promise<EntryWrite[] | undefined> {
    if (files.size === 0 || files.size > FEW_FILES) return undefined;
    const rows = new Map(this.#rowsOf(root, [...files]).map((row) => [row.file, row]));
    if (rows.size < files.size) return undefined;
    const startedAt = Date.now();
    const changed: { row: EntryRow; reading: EntryReading }[] = [];
    for (const row of rows.values()) {
      this.#deps.breadcrumb.enter(row.file);
      const reading = await rereadEntry(toKnownEntry(row), row.format);
      if (reading === null) return undefined;
      changed.push({ row, reading: unsettle(reading, startedAt) });
    }
    return planEntries(changed);
  }

  /**
   * Read a root until every directory that can change it was watched before it was
   * listed: what is created between a listing and its watch would be missed.
   */
  async read(root: ReadRoot, request: ReadRequest): Promise<CatalogReading> {
    const { breadcrumb } = this.#deps;
    const { dirty, force, alsoAllowed, watchAll, signal } = request;
    const rows = force ? [] : this.#rowsOf(root);
    const known = new Map<string, KnownEntry>();
    for (const row of rows) {
      if (!isTouched(row.file, dirty, root.root)) known.set(row.file, toKnownEntry(row));
    }
    const bodies = new Map<string, string>();
    for (let round = 1; ; round++) {
      const startedAt = Date.now();
      const reading = await this.#deps.readCatalog(root.root, {
        kind: root.kind,
        known,
        skipFiles: new Set(breadcrumb.quarantined),
        onFile: (file) => breadcrumb.enter(file),
        alsoAllowed,
        // What was enrolled once goes on as well as it can; a first reading is strict.
        lenient: rows.length > 0,
        signal,
      });
      for (const entry of eachEntry(reading)) {
        if (entry.unchanged === true) entry.body = bodies.get(entry.file) ?? '';
        else unsettle(entry, startedAt);
      }
      const isStale = forgetOtherFormats(reading, rows, known);
      const fresh = watchAll(reading.watch);
      if ((fresh === 0 && !isStale) || round === MAX_ROUNDS) return reading;
      for (const entry of eachEntry(reading)) {
        if (entry.unchanged === true) continue;
        known.set(entry.file, entry);
        bodies.set(entry.file, entry.body);
      }
      for (const file of known.keys()) {
        if (isTouched(file, root.dirty, root.root)) known.delete(file);
      }
    }
  }

  /** Rows of a root, all or those of some files; none when another lectern read them. */
  #rowsOf(root: ReadRoot, files?: readonly string[]): RootEntryRow[] {
    if (!this.#deps.store.isReaderCurrent()) return [];
    const only = files === undefined ? '' : `AND file IN (${files.map(() => '?').join(', ')})`;
    const rows = this.#deps.store.read((db) =>
      db.all<RootEntryRow>(
        `SELECT entries.*, plugins.format FROM entries
         JOIN plugins ON plugins.id = plugin_id JOIN sources ON sources.id = source_id
         WHERE sources.root = ? ${only}`,
        root.root,
        ...(files ?? []),
      ),
    );
    return rows ?? [];
  }
}

/** See NO_TIME. Changes the reading itself. */
function unsettle(reading: EntryReading, startedAt: number): EntryReading {
  if (reading.mtimeMs > startedAt - TICK_MS) reading.mtimeMs = NO_TIME;
  return reading;
}

function* eachEntry(reading: CatalogReading): Generator<EntryReading> {
  for (const plugin of reading.plugins) yield* plugin.entries;
}

/**
 * A plugin that got another kind of manifest reads the same files otherwise: its
 * unchanged entries are no longer known. True when there were any.
 */
function forgetOtherFormats(
  reading: CatalogReading,
  rows: readonly RootEntryRow[],
  known: Map<string, KnownEntry>,
): boolean {
  const formats = new Map(rows.map((row) => [row.file, row.format]));
  let hadAny = false;
  for (const plugin of reading.plugins) {
    for (const entry of plugin.entries) {
      const format = formats.get(entry.file);
      if (entry.unchanged !== true || format === undefined || format === plugin.format) continue;
      hadAny = known.delete(entry.file) || hadAny;
    }
  }
  return hadAny;
}

/** True when an event named the file or a directory between it and the root. */
function isTouched(file: string, dirty: ReadonlySet<string>, root: string): boolean {
  if (dirty.size === 0) return false;
  for (let path = file; path.length > root.length; path = dirname(path)) {
    if (dirty.has(path)) return true;
  }
  return false;
}
