import { LecternError } from '../../src/core/errors.ts';
import type { IndexProgress } from '../../src/store/indexer-port.ts';
import {
  type Ask,
  type AskParams,
  type AskResult,
  type FromIndexer,
  type ToIndexer,
  uncarryError,
} from './messages.ts';

interface Pending {
  message: ToIndexer;
  resolve(result: unknown): void;
  reject(error: LecternError): void;
  onProgress: ((progress: IndexProgress) => void) | undefined;
  /** Threads that died while this was asked. */
  deaths: number;
}

/** What the thread was asked and has not answered yet. */
export class Asks {
  readonly #post: (message: ToIndexer) => void;
  readonly #pending = new Map<number, Pending>();
  #lastId = 0;
  #isClosing = false;

  /** @param post sends a message to the thread that lives now */
  constructor(post: (message: ToIndexer) => void) {
    this.#post = post;
  }

  /** @throws LecternError interrupted once the index is closing, or what the thread refuses with */
  ask<A extends Ask>(
    what: A,
    params: AskParams<A>,
    onProgress?: (progress: IndexProgress) => void,
  ): Promise<AskResult<A>> {
    if (this.#isClosing && what !== 'close') return Promise.reject(closingError());
    return new Promise((resolve, reject) => {
      const message = { id: ++this.#lastId, ask: what, params } as ToIndexer;
      this.#pending.set(message.id, {
        message,
        resolve: resolve as (result: unknown) => void,
        reject,
        onProgress,
        deaths: 0,
      });
      this.#post(message);
    });
  }

  /** Hand an answer of the thread, or how far it is, to whoever asked. */
  hear(message: Extract<FromIndexer, { tell: 'done' | 'failed' | 'progress' }>): void {
    const asked = this.#pending.get(message.id);
    if (message.tell === 'progress') {
      asked?.onProgress?.(message.progress);
      return;
    }
    if (message.tell === 'done') asked?.resolve(message.result);
    else asked?.reject(uncarryError(message.error));
    this.#pending.delete(message.id);
  }

  /**
   * A new thread took the place of a dead one: ask it what that one was asked, once.
   *
   * @param takeUp asks the new thread for what it has to know first
   */
  repeat(takeUp: () => void): void {
    // Before: what is asked now needs no repeating.
    const unanswered = [...this.#pending.values()];
    takeUp();
    for (const asked of unanswered) {
      if (asked.deaths++ === 0) {
        this.#post(asked.message);
      } else {
        this.#pending.delete(asked.message.id);
        asked.reject(new LecternError('internal', 'the indexer ended twice while at this'));
      }
    }
  }

  /** Refuse what waits, and from now on everything but the request to close. */
  refuse(): void {
    this.#isClosing = true;
    for (const asked of this.#pending.values()) asked.reject(closingError());
    this.#pending.clear();
  }
}

function closingError(): LecternError {
  return new LecternError('interrupted', 'the index is closing');
}
