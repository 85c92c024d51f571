import { backoffMs, pause } from '../src/protocol/link/backoff.ts';
import type { Connection } from '../src/protocol/link/connection.ts';
import type { Refusal } from '../src/protocol/link/hello.ts';
import type { ReachEvents } from '../src/protocol/link/reach-daemon.ts';
import type { UnreachableError } from '../src/protocol/link/unreachable.ts';

/** Between two attempts: shortest, and longest. */
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2000;

/**
 * Refusals for what the session itself asks for. Only another version of the
 * daemon can judge otherwise, so it is asked again this seldom; requests
 * meanwhile are answered at once.
 */
const LASTING_REFUSALS = new Set(['unsupported_surface', 'wrong_workspace']);
const REFUSED_MS = 30_000;

/** As `reachDaemon`, for one client. */
export type Reach = (
  events: ReachEvents,
  onAbsent: (why: string) => void,
  signal: AbortSignal,
) => Promise<Connection>;

/** Whoever wants a daemon. */
export interface Seeker {
  readonly events: ReachEvents;
  /** Nobody is there; called again whenever the reason changes. */
  onAbsent(why: string): void;
  /**
   * A daemon does not take us.
   *
   * @param lasting why it will not do so for a while; undefined when it may at the next attempt
   */
  onRefused(lasting: Refusal | undefined): void;
  /** A daemon is asked again. */
  onRetry(): void;
  adopt(connection: Connection): void;
}

/** Reach for a daemon until one is adopted, or `signal` aborts. */
export async function seekDaemon(reach: Reach, seeker: Seeker, signal: AbortSignal): Promise<void> {
  const onAbsent = (why: string) => seeker.onAbsent(why);
  for (let retry = 0; !signal.aborted; retry += 1) {
    let isCurrent = true;
    const events: ReachEvents = {
      ...seeker.events,
      onClose(reason) {
        isCurrent = false;
        seeker.events.onClose(reason);
      },
    };
    let pauseMs = backoffMs(retry, FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
    try {
      const connection = await reach(events, onAbsent, signal);
      if (signal.aborted) return connection.close();
      if (isCurrent) return seeker.adopt(connection);
      // It welcomed us and ended in the same breath.
    } catch (error) {
      onAbsent((error as Error).message);
      const { verdict, refusal } = error as Partial<UnreachableError>;
      const isLasting = refusal !== undefined && LASTING_REFUSALS.has(refusal.code);
      if (isLasting) pauseMs = REFUSED_MS;
      if (verdict === 'refused') seeker.onRefused(isLasting ? refusal : undefined);
    }
    await pause(pauseMs, signal);
    seeker.onRetry();
  }
}
