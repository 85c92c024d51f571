import type { Pulse } from './snapshot.ts';

/** Readings kept: a line across the widest card there is. */
const MOST_KEPT = 240;

/** What the daemon tells as of now only; the dashboard remembers the way it went. */
export interface History {
  readonly rssBytes: readonly number[];
  readonly loopDelayMs: readonly number[];
}

export const NO_HISTORY: History = { rssBytes: [], loopDelayMs: [] };

/** The history with one reading more. */
export function addReading(history: History, { daemon }: Pulse): History {
  return {
    rssBytes: [...history.rssBytes, daemon.rssBytes].slice(-MOST_KEPT),
    loopDelayMs: [...history.loopDelayMs, daemon.loopDelayP99Ms].slice(-MOST_KEPT),
  };
}
