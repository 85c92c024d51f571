import type { Scope } from '../../src/core/scope.ts';
import type { IndexerLog } from './log.ts';

/**
 * A thread that does not answer for this long hangs: its longest single work, the
 * check of a damaged index, takes seconds. What it had in work counts as its death.
 */
const HANG_MS = 60_000;

export interface ThreadWatchdogOptions {
  scope: Scope;
  log: IndexerLog;
  /** Silence after which a thread that has started is taken to hang. */
  hangMs: number | undefined;
  /** Settles when the thread answers. */
  ping(): Promise<unknown>;
  /** End the thread: one that dies is started again, one that hangs has to be ended first. */
  end(): void;
}

/** Asks the thread for a sign of life, and has it ended where none comes. */
export class ThreadWatchdog {
  readonly #options: ThreadWatchdogOptions;
  readonly #hangMs: number;
  #hasStarted = false;
  #pingedAt: number | undefined;

  constructor(options: ThreadWatchdogOptions) {
    this.#options = options;
    this.#hangMs = options.hangMs ?? HANG_MS;
    options.scope.interval(this.#hangMs / 4, 'indexer watchdog', () => this.#watch());
  }

  /** The thread has started. */
  noteStart(): void {
    this.#hasStarted = true;
  }

  /** Another thread is watched from now on. */
  reset(): void {
    this.#hasStarted = false;
    this.#pingedAt = undefined;
  }

  #watch(): void {
    const { log, ping, end } = this.#options;
    const now = performance.now();
    const hangMs = this.#hasStarted ? this.#hangMs : HANG_MS;
    if (this.#pingedAt === undefined) {
      this.#pingedAt = now;
      const answered = () => {
        this.#pingedAt = undefined;
      };
      ping().then(answered, answered);
    } else if (now - this.#pingedAt > hangMs) {
      this.#pingedAt = undefined;
      log.error({ hangMs }, 'the indexer thread hangs and is ended');
      end();
    }
  }
}
