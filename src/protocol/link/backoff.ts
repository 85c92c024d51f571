/**
 * Delay before the n-th retry (n from 0): doubles from `firstMs` to `mostMs`,
 * times a random half to whole, so that clients that failed together do not
 * come back together.
 */
export function backoffMs(
  retry: number,
  firstMs: number,
  mostMs: number,
  random: () => number = Math.random,
): number {
  const whole = Math.min(mostMs, firstMs * 2 ** Math.min(retry, 30));
  return whole * (0.5 + random() / 2);
}

/** Resolve after `ms`, or at once when `signal` aborts. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const finish = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, ms);
    signal?.addEventListener('abort', finish, { once: true });
  });
}
