import { constants, fstatSync, readFileSync } from 'node:fs';
import { Socket } from 'node:net';

/** Descriptors that the parent process talks on (U-176). */
export const FROM_PARENT = 3;
export const TO_PARENT = 4;

/** Messages that may wait for a parent that does not read (U-179, U-232). */
export const MAX_QUEUE = 1024;

/** Why a descriptor cannot be used, or `null` (U-176). */
export function descriptorFault(fd: number, direction: 'read' | 'write'): string | null {
  let stat: ReturnType<typeof fstatSync>;
  try {
    stat = fstatSync(fd);
  } catch {
    return `fd ${fd}: not open`;
  }
  if (!stat.isFIFO() && !stat.isSocket()) return `fd ${fd}: not a pipe or socket`;
  const mode = accessMode(fd);
  if (direction === 'read' && mode === constants.O_WRONLY) return `fd ${fd}: not readable`;
  if (direction === 'write' && mode === constants.O_RDONLY) return `fd ${fd}: not writable`;
  return null;
}

/** How the descriptor was opened, where the system tells; else as if for both. */
function accessMode(fd: number): number | null {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'));
    return flags === null ? null : Number.parseInt(flags[1]!, 8) & 3;
  } catch {
    return null;
  }
}

/**
 * Lines from the parent.
 *
 * Through a socket object, not the file API: that would block a pool thread in `read`, and with it
 * the end of the process.
 */
export async function* parentLines(): AsyncGenerator<string> {
  const stream = new Socket({ fd: FROM_PARENT, readable: true, writable: false });
  stream.setEncoding('utf8');
  let held = '';
  for await (const chunk of stream) {
    held += chunk as string;
    const lines = held.split('\n');
    held = lines.pop()!;
    for (const line of lines) yield line;
  }
  if (held !== '') yield held;
}

/** Sends lines to the parent in order. */
export interface ParentWriter {
  readonly send: (line: string) => void;
  /** Resolves when all that was sent has left, or could not. */
  readonly finish: () => Promise<void>;
}

/** @param onFailure called once when a write fails or too much waits */
export function openParentWriter(onFailure: (reason: string) => void): ParentWriter {
  const stream = new Socket({ fd: TO_PARENT, readable: false, writable: true });
  let waiting = 0;
  let isBroken = false;
  const breakOff = (reason: string) => {
    if (isBroken) return;
    isBroken = true;
    onFailure(reason);
  };
  stream.on('error', (error: NodeJS.ErrnoException) => breakOff(causeOf(error)));
  return {
    send: (line) => {
      if (isBroken) return;
      if (waiting >= MAX_QUEUE) {
        breakOff('the parent does not read its messages');
        return;
      }
      waiting++;
      stream.write(`${line}\n`, () => {
        waiting--;
      });
    },
    finish: () =>
      new Promise((resolve) => {
        if (isBroken || waiting === 0) resolve();
        else {
          stream.once('error', () => resolve());
          stream.write('', () => resolve());
        }
      }),
  };
}

function causeOf(error: NodeJS.ErrnoException): string {
  return error.code === 'EPIPE' ? 'broken pipe' : error.message;
}
