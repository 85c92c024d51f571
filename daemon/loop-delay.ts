import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { Scope } from '../src/core/scope.ts';

/** Node's monitor wakes this often: budgets are counted in tens of milliseconds. */
const RESOLUTION_MS = 10;

/** How often it is decided whether to measure: an idle laptop wakes for this, and sleeps on. */
const DECIDE_MS = 2_000;

/** The loop's busy share from which there can be a delay; the monitor itself takes 1 %. */
const BUSY_SHARE = 0.05;

export interface LoopDelay {
  /** The 99th percentile in milliseconds since it was last asked for; 0 while the loop had nothing to do. */
  takeP99Ms(): number;
}

/**
 * Measure by how much the event loop is late, while it has work. Measuring an
 * idle loop would wake the machine a hundred times a second to find nothing.
 */
export function measureLoopDelay(scope: Scope): LoopDelay {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  scope.own(histogram, (monitor) => monitor.disable(), 'event loop monitor');
  let last = performance.eventLoopUtilization();
  const decide = (): void => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    if (utilization >= BUSY_SHARE) histogram.enable();
    else histogram.disable();
  };
  // A start is work.
  histogram.enable();
  scope.interval(DECIDE_MS, 'event loop utilisation', decide);
  return {
    takeP99Ms() {
      // What is recorded is the time between two wakes: an idle loop's is the resolution.
      const p99 = histogram.percentile(99) / 1e6 - RESOLUTION_MS;
      histogram.reset();
      return Number.isFinite(p99) ? Math.max(0, p99) : 0;
    },
  };
}
