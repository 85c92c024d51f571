/**
 * Milliseconds of a clock that never goes back. `performance` shows the same
 * one, but the first use of it makes Node load a dozen files: 1 to 2 ms of a
 * proxy's start, which every agent waits for.
 */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1e3 + nanoseconds / 1e6;
}
