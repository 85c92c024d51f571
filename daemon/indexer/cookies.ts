import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Scope } from '../../src/core/scope.ts';
import { DirectoryWatch } from './directory-watch.ts';

/**
 * Proof that the watcher has reported everything up to now: a file created
 * after a save is reported after it, because one event loop has one inotify
 * queue (design 3B).
 */
export class Cookies {
  readonly #dir: string;
  readonly #watch: DirectoryWatch<'cookies'>;
  readonly #awaited = new Map<string, () => void>();
  #made = 0;

  constructor(dir: string, scope: Scope) {
    this.#dir = dir;
    this.#watch = scope.own(
      new DirectoryWatch<'cookies'>((_key, path) => this.#see(basename(path))),
      (watch) => watch.close(),
      'cookie watch',
    );
    this.#sweep();
  }

  /**
   * Leave a cookie and wait until the watcher reports it.
   *
   * @returns false when none can be left or watched here
   */
  async pass(signal: AbortSignal): Promise<boolean> {
    // Again each time: a directory that was deleted is made anew and watched anew.
    try {
      mkdirSync(this.#dir, { recursive: true, mode: 0o700 });
      this.#watch.set('cookies', [{ dir: this.#dir }]);
      if (!this.#watch.isWatched(this.#dir)) return false;
    } catch {
      return false;
    }
    const name = `cookie-${process.pid}-${++this.#made}`;
    const path = join(this.#dir, name);
    try {
      return await new Promise<boolean>((resolve, reject) => {
        this.#awaited.set(name, () => resolve(true));
        signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
        try {
          writeFileSync(path, '', { flag: 'wx', mode: 0o600 });
        } catch {
          resolve(false);
        }
      });
    } finally {
      this.#awaited.delete(name);
      rmSync(path, { force: true });
    }
  }

  #see(name: string): void {
    this.#awaited.get(name)?.();
  }

  /** Cookies of a process that died are nobody's. */
  #sweep(): void {
    try {
      for (const name of readdirSync(this.#dir)) {
        if (name.startsWith('cookie-')) rmSync(join(this.#dir, name), { force: true });
      }
    } catch {
      // No directory, nothing to sweep.
    }
  }
}
