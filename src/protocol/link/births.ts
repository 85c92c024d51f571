import { rmSync } from 'node:fs';
import { pause } from './backoff.ts';
import { readOwnFile, replaceOwnFile } from './own-file.ts';
import type { StatePaths } from './state-paths.ts';

/**
 * Births of the last minute, so that a daemon which dies at birth is not born
 * a hundred times a minute by a hundred proxies.
 */
const WINDOW_MS = 60_000;

/** Births a minute that cost nothing: an upgrade, a crash and a person trying things. */
const FREE_BIRTHS = 4;

/** The longest wait: a harness gives up on a call after about a minute. */
const MOST_WAIT_MS = 20_000;

/** What slows the next birth down. */
export interface BirthLimit {
  /** Births of the last minute. */
  births: number;
  /** How long the next one still has to wait; 0 when it may come at once. */
  waitMs: number;
}

/** Note a birth; called by whoever spawns. Failing to write it must not prevent the birth. */
export function noteBirth(paths: StatePaths, now: number = Date.now()): void {
  writeBirths(paths, [...readBirths(paths, now), now]);
}

/**
 * What was noted last has come to no daemon that could keep dying: the place is
 * another's, or none may be here. Agents of a sandbox or a container each find
 * that out with a birth of their own, and must not wait for each other's.
 */
export function forgetLastBirth(paths: StatePaths, now: number = Date.now()): void {
  writeBirths(paths, readBirths(paths, now).slice(0, -1));
}

function writeBirths(paths: StatePaths, births: readonly number[]): void {
  try {
    // In one step: whoever waits for its turn reads it all the while.
    replaceOwnFile(paths.births, JSON.stringify(births));
  } catch {
    // A full disk; the limiter is a courtesy to the machine.
  }
}

/** How long to wait before the next birth: 0, then 1, 2, 4 … seconds. */
export function birthDelayMs(paths: StatePaths, now: number = Date.now()): number {
  return findBirthLimit(paths, now)?.waitMs ?? 0;
}

/** What `status` says of the limiter; undefined while births cost nothing. */
export function findBirthLimit(
  paths: StatePaths,
  now: number = Date.now(),
): BirthLimit | undefined {
  const births = readBirths(paths, now);
  if (births.length < FREE_BIRTHS) return undefined;
  const wait = Math.min(MOST_WAIT_MS, 1000 * 2 ** (births.length - FREE_BIRTHS));
  return { births: births.length, waitMs: Math.max(0, births.at(-1)! + wait - now) };
}

/** The limiter in words. */
export function explainBirthLimit({ births, waitMs }: BirthLimit): string {
  const next = waitMs > 0 ? `waits ${Math.ceil(waitMs / 1000)} s` : 'would have to wait';
  return `the daemon was started ${births} times within a minute, so that its next start ${next}`;
}

/** The command that releases the limiter. */
export const FORGIVES_BIRTHS = 'lectern daemon start';

/** A person wants a daemon now: whatever waits for its turn goes on. */
export function forgiveBirths(paths: StatePaths): void {
  remove(paths.births);
}

function remove(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // A state root that cannot be used: what is done next says why.
  }
}

/** How often a waiting birth looks whether the limiter was released. */
const LOOK_MS = 200;

/**
 * Wait for the turn of the next birth; ends early when it is released, or `isOver`.
 *
 * @param onWait called while there is something to wait for, with what it is and how to end it
 */
export async function awaitBirth(
  paths: StatePaths,
  isOver: () => boolean,
  onWait: (why: string) => void,
  signal?: AbortSignal,
): Promise<void> {
  while (!isOver()) {
    const why = whyBirthWaits(paths);
    if (why === undefined) return;
    onWait(why);
    await pause(Math.min(birthDelayMs(paths), LOOK_MS), signal);
  }
}

/** What the next birth waits for, and how to end it; undefined when it may come. */
export function whyBirthWaits(paths: StatePaths): string | undefined {
  const limit = findBirthLimit(paths);
  if (limit === undefined || limit.waitMs === 0) return undefined;
  return `${explainBirthLimit(limit)} (at once: ${FORGIVES_BIRTHS})`;
}

/** When the last birth was noted; undefined when that is longer ago than the limiter looks back. */
export function lastBirthAt(paths: StatePaths, now: number = Date.now()): number | undefined {
  return readBirths(paths, now).at(-1);
}

function readBirths(paths: StatePaths, now: number): number[] {
  try {
    const births: unknown = JSON.parse(readOwnFile(paths.births));
    if (!Array.isArray(births)) return [];
    // Times in the future come from a clock that was set back; they would block births for hours.
    return births.filter(
      (at): at is number => typeof at === 'number' && at > now - WINDOW_MS && at <= now,
    );
  } catch {
    return [];
  }
}
