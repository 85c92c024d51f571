import { type FSWatcher, statSync, watch } from 'node:fs';
import { basename, join } from 'node:path';

/** A directory to watch; with `only`, just the entry of that name in it. */
export interface WatchedPlace {
  dir: string;
  only?: string;
}

/** Called for each event, in the order in which the kernel reported them. */
export type WatchListener<Key> = (key: Key, path: string) => void;

export interface WatchOutcome {
  /** Directories that were not watched before this call: what happened in them until now is unknown. */
  fresh: number;
  /** The code of the limit that was met (ENOSPC, EMFILE, ENFILE): nothing is watched for the key. */
  limit?: string;
}

interface Watched {
  watcher: FSWatcher;
  /** A directory made anew at the same path needs a new watch. */
  identity: string;
  users: Map<unknown, string | undefined>;
}

export type OpenWatch = (dir: string) => FSWatcher;

// Watching alone never keeps the process alive.
const watchNatively: OpenWatch = (dir) => watch(dir, { persistent: false });

const LIMITS = new Set(['ENOSPC', 'EMFILE', 'ENFILE']);

/**
 * Watches single directories, never trees. `fs.watch` itself rather than
 * chokidar: chokidar reports after a stat or a listing of its own, so events
 * lose the kernel's order (a cookie could overtake a save), it cannot say when
 * a new directory has begun to be watched, and it holds a watch for each file.
 * One event loop has one inotify queue, which keeps the order over all directories.
 */
export class DirectoryWatch<Key> {
  readonly #watched = new Map<string, Watched>();
  readonly #listener: WatchListener<Key>;
  readonly #open: OpenWatch;

  constructor(listener: WatchListener<Key>, open: OpenWatch = watchNatively) {
    this.#listener = listener;
    this.#open = open;
  }

  /** Directories watched now. */
  get size(): number {
    return this.#watched.size;
  }

  isWatched(dir: string): boolean {
    return this.#watched.has(dir);
  }

  /**
   * Watch exactly these places for `key`; places that do not exist are passed over.
   * Two places in one directory are the whole of it.
   */
  set(key: Key, places: readonly WatchedPlace[]): WatchOutcome {
    const wanted = new Map<string, string | undefined>();
    for (const { dir, only } of places) {
      wanted.set(dir, wanted.has(dir) && wanted.get(dir) !== only ? undefined : only);
    }
    for (const [dir, watched] of this.#watched) {
      if (!wanted.has(dir) && watched.users.delete(key)) this.#release(dir, watched);
    }
    let fresh = 0;
    for (const [dir, only] of wanted) {
      try {
        if (this.#add(key, dir, only)) fresh++;
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code ?? '';
        if (LIMITS.has(code)) {
          this.remove(key);
          return { fresh: 0, limit: code };
        }
        // It does not exist (yet, or any more): the directory above it is watched and tells.
      }
    }
    return { fresh };
  }

  remove(key: Key): void {
    for (const [dir, watched] of this.#watched) {
      if (watched.users.delete(key)) this.#release(dir, watched);
    }
  }

  close(): void {
    for (const watched of this.#watched.values()) watched.watcher.close();
    this.#watched.clear();
  }

  /** True when the directory was not watched for `key` in just this way. */
  #add(key: Key, dir: string, only: string | undefined): boolean {
    const identity = identify(dir);
    let watched = this.#watched.get(dir);
    if (watched !== undefined && watched.identity !== identity) {
      this.#lose(dir, watched);
      watched = undefined;
    }
    if (watched === undefined) {
      const watcher = this.#open(dir);
      watched = { watcher, identity, users: new Map() };
      const current = watched;
      watcher.on('change', (_event, name) => this.#report(dir, current, name?.toString()));
      watcher.on('error', () => {
        this.#tell(current, dir, undefined);
        this.#lose(dir, current);
      });
      this.#watched.set(dir, watched);
    }
    const isFresh = !watched.users.has(key) || watched.users.get(key) !== only;
    watched.users.set(key, only);
    return isFresh;
  }

  #report(dir: string, watched: Watched, name: string | undefined): void {
    // So the kernel names a directory's own end or move. A child of the same name is
    // taken for it too, which costs one new watch; whoever is told sets its places again.
    if (name === undefined || name === basename(dir)) {
      this.#tell(watched, dir, undefined);
      this.#lose(dir, watched);
      return;
    }
    this.#tell(watched, dir, name);
  }

  #tell(watched: Watched, dir: string, name: string | undefined): void {
    for (const [key, only] of watched.users) {
      if (only !== undefined && name !== undefined && name !== only) continue;
      this.#listener(key as Key, name === undefined ? dir : join(dir, name));
    }
  }

  #release(dir: string, watched: Watched): void {
    if (watched.users.size === 0) this.#lose(dir, watched);
  }

  #lose(dir: string, watched: Watched): void {
    watched.watcher.close();
    if (this.#watched.get(dir) === watched) this.#watched.delete(dir);
  }
}

/** Inode numbers are used again at once, so the time of birth belongs to it. */
function identify(dir: string): string {
  const { dev, ino, birthtimeNs } = statSync(dir, { bigint: true });
  return `${dev}:${ino}:${birthtimeNs}`;
}
