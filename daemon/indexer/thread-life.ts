import type { Worker } from 'node:worker_threads';
import type { Scope } from '../../src/core/scope.ts';
import type { PartCode } from '../part-code.ts';
import type { IndexerLog } from './log.ts';
import type { FromIndexer, IndexerThreadData, ToIndexer } from './messages.ts';
import { startIndexerThread } from './start-thread.ts';

/** Rest before a dead thread is started again; doubles with each death up to the limit. */
const RESTART_MS = 200;
const RESTART_LIMIT_MS = 30_000;

/** A thread that was told to close and does not within this time is ended. */
const CLOSE_MS = 3_000;

/** A thread that lived this long was healthy. */
const HEALTHY_MS = 60_000;

export interface ThreadLifeOptions {
  scope: Scope;
  log: IndexerLog;
  code: PartCode;
  data: IndexerThreadData;
  onMessage(message: FromIndexer): void;
  /** A new thread took the place of a dead one and knows nothing of what that one was asked. */
  onRestart(): void;
}

/** The indexer thread, started again whenever it ends. */
export class ThreadLife {
  readonly #options: ThreadLifeOptions;
  #restartMs = RESTART_MS;
  #isClosing = false;
  /** Until the rest after its death is over. */
  #isDead = false;
  #thread: Worker;

  constructor(options: ThreadLifeOptions) {
    this.#options = options;
    this.#thread = this.#start();
  }

  post(message: ToIndexer): void {
    this.#thread.postMessage(message);
  }

  /** End a thread that hangs; the next one is started as after any death. */
  end(): void {
    void this.#thread.terminate();
  }

  /** @param askToClose settles when the thread has closed what it holds */
  async close(askToClose: () => Promise<unknown>): Promise<void> {
    this.#isClosing = true;
    // It would neither answer nor end: the closing would be over only with the patience.
    if (this.#isDead) return;
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise((resolve) => {
      timer = setTimeout(resolve, CLOSE_MS);
      this.#thread.once('exit', resolve);
    });
    await Promise.race([askToClose(), patience]).catch(() => {});
    clearTimeout(timer);
    await this.#thread.terminate();
  }

  #start(): Worker {
    const { scope, log, code, data, onMessage, onRestart } = this.#options;
    const thread = startIndexerThread(code, data);
    const startedAt = performance.now();
    thread.on('message', (message: FromIndexer) => onMessage(message));
    thread.on('error', (error) => log.error({ err: error }, 'the indexer thread failed'));
    this.#isDead = false;
    thread.on('exit', () => {
      this.#isDead = true;
      if (this.#isClosing) return;
      if (performance.now() - startedAt > HEALTHY_MS) this.#restartMs = RESTART_MS;
      const restartMs = this.#restartMs;
      log.error({ restartMs }, 'the indexer thread ended; it is started again');
      scope.timeout(restartMs, 'indexer restart', () => {
        this.#thread = this.#start();
        onRestart();
      });
      this.#restartMs = Math.min(restartMs * 2, RESTART_LIMIT_MS);
    });
    return thread;
  }
}
