import { LecternError } from '../core/errors.ts';

/**
 * How long an operation waits for another one on the same catalog: a first
 * clone of a large repository over a slow line takes minutes.
 */
const WAIT_LIMIT_MS = 10 * 60_000;

/** Runs what concerns one key in turn, and what concerns others beside it. */
export class KeyedLock {
  readonly #tails = new Map<string, Promise<void>>();

  /** @throws LecternError index_busy (50) when the wait limit passed */
  async run<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#tails.get(key);
    let release = () => {};
    const mine = new Promise<void>((resolve) => {
      release = resolve;
    });
    const tail = (before ?? Promise.resolve()).then(() => mine);
    this.#tails.set(key, tail);
    try {
      if (before !== undefined) await waitFor(before, key);
      return await work();
    } finally {
      release();
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    }
  }
}

async function waitFor(before: Promise<void>, key: string): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new LecternError('index_busy', `another command is still busy with ${key}`)),
      WAIT_LIMIT_MS,
    );
    timer.unref();
  });
  try {
    await Promise.race([before, limit]);
  } finally {
    clearTimeout(timer);
  }
}
