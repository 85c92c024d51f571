import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

/** Note a birth; called by whoever spawns. Failing to write it must not prevent the birth. */
export function noteBirth(paths: StatePaths, now: number = Date.now()): void {
  try {
    const births = [...readBirths(paths, now), now];
    writeFileSync(birthsFile(paths), JSON.stringify(births), { mode: 0o600 });
  } catch {
    // A full disk; the limiter is a courtesy to the machine.
  }
}

/** How long to wait before the next birth: 0, then 1, 2, 4 … seconds. */
export function birthDelayMs(paths: StatePaths, now: number = Date.now()): number {
  const births = readBirths(paths, now);
  if (births.length < FREE_BIRTHS) return 0;
  const wait = Math.min(MOST_WAIT_MS, 1000 * 2 ** (births.length - FREE_BIRTHS));
  return Math.max(0, births.at(-1)! + wait - now);
}

function readBirths(paths: StatePaths, now: number): number[] {
  try {
    const births: unknown = JSON.parse(readFileSync(birthsFile(paths), 'utf8'));
    if (!Array.isArray(births)) return [];
    // Times in the future come from a clock that was set back; they would block births for hours.
    return births.filter(
      (at): at is number => typeof at === 'number' && at > now - WINDOW_MS && at <= now,
    );
  } catch {
    return [];
  }
}

function birthsFile(paths: StatePaths): string {
  return join(paths.root, 'births.json');
}
