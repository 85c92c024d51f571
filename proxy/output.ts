import { fstatSync } from 'node:fs';
import { Socket } from 'node:net';

/** Above this the client reads slower than the daemon answers. */
const SLOW_BYTES = 1024 * 1024;

const LF = 10;

/** The client's end of the proxy. */
export interface Output {
  /** One message, with or without its line feed. False when the client reads slower than we write. */
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
      if (typeof message === 'string') stream.write(`${message}\n`);
      else {
        stream.write(message);
        if (message.at(-1) !== LF) stream.write('\n');
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
