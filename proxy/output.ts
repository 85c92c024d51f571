import { fstatSync } from 'node:fs';
import { Socket } from 'node:net';

/** Above this the client reads slower than the daemon answers. */
const SLOW_BYTES = 1024 * 1024;

/** Joining a small message with its line feed costs less than a second write. */
const JOINED_BYTES = 64 * 1024;

const LF = Buffer.from('\n');

/** The client's end of the proxy. */
export interface Output {
  /** One message and a line feed. False when the client reads slower than we write. */
  write(message: Uint8Array | string): boolean;
  /** Calls back once everything written has left. */
  flush(then: () => void): void;
}

/**
 * Standard output as newline-delimited messages. Node writes to a pipe on
 * stdout synchronously, which would stop us from reading while a slow client
 * is written to; a socket of our own over the same descriptor does not.
 */
export function openOutput(onDrain: () => void, onError: (error: Error) => void): Output {
  const stream = openStdout();
  stream.on('error', onError);
  stream.on('drain', onDrain);
  return {
    write(message) {
      const bytes = typeof message === 'string' ? Buffer.from(message, 'utf8') : message;
      if (bytes.length < JOINED_BYTES) stream.write(Buffer.concat([bytes, LF]));
      else {
        stream.write(bytes);
        stream.write(LF);
      }
      return stream.writableLength < SLOW_BYTES;
    },
    flush(then) {
      if (stream.writableLength === 0) then();
      else stream.write('', () => then());
    },
  };
}

function openStdout(): NodeJS.WritableStream & { writableLength: number } {
  const stat = fstatSync(1);
  if (process.platform !== 'win32' && (stat.isFIFO() || stat.isSocket())) {
    return new Socket({ fd: 1, readable: false, writable: true });
  }
  return process.stdout;
}
