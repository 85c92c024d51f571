import { createRequire } from 'node:module';
import {
  type NearestSearch,
  type Neighbour,
  nearestFirst,
  scanAllowed,
  scanNearest,
} from './nearest.ts';
import type { RowListener, VectorTable } from './table.ts';

/**
 * Rows from which HNSW pays: an exact scan of 30,000 takes 2 to 4 ms, of 60,000
 * twice that, and the graph 1 ms; but it costs as much memory again as the rows.
 */
export const HNSW_ROWS = 30_000;

/** Links per row, and how widely they are sought: 97 % and more of the true neighbours at 384 dimensions. */
const LINKS = 16;
const BUILD_WIDTH = 120;
const SEARCH_WIDTH = 256;

/** The graph is built between searches, in slices that an event loop does not notice. */
const SLICE_MS = 5;
const SLICE_EVERY_MS = 6;

/** Below this share of allowed rows the graph walks mostly in vain; their rows are compared one by one. */
const MIN_ALLOWED_SHARE = 0.25;

/** The part of hnswlib-node that is used; the package is optional. */
interface HnswGraph {
  initIndex(options: { maxElements: number; m: number; efConstruction: number }): void;
  resizeIndex(maxElements: number): void;
  addPoint(point: number[], label: number): void;
  markDelete(label: number): void;
  unmarkDelete(label: number): void;
  readIndex(path: string): Promise<boolean>;
  writeIndex(path: string): Promise<boolean>;
  getIdsList(): number[];
  getMaxElements(): number;
  setEf(width: number): void;
  searchKnn(
    query: number[],
    count: number,
    filter?: (label: number) => boolean,
  ): { neighbors: number[] };
}

export interface AdaptiveSearch extends NearestSearch, RowListener {
  /** False while a graph is being built or read. */
  readonly isSettled: boolean;
  /**
   * Write the graph, if there is a complete one; false where there is none. What
   * changes meanwhile is taken up afterwards.
   */
  saveGraph(path: string): Promise<boolean>;
  /**
   * The table's rows are about to be those of an earlier life: wait for
   * {@link adoptGraph} instead of building a graph of them.
   */
  awaitGraph(): void;
  /**
   * Take a graph of the rows as they were at {@link awaitGraph}; null when there
   * is none, which then is built. False when it is not used.
   *
   * @param path a graph known to be undamaged
   */
  adoptGraph(path: string | null): Promise<boolean>;
  /** Stop building; searches go on exactly. Resolves when no file is being read or written. */
  close(): Promise<void>;
  /** Build what is missing of the graph now, for tests and benchmarks. */
  finish(): void;
}

/** An empty graph, or null where hnswlib-node is not installed. */
function createGraph(dim: number): HnswGraph | null {
  try {
    const { HierarchicalNSW } = createRequire(import.meta.url)('hnswlib-node') as {
      HierarchicalNSW: new (space: 'ip', dim: number) => HnswGraph;
    };
    return new HierarchicalNSW('ip', dim);
  } catch {
    return null;
  }
}

/**
 * Exact while the table is small or the graph not complete, HNSW beyond. What
 * the graph finds is scored again on the rows themselves, so that both give the
 * same similarities; where it finds too few, the exact scan answers.
 *
 * @param tableOf the table this follows (which is made with this as its listener)
 */
export function createAdaptiveSearch(
  tableOf: () => VectorTable,
  fromRows = HNSW_ROWS,
): AdaptiveSearch {
  let graph: HnswGraph | null | undefined;
  let capacity = 0;
  /** Rows that wait to be added. */
  const waiting = new Set<number>();
  /** Labels the graph has, and whether they are marked deleted in it. */
  const inGraph = new Map<number, boolean>();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  /** While a graph is awaited: rows that changed since, and whether they were free before. */
  let changedRows: Map<number, boolean> | undefined;
  /** While the graph is being written, nothing may change it. */
  let writing: Promise<unknown> | undefined;
  const deleteLater = new Set<number>();
  /** Files being read or written by the library's own threads. */
  let atWork: Promise<unknown> = Promise.resolve();

  /** The library has no memory for the graph, and what it has of it is not to be trusted: scans answer. */
  const giveUp = (): void => {
    graph = null;
    waiting.clear();
    inGraph.clear();
    deleteLater.clear();
  };

  const start = (table: VectorTable): void => {
    graph = createGraph(table.dim);
    if (graph === null) return;
    capacity = Math.ceil(table.rows * 1.5);
    try {
      graph.initIndex({ maxElements: capacity, m: LINKS, efConstruction: BUILD_WIDTH });
      graph.setEf(SEARCH_WIDTH);
    } catch {
      giveUp();
      return;
    }
    for (let row = 0; row < table.rows; row++) if (table.owners[row]! >= 0) waiting.add(row);
  };

  const addRow = (table: VectorTable, row: number): void => {
    if (graph == null) return;
    if (row >= capacity) {
      capacity = Math.ceil(row * 1.5);
      graph.resizeIndex(capacity);
    }
    if (inGraph.get(row) === true) graph.unmarkDelete(row);
    graph.addPoint([...table.vectorAt(row)], row);
    inGraph.set(row, false);
  };

  const build = (untilMs: number): void => {
    const table = tableOf();
    try {
      for (const row of waiting) {
        waiting.delete(row);
        addRow(table, row);
        if (performance.now() > untilMs) return;
      }
    } catch {
      giveUp();
    }
  };

  const schedule = (): void => {
    if (timer !== undefined || isClosed || waiting.size === 0 || writing !== undefined) return;
    timer = setTimeout(() => {
      timer = undefined;
      if (writing === undefined) build(performance.now() + SLICE_MS);
      schedule();
    }, SLICE_EVERY_MS);
    timer.unref();
  };

  const follow = (): void => {
    if (isClosed || graph === null || changedRows !== undefined) return;
    const table = tableOf();
    if (graph === undefined && table.size >= fromRows) start(table);
    if (graph !== undefined) schedule();
  };

  const isComplete = (): boolean => graph != null && waiting.size === 0;

  const markDeleted = (row: number): void => {
    graph?.markDelete(row);
    inGraph.set(row, true);
  };

  /** Take a graph that was just read; false when it is not one of these rows. */
  const take = (read: HnswGraph, changed: ReadonlyMap<number, boolean>): boolean => {
    const { rows, owners } = tableOf();
    const labels = read.getIdsList();
    if (labels.some((label) => label >= rows)) return false;
    graph = read;
    capacity = graph.getMaxElements();
    graph.setEf(SEARCH_WIDTH);
    for (const label of labels) inGraph.set(label, changed.get(label) ?? owners[label]! < 0);
    for (const [row, wasFree] of changed) {
      if (owners[row]! >= 0) waiting.add(row);
      else if (!wasFree && inGraph.has(row)) markDeleted(row);
    }
    for (let row = 0; row < rows; row++)
      if (owners[row]! >= 0 && !inGraph.has(row)) waiting.add(row);
    return true;
  };

  return {
    get kind() {
      return isComplete() ? 'hnsw' : 'exact';
    },
    get isSettled() {
      return waiting.size === 0 && changedRows === undefined;
    },
    async saveGraph(path) {
      // Held here until the library's thread is done with it.
      const saved = graph;
      if (saved == null || !isComplete() || isClosed) return false;
      writing = saved.writeIndex(path);
      atWork = writing.catch(() => {});
      try {
        await writing;
        return true;
      } finally {
        writing = undefined;
        for (const row of deleteLater) markDeleted(row);
        deleteLater.clear();
        schedule();
      }
    },
    awaitGraph() {
      changedRows = new Map();
    },
    async adoptGraph(path) {
      const changed = changedRows ?? new Map<number, boolean>();
      const table = tableOf();
      const read = path === null || table.size < fromRows ? null : createGraph(table.dim);
      let isTaken = false;
      try {
        if (read !== null && path !== null && !isClosed) {
          const reading = read.readIndex(path);
          atWork = reading.catch(() => {});
          await reading;
          isTaken = !isClosed && take(read, changed);
        }
      } finally {
        changedRows = undefined;
        follow();
      }
      return isTaken;
    },
    added(row) {
      if (changedRows !== undefined && !changedRows.has(row)) changedRows.set(row, true);
      if (graph != null) waiting.add(row);
      follow();
    },
    removed(row) {
      if (changedRows !== undefined && !changedRows.has(row)) changedRows.set(row, false);
      waiting.delete(row);
      if (graph == null || inGraph.get(row) !== false) return;
      if (writing === undefined) markDeleted(row);
      else deleteLater.add(row);
    },
    nearest(query, limit, allowed) {
      const table = tableOf();
      if (graph == null || waiting.size > 0) return scanNearest(table, query, limit, allowed);
      const share = allowed.size / table.ownerCount;
      if (share < MIN_ALLOWED_SHARE || limit * 2 > table.size)
        return scanAllowed(table, query, limit, allowed);
      const { owners } = table;
      const filter = share >= 1 ? undefined : (label: number) => allowed.has(owners[label]!);
      const { neighbors } = graph.searchKnn([...query], limit, filter);
      const found: Neighbour[] = [];
      for (const row of neighbors) {
        const owner = owners[row]!;
        if (owner >= 0 && allowed.has(owner))
          found.push({ row, owner, similarity: table.similarity(row, query) });
      }
      if (found.length < limit) return scanNearest(table, query, limit, allowed);
      return found.sort(nearestFirst);
    },
    async close() {
      isClosed = true;
      clearTimeout(timer);
      timer = undefined;
      await atWork;
    },
    finish() {
      follow();
      build(Number.POSITIVE_INFINITY);
    },
  };
}
