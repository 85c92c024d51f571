import { constants, promises } from 'node:fs';
import { type Frame, MAX_MESSAGE_BYTES } from './frames.ts';
import { parseObject } from './hello.ts';

/** First byte of a `read-result`. */
export const READ_OK = 0;
export const READ_FAILED = 1;

/** How a failed read travels: what Node would have thrown here. */
export interface ReadFailure {
  code: string;
  syscall: string;
  message: string;
}

/** Room for the status byte. */
const MOST_BYTES = MAX_MESSAGE_BYTES - 1;

const CHUNK_BYTES = 1024 * 1024;

/** A piece of a file that says it is empty, as the kernel's own do, or that grew meanwhile. */
const UNKNOWN_BYTES = 64 * 1024;

/**
 * Answer a `read` frame: the file at `path` with the rights, the sandbox and
 * the working directory of this process (design 4).
 */
export function answerRead(frame: Frame, send: (seq: number, payload: Buffer) => void): void {
  const path = parseObject<{ path: string }>(frame.payload)?.path;
  readCapped(typeof path === 'string' ? path : '').then(
    (content) => send(frame.seq, Buffer.concat([Buffer.of(READ_OK), ...content])),
    (error: NodeJS.ErrnoException) => {
      const failure: ReadFailure = {
        code: error.code ?? 'EIO',
        syscall: error.syscall ?? 'read',
        message: error.message,
      };
      send(
        frame.seq,
        Buffer.concat([Buffer.of(READ_FAILED), Buffer.from(JSON.stringify(failure))]),
      );
    },
  );
}

/** The whole file, up to the message limit. Pipes, sockets and devices are refused. */
async function readCapped(path: string): Promise<Buffer[]> {
  // `node:fs/promises` itself is not imported: loading it would cost every start a millisecond.
  // Without NONBLOCK a pipe that nobody writes to would hold one of this process's few I/O threads.
  const file = await promises.open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  // Nothing was written, so that nobody needs to wait for the close, or hear of its failure.
  const done = () => void file.close().catch(() => {});
  try {
    const found = await file.stat();
    // A document may name /dev/stdin, where the client's own messages come from.
    if (!found.isFile() && !found.isDirectory()) {
      throw Object.assign(new Error(`EINVAL: invalid argument, read '${path}'`), {
        code: 'EINVAL',
        syscall: 'read',
      });
    }
    const chunks: Buffer[] = [];
    let total = 0;
    for (;;) {
      // One byte more than there should be: what fills less is the end, without asking again.
      const left = found.size - total;
      const room = left > 0 ? Math.min(CHUNK_BYTES, left + 1) : UNKNOWN_BYTES;
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(room), 0, room, null);
      total += bytesRead;
      if (total > MOST_BYTES) {
        throw Object.assign(new Error(`EFBIG: file too large, read '${path}'`), {
          code: 'EFBIG',
          syscall: 'read',
        });
      }
      if (bytesRead > 0) chunks.push(buffer.subarray(0, bytesRead));
      if (bytesRead === 0 || (bytesRead < room && total === found.size)) return chunks;
    }
  } finally {
    done();
  }
}
