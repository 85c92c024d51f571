import { basename, dirname } from 'node:path';
import type { Scope } from '../../src/core/scope.ts';
import { DirectoryWatch, type OpenWatch, type WatchedPlace } from './directory-watch.ts';
import { findRemoteFileSystem } from './filesystem.ts';
import { isDirectory } from './is-directory.ts';
import { placesOfLinks } from './link-places.ts';
import type { LogLevel } from './messages.ts';
import { isRelevant } from './relevance.ts';
import { isRemoved, type Polling, type Root } from './root.ts';

/** Directories watched for one root; the default inotify limit of old kernels is 8,192 in all. */
const MAX_WATCHED_DIRS = 4_096;

/**
 * How long after a limit was met watching is tried again: editors and builds take
 * thousands of watches and give them back, and people raise the limit.
 */
const WATCH_AGAIN_MS = 60_000;

/** Events in one turn that suggest that the kernel's queue (16,384) may have overflown. */
const DOUBTFUL_CROWD = 8_000;

export interface WatchesDependencies {
  scope: Scope;
  onHealth(): void;
  log(level: LogLevel, message: string, fields: Record<string, unknown>): void;
  /** Stands in for `fs.watch` where a test wants it to fail. */
  openWatch?: OpenWatch;
  maxWatchedDirs?: number;
}

export interface WatchReports {
  /** Something happened at `path` that can change a reading of the root. */
  signal(root: Root, path: string): void;
  /** Events may have been lost. */
  doubt(why: string): void;
}

/** The directories that are watched for each root; where they cannot be, the root is polled. */
export class RootWatches {
  readonly #deps: WatchesDependencies;
  readonly #reports: WatchReports;
  readonly #watch: DirectoryWatch<Root>;
  #eventsThisTurn = 0;

  constructor(deps: WatchesDependencies, reports: WatchReports) {
    this.#deps = deps;
    this.#reports = reports;
    this.#watch = deps.scope.own(
      new DirectoryWatch<Root>((root, path) => this.#notice(root, path), deps.openWatch),
      (watch) => watch.close(),
      'directory watches',
    );
  }

  /** @returns directories that were not watched before */
  watchAll(root: Root, dirs: readonly string[]): number {
    if (isRemoved(root)) return 0;
    if (root.polled !== null && performance.now() < root.polled.watchAgainAt) return 0;
    const most = this.#deps.maxWatchedDirs ?? MAX_WATCHED_DIRS;
    if (dirs.length > most) {
      this.#startPolling(root, {
        reason: `${dirs.length} directories would have to be watched; at most ${most} are, per root`,
        remedy: 'enrol the folders in it as catalogs of their own',
        // There may be fewer by the next reading.
        watchAgainAt: 0,
      });
      return 0;
    }
    return this.#setWatch(root, [...dirs.map((dir) => ({ dir })), ...placesOfLinks(root.root)]);
  }

  async pollIfRemote(root: Root): Promise<void> {
    const remote = await findRemoteFileSystem(root.root);
    if (remote !== undefined) {
      this.#startPolling(root, {
        reason: `${remote} does not report changes made on other machines`,
        remedy: 'lectern reindex   (reads it at once)',
        watchAgainAt: Number.POSITIVE_INFINITY,
      });
    }
  }

  /** Watch for the return of a root that is gone, from the nearest directory above it that exists. */
  awaitReturn(root: Root): void {
    if (root.polled !== null || isRemoved(root)) return;
    let name = basename(root.root);
    let above = dirname(root.root);
    while (!isDirectory(above) && dirname(above) !== above) {
      name = basename(above);
      above = dirname(above);
    }
    const fresh = this.#setWatch(root, [{ dir: above, only: name }]);
    // It may have come back before the watch began.
    if (fresh > 0) this.#reports.signal(root, root.root);
  }

  remove(root: Root): void {
    this.#watch.remove(root);
  }

  #notice(root: Root, path: string): void {
    if (this.#eventsThisTurn++ === 0) {
      setImmediate(() => {
        const crowd = this.#eventsThisTurn;
        this.#eventsThisTurn = 0;
        if (crowd > DOUBTFUL_CROWD) this.#reports.doubt(`${crowd} events in one turn`);
      });
    }
    if (path === root.root || isRelevant(path, this.#watch.isWatched(path))) {
      this.#reports.signal(root, path);
    }
  }

  #setWatch(root: Root, places: readonly WatchedPlace[]): number {
    const outcome = this.#watch.set(root, places);
    if (outcome.limit !== undefined) this.#startPolling(root, describeLimit(outcome.limit));
    else this.#endPolling(root);
    return outcome.fresh;
  }

  #startPolling(root: Root, polling: Polling): void {
    const isKnown = root.polled?.reason === polling.reason;
    root.polled = polling;
    this.#watch.remove(root);
    if (isKnown) return;
    const { reason } = polling;
    this.#deps.log('warn', 'a root is polled', { root: root.root, reason });
    this.#deps.onHealth();
  }

  #endPolling(root: Root): void {
    if (root.polled === null) return;
    root.polled = null;
    this.#deps.log('info', 'a root that was polled is watched', { root: root.root });
    this.#deps.onHealth();
  }
}

function describeLimit(code: string): Polling {
  const watchAgainAt = performance.now() + WATCH_AGAIN_MS;
  return code === 'ENOSPC'
    ? {
        reason: 'the limit of inotify watches is reached (sysctl fs.inotify.max_user_watches)',
        remedy: 'sudo sysctl fs.inotify.max_user_watches=524288',
        watchAgainAt,
      }
    : {
        reason:
          'the limit of open files or inotify instances is reached (ulimit -n, sysctl fs.inotify.max_user_instances)',
        remedy:
          'sudo sysctl fs.inotify.max_user_instances=1024   (or a higher ulimit -n, and lectern daemon restart)',
        watchAgainAt,
      };
}
