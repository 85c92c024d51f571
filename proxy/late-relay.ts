import type { Relay } from './relay.ts';

export interface LateRelayOptions {
  /** The answer to the client's first line, where no daemon is needed for it. */
  answerFirstLine(text: Buffer): string | undefined;
  write(message: string): void;
  /** Load the relay, and start it. */
  open(): Relay;
}

/**
 * The relay as its client sees it from the first moment on. Most of the proxy is
 * loaded behind the first answer, or in the first turn of the event loop where
 * none can be given: reading compiled code takes its time too, 1 ms of an agent's
 * start.
 */
export class LateRelay {
  readonly #options: LateRelayOptions;
  /** What came before the relay was there, oldest first. */
  #early: ((relay: Relay) => void)[] = [];
  #relay: Relay | undefined;
  #isFirst = true;

  constructor(options: LateRelayOptions) {
    this.#options = options;
  }

  /** What the client has sent by now is in its pipe, and is read before the relay is loaded. */
  start(): void {
    setImmediate(() => this.#open());
  }

  #open(): Relay {
    if (this.#relay !== undefined) return this.#relay;
    const relay = this.#options.open();
    this.#relay = relay;
    for (const handOver of this.#early) handOver(relay);
    // Not before: until then what the relay has is not all that is unanswered.
    this.#early = [];
    return relay;
  }

  /** Requests that the client waits for, without those that stay open. */
  get unanswered(): number {
    return this.#early.length + (this.#relay?.unanswered ?? 0);
  }

  /** One line of the client, without its line feed. */
  receiveLine(text: Buffer): void {
    const answer =
      this.#isFirst && this.#relay?.isConnected !== true
        ? this.#options.answerFirstLine(text)
        : undefined;
    this.#isFirst = false;
    if (answer === undefined) {
      this.#handOver((relay) => relay.receiveLine(text));
    } else {
      this.#options.write(answer);
      // At once: what is installed now belongs together, and may be replaced at any time.
      this.#open().receiveAnswered(text);
    }
  }

  /** A line over the limit: it has no id that we know. */
  refuseLongLine(maxBytes: number): void {
    this.#handOver((relay) => relay.refuseLongLine(maxBytes));
  }

  /** The client reads again. */
  resumeOutput(): void {
    this.#relay?.resumeOutput();
  }

  /** Let go of the daemon; what is still unanswered is answered as such. */
  close(why: string): void {
    this.#relay?.close(why);
  }

  #handOver(line: (relay: Relay) => void): void {
    if (this.#relay === undefined) this.#early.push(line);
    else line(this.#relay);
  }
}
