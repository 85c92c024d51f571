import { closeSync, constants, fstatSync, openSync, type Stats, writeSync } from 'node:fs';
import { Socket } from 'node:net';

/** Above this the client reads slower than the daemon answers. */
const SLOW_BYTES = 1024 * 1024;

/** The smallest pipe that Linux makes: as much goes into an empty one, whoever reads it and when. */
const SMALLEST_PIPE_BYTES = 4096;

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
 *
 * The answer to a handshake is written at once, for which the empty pipe has
 * room: the socket is made for what comes after it, since no agent's start
 * waits for that.
 */
export function openOutput(onDrain: () => void, onError: (error: Error) => void): Output {
  const stdout = fstatSync(1);
  const isPipe = process.platform !== 'win32' && (stdout.isFIFO() || stdout.isSocket());
  let isFirst = isPipe;
  let stream: (NodeJS.WritableStream & { writableLength: number }) | undefined;

  function open() {
    if (stream !== undefined) return stream;
    stream = isPipe ? new Socket({ fd: 1, readable: false, writable: true }) : process.stdout;
    stream.on('error', onError);
    stream.on('drain', onDrain);
    return stream;
  }

  return {
    write(message) {
      const rest = isFirst ? writeAtOnce(message, stdout) : message;
      isFirst = false;
      if (rest === undefined) return true;
      const out = open();
      if (typeof rest === 'string') out.write(`${rest}\n`);
      else {
        out.write(rest);
        if (rest.at(-1) !== LF) out.write('\n');
      }
      return out.writableLength < SLOW_BYTES;
    },
    flush(then) {
      if (stream === undefined || stream.writableLength === 0) then();
      else stream.write('', () => then());
    },
  };
}

/** Write a small message to a pipe that is empty. @returns what is left of it; undefined when nothing is */
function writeAtOnce(message: Uint8Array | string, stdout: Stats): Uint8Array | string | undefined {
  if (typeof message !== 'string') return message;
  const line = Buffer.from(`${message}\n`);
  if (line.length > SMALLEST_PIPE_BYTES) return line;
  try {
    const written = writeUnwaiting(line, stdout);
    return written === line.length ? undefined : line.subarray(written);
  } catch {
    // The socket meets the same error, or waits for room.
    return line;
  }
}

/** A pipe that a wrapper has filled would hold this process, and no signal would end it: not one opened anew. */
function writeUnwaiting(line: Uint8Array, stdout: Stats): number {
  if (process.platform !== 'linux' || !stdout.isFIFO()) return writeSync(1, line);
  const fd = openSync('/proc/self/fd/1', constants.O_WRONLY | constants.O_NONBLOCK);
  try {
    return writeSync(fd, line);
  } finally {
    closeSync(fd);
  }
}
