import { setImmediate } from 'node:timers/promises';

/**
 * How long reading may hold the event loop. Directory listings and stats are
 * made synchronously, because a call through the thread pool costs ten times
 * the work itself; this keeps them within the budget of 20 ms (design 11).
 */
const SLICE_MS = 5;

/** Hands the event loop back whenever a slice is used up. */
export interface Pacer {
  /** @throws the signal's reason once it is aborted */
  breathe(): Promise<void> | undefined;
}

/** @param now monotonic milliseconds */
export function createPacer(signal?: AbortSignal, now = () => performance.now()): Pacer {
  let sliceEnds = now() + SLICE_MS;
  return {
    breathe() {
      signal?.throwIfAborted();
      if (now() < sliceEnds) return undefined;
      return setImmediate().then(() => {
        signal?.throwIfAborted();
        sliceEnds = now() + SLICE_MS;
      });
    },
  };
}
