import type { LateRelay } from './late-relay.ts';
import type { Output } from './output.ts';

/** Library contract 9.3: how long what was received may still take when we are told to end. */
const END_MS = 5000;

/** Library contract 12: told to end by a signal. */
const EXIT_INTERRUPTED = 8;

/** How the proxy ends: what was received is answered, for at most five seconds; then it exits. */
export class Ending {
  readonly #relay: Pick<LateRelay, 'unanswered' | 'close'>;
  readonly #output: Pick<Output, 'flush'>;
  #exitCode: number | undefined;
  #isLeaving = false;

  constructor(relay: Pick<LateRelay, 'unanswered' | 'close'>, output: Pick<Output, 'flush'>) {
    this.#relay = relay;
    this.#output = output;
  }

  /** What the client may still have sent is nobody's any more: it did not end its input itself. */
  get isCutShort(): boolean {
    return this.#exitCode !== undefined && this.#exitCode !== 0;
  }

  begin(exitCode: number): void {
    if (this.#exitCode !== undefined) return;
    this.#exitCode = exitCode;
    setTimeout(() => this.#leave(), END_MS);
    // After the lines that came with the end of input were handed over.
    setImmediate(() => this.leaveWhenAnswered());
  }

  /** A signal: the first begins the end, and the next one is it. */
  interrupt(): void {
    if (this.#exitCode !== undefined) process.exit(this.#exitCode);
    this.begin(EXIT_INTERRUPTED);
    // A client that reads no more is not waited for; one that ended its input may read as late as it likes.
    setTimeout(() => setImmediate(() => process.exit(EXIT_INTERRUPTED)), END_MS);
  }

  leaveWhenAnswered(): void {
    if (this.#exitCode !== undefined && this.#relay.unanswered === 0) this.#leave();
  }

  #leave(): void {
    if (this.#isLeaving) return;
    this.#isLeaving = true;
    this.#relay.close('the server is ending');
    // The spawn ticket, if we hold it, is released in the turn after the abort.
    setImmediate(() => this.#output.flush(() => process.exit(this.#exitCode)));
  }
}
