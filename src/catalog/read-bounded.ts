import { constants } from 'node:fs';
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
  let handle: Awaited<ReturnType<typeof open>>;
  try {
    handle = await open(path, OPEN_FLAGS);
  } catch (error) {
    return refusal(error);
  }
  try {
    const found = await handle.stat();
    if (!found.isFile()) return { refused: 'not a file', detail: 'it is not a regular file' };
    // One byte more than the cap shows a file that grows while it is read.
    const buffer = Buffer.allocUnsafe(Math.min(found.size, maxBytes) + 1);
    let length = 0;
    while (length < buffer.length) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length, null);
      if (bytesRead === 0) break;
      length += bytesRead;
    }
    if (found.size > maxBytes || length > maxBytes) {
      return {
        refused: 'too large',
        detail: `it has ${Math.max(found.size, length)} bytes; at most ${maxBytes} are read`,
      };
    }
    return {
      file: { bytes: buffer.subarray(0, length), mtimeMs: found.mtimeMs, size: found.size },
    };
  } catch (error) {
    return refusal(error);
  } finally {
    await handle.close();
  }
}

function refusal(error: unknown): BoundedReading {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return { refused: 'missing', detail: 'it does not exist' };
  }
  if (code === 'ELOOP' || code === 'ENXIO' || code === 'EISDIR') {
    return { refused: 'not a file', detail: 'it is not a regular file' };
  }
  return { refused: 'unreadable', detail: `it cannot be read (${code ?? message})` };
}
