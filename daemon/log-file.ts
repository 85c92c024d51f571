import { closeSync, fstatSync, mkdirSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { scrub } from '../src/core/scrub.ts';
import { APPEND_FLAGS } from '../src/protocol/link/own-file.ts';
import { findPlace } from '../src/store/file-place.ts';

/** Library contract 9.4. */
const ROTATE_BYTES = 10 * 1024 * 1024;

/** `.1` (newest) to `.3`: at most 40 MiB, a month of a quiet daemon. */
const KEPT = 3;

/** How often we look whether the file is still where people read it. */
const LOOK_MS = 1000;

/** A record longer than this is a body that should not be in a log. */
const RECORD_BYTES = 64 * 1024;

/**
 * A rotating file that is written synchronously, so that the last words of a
 * daemon that dies are in it. Credentials are scrubbed from every record. A
 * full disk loses records, never the daemon.
 */
export class LogFile {
  readonly path: string;
  readonly #rotateBytes: number;
  #fd: number | undefined;
  #size = 0;
  #place: string | null | undefined;
  #lookedAt = 0;
  /** Of a device or a pipe, such as /dev/null, only the name could be moved. */
  #isRotated = true;
  /** Records lost since the last one that could be written. */
  #lost = 0;

  constructor(path: string, rotateBytes: number = ROTATE_BYTES) {
    this.path = path;
    this.#rotateBytes = rotateBytes;
    this.#open();
  }

  /** One record: a JSON line, as pino hands it over. */
  write(line: string): void {
    const text =
      line.length > RECORD_BYTES
        ? `${JSON.stringify({ ...headOf(line), msg: 'a record over 64 KiB was dropped' })}\n`
        : scrub(line);
    const bytes = Buffer.from(text, 'utf8');
    this.#reopenIfMoved();
    const isFull = this.#size + bytes.length > this.#rotateBytes && this.#size > 0;
    if (isFull && this.#isRotated) this.#rotate();
    try {
      if (this.#fd === undefined) this.#open();
      if (this.#fd === undefined) throw new Error('the log cannot be opened');
      if (this.#lost > 0) {
        const note = { level: 'warn', ts: new Date().toISOString(), target: 'log' };
        writeSync(
          this.#fd,
          `${JSON.stringify({ ...note, msg: `${this.#lost} records were lost` })}\n`,
        );
        this.#lost = 0;
      }
      writeSync(this.#fd, bytes);
      this.#size += bytes.length;
    } catch {
      this.#lost += 1;
    }
  }

  close(): void {
    if (this.#fd !== undefined) closeSync(this.#fd);
    this.#fd = undefined;
  }

  #open(): void {
    try {
      mkdirSync(dirname(this.path), { recursive: true, mode: 0o700 });
      this.#fd = openSync(this.path, APPEND_FLAGS, 0o600);
      const stat = fstatSync(this.#fd);
      this.#size = stat.size;
      this.#isRotated = stat.isFile();
      this.#place = findPlace(this.path);
      this.#lookedAt = performance.now();
    } catch {
      this.#fd = undefined;
    }
  }

  /** Somebody removed it, or another program rotated it: nobody reads what goes there. */
  #reopenIfMoved(): void {
    if (this.#fd === undefined || performance.now() - this.#lookedAt < LOOK_MS) return;
    this.#lookedAt = performance.now();
    const now = findPlace(this.path);
    if (now === undefined || now === this.#place) return;
    this.close();
    this.#size = 0;
    this.#open();
  }

  #rotate(): void {
    this.close();
    try {
      for (let at = KEPT - 1; at >= 1; at -= 1) {
        try {
          renameSync(`${this.path}.${at}`, `${this.path}.${at + 1}`);
        } catch {
          // There are not that many yet.
        }
      }
      renameSync(this.path, `${this.path}.1`);
    } catch {
      // Somebody else moved it; a new one is opened either way.
    }
    this.#size = 0;
    this.#open();
  }
}

function headOf(line: string): object {
  const level = /"level":"(\w+)"/.exec(line.slice(0, 200))?.[1] ?? 'info';
  return { level, ts: new Date().toISOString(), target: 'log' };
}
