import { READ_OK, type ReadFailure } from '../src/protocol/link/answer-read.ts';
import { parseObject } from '../src/protocol/link/hello.ts';

interface Waiting {
  resolve(bytes: Uint8Array): void;
  reject(error: Error): void;
}

/** Files that are read for a session by its client, with the client's own rights (design 4). */
export class ClientFiles {
  readonly #ask: (number: number, path: string) => void;
  readonly #waiting = new Map<number, Waiting>();
  #lastNumber = 0;
  #isOver = false;

  /** @param ask sends the question for one file; its answer comes to `receive` */
  constructor(ask: (number: number, path: string) => void) {
    this.#ask = ask;
  }

  /** @throws what the client's file system says, as a Node error; ECONNRESET when the client is gone */
  read(path: string): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      if (this.#isOver) return reject(clientGone());
      this.#lastNumber += 1;
      this.#waiting.set(this.#lastNumber, { resolve, reject });
      this.#ask(this.#lastNumber, path);
    });
  }

  /** The payload of one `read-result` frame. */
  receive(number: number, payload: Buffer): void {
    const read = this.#waiting.get(number);
    if (read === undefined) return;
    this.#waiting.delete(number);
    if (payload[0] === READ_OK) {
      read.resolve(payload.subarray(1));
      return;
    }
    const failure = parseObject<ReadFailure>(payload.subarray(1));
    read.reject(
      Object.assign(new Error(failure?.message ?? 'the file could not be read'), {
        code: failure?.code ?? 'EIO',
        syscall: failure?.syscall ?? 'read',
      }),
    );
  }

  /** The client is gone: whoever waits is told so. */
  close(): void {
    this.#isOver = true;
    for (const read of this.#waiting.values()) read.reject(clientGone());
    this.#waiting.clear();
  }
}

function clientGone(): Error {
  return Object.assign(new Error('the client that should read the file is gone'), {
    code: 'ECONNRESET',
    syscall: 'read',
  });
}
