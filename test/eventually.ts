/**
 * Wait until `check` passes, looking again at each turn of the event loop.
 *
 * @param withinMs generous: a bound for a broken product, not a measurement
 * @throws what `check` threw last
 */
export async function eventually<T>(check: () => T | Promise<T>, withinMs = 10_000): Promise<T> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
}
