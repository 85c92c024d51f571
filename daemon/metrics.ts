import { performance } from 'node:perf_hooks';

/**
 * Seconds that are kept: two minutes, as wide as a large terminal has columns
 * to draw them in.
 */
export const SECONDS_KEPT = 120;

/**
 * Bins of latency. Four an octave put a bin's middle within 10 % of every
 * value in it; 104 of them reach from 10 µs to ten minutes, and 120 seconds of
 * them take 50 KB, whatever the load.
 */
const BINS_PER_OCTAVE = 4;
const LEAST_MS = 0.01;
const BINS = 104;

/** Answers of the last two minutes, second by second. */
export interface CallMetrics {
  /** Note one answer. Constant work: it lies on the way of every call. */
  record(ms: number): void;
  /** The last `seconds` whole seconds, oldest first, and all of them together. */
  read(seconds: number): CallHistory;
}

export interface CallHistory {
  /** Answers since the daemon began. */
  answered: number;
  /** Answers of each second. */
  calls: number[];
  /** Milliseconds from request to answer; null in a second without any. */
  p50Ms: (number | null)[];
  p99Ms: (number | null)[];
  /** Over all those seconds. */
  total: { calls: number; p50Ms: number | null; p99Ms: number | null };
}

/** @param now milliseconds by a monotonic clock */
export function createCallMetrics(now: () => number = () => performance.now()): CallMetrics {
  // One row of bins a second, used in a ring; `secondOf` says which second a row holds.
  const bins = new Uint32Array(SECONDS_KEPT * BINS);
  const secondOf = new Float64Array(SECONDS_KEPT).fill(-1);

  let answered = 0;

  return {
    record(ms) {
      answered += 1;
      const second = Math.floor(now() / 1000);
      const row = second % SECONDS_KEPT;
      if (secondOf[row] !== second) {
        secondOf[row] = second;
        bins.fill(0, row * BINS, (row + 1) * BINS);
      }
      bins[row * BINS + binOf(ms)]! += 1;
    },
    read(seconds) {
      const current = Math.floor(now() / 1000);
      const all = new Uint32Array(BINS);
      const history: CallHistory = {
        answered,
        calls: [],
        p50Ms: [],
        p99Ms: [],
        total: { calls: 0, p50Ms: null, p99Ms: null },
      };
      for (let second = current - seconds; second < current; second++) {
        const row = ((second % SECONDS_KEPT) + SECONDS_KEPT) % SECONDS_KEPT;
        const isKept = second >= 0 && secondOf[row] === second;
        const own = isKept ? bins.subarray(row * BINS, (row + 1) * BINS) : EMPTY;
        for (let bin = 0; bin < BINS; bin++) all[bin]! += own[bin]!;
        history.calls.push(sum(own));
        history.p50Ms.push(percentile(own, 0.5));
        history.p99Ms.push(percentile(own, 0.99));
      }
      history.total = {
        calls: sum(all),
        p50Ms: percentile(all, 0.5),
        p99Ms: percentile(all, 0.99),
      };
      return history;
    },
  };
}

const EMPTY = new Uint32Array(BINS);

function binOf(ms: number): number {
  const bin = Math.floor(Math.log2(ms / LEAST_MS) * BINS_PER_OCTAVE);
  // A clock that stood still gives 0, whose logarithm is no bin.
  return bin > 0 ? Math.min(BINS - 1, bin) : 0;
}

function sum(bins: Uint32Array): number {
  return bins.reduce((total, count) => total + count, 0);
}

/** Middle of the bin that holds the value at `share`, or null without values. */
function percentile(bins: Uint32Array, share: number): number | null {
  const total = sum(bins);
  if (total === 0) return null;
  const rank = Math.ceil(total * share);
  let seen = 0;
  for (let bin = 0; bin < BINS; bin++) {
    seen += bins[bin]!;
    if (seen >= rank) return LEAST_MS * 2 ** ((bin + 0.5) / BINS_PER_OCTAVE);
  }
  return null;
}
