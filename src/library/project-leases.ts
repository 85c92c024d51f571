import type { Indexer } from '../store/indexer-port.ts';
import type { LibraryLog } from './parts.ts';

/**
 * How long a project stays read after the last session or command that used it.
 * A person types a few commands a minute; reading a project again costs more
 * than keeping it.
 */
const LINGER_MS = 60_000;

interface Lease {
  users: number;
  /** Resolves when the project has been read; drops the indexer's lease. */
  opened: Promise<() => void>;
  linger: NodeJS.Timeout | undefined;
}

/** Keeps the projects of the connected sessions read and watched, each once. */
export class ProjectLeases {
  readonly #indexer: Indexer;
  readonly #log: LibraryLog;
  readonly #leases = new Map<string, Lease>();

  constructor(indexer: Indexer, log: LibraryLog) {
    this.#indexer = indexer;
    this.#log = log;
  }

  /**
   * Resolves when the project's folders have been read. A project that cannot
   * be read is a line in the log: the catalogs are searched without it.
   *
   * @returns gives the lease back; safe to call twice
   */
  async take(root: string): Promise<() => void> {
    let lease = this.#leases.get(root);
    if (lease === undefined) {
      lease = { users: 0, opened: this.#open(root), linger: undefined };
      this.#leases.set(root, lease);
    }
    clearTimeout(lease.linger);
    lease.users++;
    const held = lease;
    await held.opened;
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      held.users--;
      if (held.users > 0 || this.#leases.get(root) !== held) return;
      held.linger = setTimeout(() => void this.#drop(root, held), LINGER_MS);
      held.linger.unref();
    };
  }

  async close(): Promise<void> {
    const leases = [...this.#leases.entries()];
    await Promise.all(leases.map(([root, lease]) => this.#drop(root, lease)));
  }

  async #open(root: string): Promise<() => void> {
    try {
      return await this.#indexer.leaseRoot({ root, kind: 'project' });
    } catch (error) {
      this.#log.warn({ root, error: String(error) }, 'project folders cannot be read');
      this.#leases.delete(root);
      return () => {};
    }
  }

  async #drop(root: string, lease: Lease): Promise<void> {
    clearTimeout(lease.linger);
    this.#leases.delete(root);
    (await lease.opened)();
  }
}
