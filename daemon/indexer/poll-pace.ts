import type { Root } from './root.ts';

/** Rest between readings of a polled root; a slow one rests this many times its own duration. */
export const POLL_MS = 2_000;
const POLL_REST = 20;

/**
 * A polled root is read for a search if that takes no longer than this: a search
 * waits 250 ms. Reading one of 20,000 entries for each search kept a core at work
 * and made every search wait in vain.
 */
export const SEARCH_PASS_MS = 150;

/** Rest between readings that look for missed events: at most 1 % of one core. */
const RECONCILE_MS = 60_000;
const RECONCILE_REST = 100;

/**
 * Whether a root that nothing was reported of has rested long enough to be read
 * again. Asked every POLL_MS.
 *
 * @param now ms of the monotonic clock
 */
export function isPollDue(root: Root, now: number): boolean {
  const rest =
    root.polled === null
      ? Math.max(RECONCILE_MS, RECONCILE_REST * root.passMs)
      : Math.max(POLL_MS, POLL_REST * root.passMs);
  // The timer ticks every POLL_MS; without slack a root would wait for every second tick.
  return now - root.lastPassAt >= rest - POLL_MS / 2;
}
