import { open, stat } from 'node:fs/promises';
import { pause } from '../protocol/link/backoff.ts';

/** The last bytes that are read to find the last lines: 10,000 records of 400 bytes. */
const TAIL_BYTES = 4 * 1024 * 1024;

/** How often a followed file is looked at: a person cannot tell it from at once. */
const LOOK_MS = 200;

/** The last `lines` whole lines of a file; none when it does not exist, or is a pipe. */
export async function readLastLines(path: string, lines: number): Promise<string[]> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || !found.isFile()) return [];
  const from = Math.max(0, found.size - TAIL_BYTES);
  const all = (await readRange(path, from, found.size)).split('\n');
  if (from > 0) all.shift();
  return all.filter((line) => line !== '').slice(-lines);
}

/**
 * Call `take` for each line that is added to the file from now on, until
 * `signal` aborts. A rotated or truncated file is read from its new start.
 */
export async function followFile(
  path: string,
  take: (line: string) => void,
  signal: AbortSignal,
): Promise<void> {
  let at = await stat(path).catch(() => undefined);
  let position = at?.size ?? 0;
  let rest = '';
  while (!signal.aborted) {
    await pause(LOOK_MS, signal);
    const now = await stat(path).catch(() => undefined);
    // Opening a pipe that nobody writes to would wait for ever.
    if (now === undefined || !now.isFile()) continue;
    if (now.ino !== at?.ino || now.size < position) {
      position = 0;
      rest = '';
    }
    at = now;
    if (now.size === position) continue;
    const lines = (rest + (await readRange(path, position, now.size))).split('\n');
    position = now.size;
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') take(line);
  }
}

async function readRange(path: string, from: number, to: number): Promise<string> {
  const file = await open(path, 'r');
  try {
    const bytes = Buffer.alloc(to - from);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, from);
    return bytes.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}
