import type { ClientLine } from '../src/protocol/link/classify.ts';

/** Requests by which a client sets up its session. */
const SESSION_STATE = new Set(['logging/setLevel', 'resources/subscribe']);

/** What a client did to set up its session: repeated to each daemon that has not seen it. */
export class ClientHandshake {
  #initialize: Buffer | undefined;
  #isAnswered = false;
  #initialized: Buffer | undefined;
  readonly #state = new Map<string, Buffer>();

  /** A line of the client goes through the relay. */
  note({ method, wantsReply }: ClientLine, text: Buffer): void {
    if (method === 'notifications/initialized') this.#initialized = text;
    if (!wantsReply) return;
    if (method === 'initialize') {
      this.#initialize = text;
      this.#isAnswered = false;
      this.#initialized = undefined;
      this.#state.clear();
    } else if (method !== null && SESSION_STATE.has(method)) {
      // The last level counts, and every subscription.
      this.#state.set(method === 'logging/setLevel' ? method : text.toString(), text);
    }
  }

  /** A daemon, or the record of one, answered a request of the client. */
  noteAnswer({ method }: ClientLine): void {
    if (method === 'initialize') this.#isAnswered = true;
  }

  /**
   * What a new daemon has to see, in order; nothing while the client still
   * waits for the answer to `initialize`, which is then sent as any request is.
   *
   * @param sawInitialize it was sent that already
   */
  *repeat(sawInitialize: boolean): Generator<{ text: Buffer; isRequest: boolean }> {
    if (this.#initialize === undefined || !this.#isAnswered) return;
    if (!sawInitialize) yield { text: this.#initialize, isRequest: true };
    if (this.#initialized !== undefined) yield { text: this.#initialized, isRequest: false };
    for (const text of this.#state.values()) yield { text, isRequest: true };
  }
}
