/**
 * How long the files of a root must be quiet before it is read again. Editors
 * save in up to three steps (truncate, write, rename) within 20 ms.
 */
const QUIET_MS = 20;

/** A file that is written without a pause is indexed at least this often. */
const PATIENCE_MS = 100;

/**
 * More paths than a person saves at once: a checkout, an unpacking. A git
 * checkout of 1,000 files takes about 80 ms on a laptop and several times that
 * on a busy machine; reading it in the middle would only be done again.
 */
const CROWD = 20;
const CROWD_PATIENCE_MS = 1_000;
const CROWD_QUIET_MS = 60;

/** File events of one root that have not been acted on yet. Times by one monotonic clock, in ms. */
export interface Burst {
  firstAt: number;
  lastAt: number;
  /** Distinct paths so far. */
  paths: number;
}

/**
 * When a burst should be acted on: once it has been quiet, at the latest when
 * patience ends. A crowd of files is waited for longer than a single save.
 */
export function dueAt(burst: Burst): number {
  const isCrowd = burst.paths > CROWD;
  const quiet = burst.lastAt + (isCrowd ? CROWD_QUIET_MS : QUIET_MS);
  return Math.min(quiet, burst.firstAt + (isCrowd ? CROWD_PATIENCE_MS : PATIENCE_MS));
}
