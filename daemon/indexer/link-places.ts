import { readlinkSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { WatchedPlace } from './directory-watch.ts';

/** The kernel follows no more links in one path (path_resolution(7)). */
const MOST_LINKS = 40;

/**
 * Where the links lie over which a path leads, its own name included. A directory
 * that is watched through a link tells nothing when the link is led elsewhere:
 * only the directory that holds the link does.
 *
 * @returns nothing for a path without links, as enrolled ones are at first
 */
export function placesOfLinks(path: string): WatchedPlace[] {
  const places: WatchedPlace[] = [];
  const follow = (from: string): void => {
    for (let at = from; dirname(at) !== at; at = dirname(at)) {
      const target = readTarget(at);
      if (target === undefined) continue;
      if (places.length >= MOST_LINKS) return;
      places.push({ dir: dirname(at), only: basename(at) });
      follow(resolve(dirname(at), target));
    }
  };
  follow(path);
  return places;
}

function readTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    // No link, or not there.
    return undefined;
  }
}
