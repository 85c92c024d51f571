import { performance } from 'node:perf_hooks';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** How often we look; garbage that lies a few seconds longer harms nobody. */
const LOOK_MS = 5_000;

/** Below this busy share of the loop nobody waits for it. */
const IDLE_SHARE = 0.05;

/**
 * Garbage worth a collection, which stops the thread for about 1 ms per MB that
 * lives: 16 MB come from a hundred searches, or half of what lives where that
 * is more, so that a large index is seldom stopped.
 */
const LEAST_GARBAGE_BYTES = 16e6;
const LEAST_GARBAGE_SHARE = 0.5;

/** Whether a heap that held `afterBytes` after its last collection should be collected now. */
export function isWorthCollecting(usedBytes: number, afterBytes: number, busyShare: number) {
  const garbage = usedBytes - afterBytes;
  const least = Math.max(LEAST_GARBAGE_BYTES, afterBytes * LEAST_GARBAGE_SHARE);
  return busyShare < IDLE_SHARE && garbage >= least;
}

/**
 * Give memory back when the calling thread has come to rest. V8 collects when
 * something is allocated: after a burst of searches or a line of 60 MB an idle
 * daemon would keep up to 300 MB of garbage until the next burst. The timer
 * keeps no process alive.
 *
 * @returns stops it
 */
export function collectWhenIdle(): () => void {
  let last = performance.eventLoopUtilization();
  let afterBytes = 0;
  // The nursery is given back by the second of two with little allocated between them.
  let isSecondDue = false;
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, last);
    last = now;
    const heldNow = heldBytes();
    // Buffers are let go of beside the thread, some time after the collection that found them.
    afterBytes = Math.min(afterBytes, heldNow);
    const isFirst = isWorthCollecting(heldNow, afterBytes, utilization);
    if (!isFirst && !(isSecondDue && utilization < IDLE_SHARE)) return;
    isSecondDue = isFirst;
    takeCollector()?.();
    afterBytes = heldBytes();
  }, LOOK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Objects, and the buffers outside the heap that live and die with them. */
function heldBytes(): number {
  const { used_heap_size, external_memory } = getHeapStatistics();
  return used_heap_size + external_memory;
}

/**
 * V8's collector, which only a flag shows. It is shown for a moment: code that
 * was compiled ahead is refused under other flags than it was compiled with.
 */
function takeCollector(): (() => void) | undefined {
  setFlagsFromString('--expose-gc');
  try {
    return runInNewContext('gc') as () => void;
  } catch {
    // Another thread took the flag back in between; the next look is soon.
    return undefined;
  } finally {
    setFlagsFromString('--no-expose-gc');
  }
}
