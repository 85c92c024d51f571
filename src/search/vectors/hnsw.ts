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
 * Rows from which HNSW pays: an exact scan of 30,000 takes about 10 ms, which is
 * what a search may take in all; the graph costs as much memory again.
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
  setEf(width: number): void;
  searchKnn(
    query: number[],
    count: number,
    filter?: (label: number) => boolean,
  ): { neighbors: number[] };
}

export interface AdaptiveSearch extends NearestSearch, RowListener {
  /** Stop building; searches go on exactly. */
  close(): void;
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

  const start = (table: VectorTable): void => {
    graph = createGraph(table.dim);
    if (graph === null) return;
    capacity = Math.ceil(table.rows * 1.5);
    graph.initIndex({ maxElements: capacity, m: LINKS, efConstruction: BUILD_WIDTH });
    graph.setEf(SEARCH_WIDTH);
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
    for (const row of waiting) {
      waiting.delete(row);
      addRow(table, row);
      if (performance.now() > untilMs) return;
    }
  };

  const schedule = (): void => {
    if (timer !== undefined || isClosed || waiting.size === 0) return;
    timer = setTimeout(() => {
      timer = undefined;
      build(performance.now() + SLICE_MS);
      schedule();
    }, SLICE_EVERY_MS);
    timer.unref();
  };

  const follow = (): void => {
    if (isClosed || graph === null) return;
    const table = tableOf();
    if (graph === undefined && table.size >= fromRows) start(table);
    if (graph !== undefined) schedule();
  };

  const isComplete = (): boolean => graph != null && waiting.size === 0;

  return {
    get kind() {
      return isComplete() ? 'hnsw' : 'exact';
    },
    added(row) {
      if (graph != null) waiting.add(row);
      follow();
    },
    removed(row) {
      waiting.delete(row);
      if (graph != null && inGraph.get(row) === false) {
        graph.markDelete(row);
        inGraph.set(row, true);
      }
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
    close() {
      isClosed = true;
      clearTimeout(timer);
      timer = undefined;
    },
    finish() {
      follow();
      build(Number.POSITIVE_INFINITY);
    },
  };
}
