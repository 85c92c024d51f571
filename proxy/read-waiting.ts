import { fstatSync, readSync } from 'node:fs';

/** More than any `initialize`; what is longer comes by the stream. */
const MOST_BYTES = 65_536;

/**
 * What the client has sent by now, for the answer that its start waits for: a
 * stream gives it a turn of the event loop later. Does not wait, since Node has
 * made a pipe non-blocking as soon as it has a stream for it.
 *
 * @returns undefined when nothing has come, or stdin is no pipe
 */
export function readWaiting(): Buffer | undefined {
  const stat = fstatSync(0);
  if (process.platform === 'win32' || !(stat.isFIFO() || stat.isSocket())) return undefined;
  void process.stdin;
  const chunk = Buffer.allocUnsafe(MOST_BYTES);
  try {
    const length = readSync(0, chunk);
    return length === 0 ? undefined : chunk.subarray(0, length);
  } catch {
    // EAGAIN; anything else the stream meets too.
    return undefined;
  }
}
