import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { open } from 'node:fs/promises';

export interface BoundedFile {
  bytes: Buffer;
  mtimeMs: number;
  size: number;
}

export type BoundedReading =
  | { file: BoundedFile }
  | { refused: 'missing' | 'not a file' | 'too large' | 'unreadable'; detail: string };

/**
 * Links were resolved before; one that appears since then is refused. Without
 * O_NONBLOCK a pipe put in a file's place would hold the reader for ever.
 */
const OPEN_FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** The bytes of a regular file of at most `maxBytes`, read once and never in part. */
export async function readBounded(path: string, maxBytes: number): Promise<BoundedReading> {
  try {
    const handle = await open(path, OPEN_FLAGS);
    try {
      const found = await handle.stat();
      if (!found.isFile()) return NOT_A_FILE;
      const buffer = roomFor(found, maxBytes);
      let length = 0;
      while (length < buffer.length) {
        const { bytesRead } = await handle.read(buffer, length, buffer.length - length, null);
        if (bytesRead === 0) break;
        length += bytesRead;
      }
      return judge(found, buffer, length, maxBytes);
    } finally {
      await handle.close();
    }
  } catch (error) {
    return refusal(error);
  }
}

/**
 * The same without the thread pool, for small files read one after another:
 * there each of the four calls would wait longer for its turn than it takes.
 */
export function readBoundedSync(path: string, maxBytes: number): BoundedReading {
  try {
    const descriptor = openSync(path, OPEN_FLAGS);
    try {
      const found = fstatSync(descriptor);
      if (!found.isFile()) return NOT_A_FILE;
      const buffer = roomFor(found, maxBytes);
      let length = 0;
      while (length < buffer.length) {
        const bytesRead = readSync(descriptor, buffer, length, buffer.length - length, null);
        if (bytesRead === 0) break;
        length += bytesRead;
      }
      return judge(found, buffer, length, maxBytes);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    return refusal(error);
  }
}

const NOT_A_FILE: BoundedReading = { refused: 'not a file', detail: 'it is not a regular file' };

/** One byte more than the size, or the cap, shows a file that grows while it is read. */
function roomFor(found: Stats, maxBytes: number): Buffer {
  return Buffer.allocUnsafe(Math.min(found.size, maxBytes) + 1);
}

function judge(found: Stats, buffer: Buffer, length: number, maxBytes: number): BoundedReading {
  if (found.size > maxBytes || length > maxBytes) {
    const size = Math.max(found.size, length);
    return { refused: 'too large', detail: `it has ${size} bytes; at most ${maxBytes} are read` };
  }
  return { file: { bytes: buffer.subarray(0, length), mtimeMs: found.mtimeMs, size: found.size } };
}

function refusal(error: unknown): BoundedReading {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return { refused: 'missing', detail: 'it does not exist' };
  }
  if (code === 'ELOOP' || code === 'ENXIO' || code === 'EISDIR') return NOT_A_FILE;
  return { refused: 'unreadable', detail: `it cannot be read (${code ?? message})` };
}
