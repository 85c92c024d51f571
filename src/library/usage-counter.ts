import type { Usage } from '../store/state/usage.ts';
import type { LibraryEntry } from './scope-view.ts';

/**
 * Loads kept in memory before they are written. A count is no decision: losing
 * a few in a crash is better than a write for every call.
 */
const FLUSH_EVERY = 50;

interface Count {
  sourceRoot: string;
  plugin: string;
  kind: string;
  name: string;
  loads: number;
}

/** Counts which entries are loaded, for people who want to know what is used. */
export class UsageCounter {
  readonly #usage: Usage;
  readonly #counts = new Map<string, Count>();
  #waiting = 0;

  constructor(usage: Usage) {
    this.#usage = usage;
  }

  count(entry: LibraryEntry): void {
    const sourceRoot = entry.home.home.root;
    const key = [sourceRoot, entry.plugin, entry.kind, entry.name].join('\0');
    const known = this.#counts.get(key);
    if (known === undefined) {
      const { plugin, kind, name } = entry;
      this.#counts.set(key, { sourceRoot, plugin, kind, name, loads: 1 });
    } else {
      known.loads++;
    }
    if (++this.#waiting >= FLUSH_EVERY) this.flush();
  }

  flush(): void {
    this.#waiting = 0;
    const counts = [...this.#counts.values()];
    this.#counts.clear();
    this.#usage.add(counts);
  }
}
