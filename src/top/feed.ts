import { livingDaemon } from '../cli/daemon-life.ts';
import { toLecternError } from '../core/errors.ts';
import type { AdminMethod } from '../protocol/admin/method.ts';
import { type AdminClient, connectAdmin } from '../protocol/client.ts';
import { indexProgress } from './index-facts.ts';
import { type Ask, readPulse, readStanding, type Snapshot } from './snapshot.ts';

/**
 * How old catalogs and problems may be: asking looks at every catalog's
 * directory. While something is indexed they are asked with every pulse.
 */
const STANDING_MS = 5_000;

/** Where the dashboard's snapshots come from. */
export interface Feed {
  readonly snapshot: Snapshot;
  /** Ask again, or wait for the answer that is on its way. Never fails: what went wrong is in the snapshot. */
  refresh(): Promise<void>;
  close(): void;
}

/** Lets everything pass: the daemon checks what it is asked, with the method's own schema. */
const anything = { parse: (value: unknown) => value };

/**
 * A connection to the daemon that is made anew whenever there is a daemon
 * again. It never starts one: who watches changes nothing.
 */
export function openFeed(workspace: string | null): Feed {
  const ended = new AbortController();
  let client: AdminClient | undefined;
  let reading: Promise<void> | undefined;
  let standingAt = Number.NEGATIVE_INFINITY;
  let snapshot: Snapshot = { at: Date.now(), pulse: null, standing: null, failure: null };

  const ask = ((method: string, params: Record<string, unknown>) =>
    client!.call(
      { method, params: anything, result: anything } as unknown as AdminMethod,
      params,
    )) as Ask;

  async function connect(): Promise<boolean> {
    if (client !== undefined) return true;
    if (livingDaemon() === undefined) return false;
    client = await connectAdmin({ autostart: false, workspace, signal: ended.signal });
    standingAt = Number.NEGATIVE_INFINITY;
    return true;
  }

  function drop(failure: string | null): void {
    client?.close();
    client = undefined;
    snapshot = { at: Date.now(), pulse: null, standing: null, failure };
  }

  /** The standing, when it is due; why it cannot be had is told beside the old one. */
  async function readDueStanding(): Promise<Pick<Snapshot, 'standing' | 'failure'>> {
    const { standing, failure } = snapshot;
    const isIndexing = indexProgress(standing?.status) !== null;
    if (!isIndexing && performance.now() - standingAt < STANDING_MS) return { standing, failure };
    standingAt = performance.now();
    try {
      return { standing: await readStanding(ask, workspace), failure: null };
    } catch (error) {
      return { standing, failure: toLecternError(error).message };
    }
  }

  async function read(): Promise<void> {
    try {
      if (!(await connect())) return drop(null);
      const pulse = await readPulse(ask);
      const rest = await readDueStanding();
      snapshot = { at: Date.now(), pulse, ...rest };
    } catch (error) {
      drop(toLecternError(error).message);
    }
  }

  return {
    get snapshot() {
      return snapshot;
    },
    refresh() {
      reading ??= read().finally(() => {
        reading = undefined;
      });
      return reading;
    },
    close() {
      ended.abort();
      client?.close();
    },
  };
}
