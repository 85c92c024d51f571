import type { Readable, Writable } from 'node:stream';
import { currentDirectory } from '../../protocol/link/current-directory.ts';
import { nodeFiles } from '../files/node.ts';
import type { WritableFiles } from '../files/types.ts';

/** A stream to write to, and whether a person reads it. */
export type Output = Writable & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

/** A stream of bytes to read, and whether it is a keyboard. */
export type Input = Readable & {
  readonly isTTY?: boolean;
  setRawMode?(raw: boolean): unknown;
};

/** Everything outside that a command may touch; all of it is handed in. */
export interface TuiIo {
  readonly files: WritableFiles;
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Read by the live commands only (U-146). */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The io of this process. */
export function processIo(): TuiIo {
  return {
    files: nodeFiles(currentDirectory()),
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
  };
}

/** Write all of a text. Rejects when the stream fails, such as on a closed pipe. */
export function writeAll(output: Output, text: string): Promise<void> {
  if (text === '') return Promise.resolve();
  return new Promise((resolve, reject) => {
    const onError = (error: Error) => reject(error);
    // A broken pipe comes as an event too; without a listener it would end the process.
    output.on('error', onError);
    output.write(text, (error) => {
      if (error) reject(error);
      else {
        output.off('error', onError);
        resolve();
      }
    });
  });
}
