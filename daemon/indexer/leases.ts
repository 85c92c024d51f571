import type { Scope } from '../../src/core/scope.ts';
import type { IndexRoot } from '../../src/store/indexer-port.ts';
import type { Asks } from './asks.ts';

/**
 * How long a project stays watched after its last session: an agent that is
 * restarted, or the next one in the same project, finds it fresh.
 */
const LEASE_GRACE_MS = 10 * 60_000;

/**
 * Projects that are watched although no session is in them. Agents that are started
 * in a new directory each time, hundreds in ten minutes, would use up the roots and
 * watches of those that are in use; people go back to a handful.
 */
const MOST_IDLE = 64;

interface Lease {
  root: IndexRoot;
  holders: number;
  /** Ends the grace time, if one runs. */
  cancel(): void;
}

/** Which roots are watched only while sessions hold them. */
export class Leases {
  readonly #scope: Scope;
  readonly #asks: Pick<Asks, 'ask'>;
  /** By path. */
  readonly #leases = new Map<string, Lease>();

  constructor(scope: Scope, asks: Pick<Asks, 'ask'>) {
    this.#scope = scope;
    this.#asks = asks;
  }

  /** Hold a root; resolves when it is read. The returned function lets go of it, once. */
  async hold(root: IndexRoot): Promise<() => void> {
    const lease = this.#leaseOf(root);
    lease.cancel();
    lease.holders++;
    let isHeld = true;
    const drop = () => {
      if (!isHeld) return;
      isHeld = false;
      this.#drop(lease);
    };
    try {
      await this.#asks.ask('lease', { root });
      return drop;
    } catch (error) {
      drop();
      throw error;
    }
  }

  /** Whoever holds it: the root is removed. */
  forget(path: string): void {
    this.#leases.get(path)?.cancel();
    this.#leases.delete(path);
  }

  /** Have a new thread watch what is leased. */
  renew(): void {
    for (const { root } of this.#leases.values()) {
      void this.#asks.ask('lease', { root }).catch(() => {});
    }
  }

  #leaseOf(root: IndexRoot): Lease {
    let lease = this.#leases.get(root.root);
    if (lease === undefined) {
      lease = { root, holders: 0, cancel: () => {} };
      this.#leases.set(root.root, lease);
    }
    return lease;
  }

  #drop(lease: Lease): void {
    const path = lease.root.root;
    lease.holders--;
    if (lease.holders > 0 || this.#leases.get(path) !== lease || this.#scope.isClosed) return;
    // The one that was left last stands last.
    this.#leases.delete(path);
    this.#leases.set(path, lease);
    lease.cancel = this.#scope.timeout(LEASE_GRACE_MS, 'lease grace', () => this.#end(lease));
    const idle = [...this.#leases.values()].filter(({ holders }) => holders === 0);
    for (const oldest of idle.slice(0, -MOST_IDLE)) this.#end(oldest);
  }

  #end(lease: Lease): void {
    const path = lease.root.root;
    lease.cancel();
    this.#leases.delete(path);
    void this.#asks.ask('unlease', { root: path }).catch(() => {});
  }
}
