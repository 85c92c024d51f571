/** A request that was taken and not answered yet. */
export interface Asked {
  /** Its frame's number. */
  seq: number;
  /** When it came, by the monotonic clock. */
  at: number;
}

/** A session's requests by JSON-RPC id; a client may use an id twice, so each has a queue. */
export class AskedRequests {
  readonly #queues = new Map<string, Asked[]>();
  #outstanding = 0;

  /** Requests taken and neither answered nor cancelled. */
  get outstanding(): number {
    return this.#outstanding;
  }

  add(idKey: string, seq: number): void {
    this.#outstanding += 1;
    const asked = { seq, at: performance.now() };
    const queue = this.#queues.get(idKey);
    if (queue === undefined) this.#queues.set(idKey, [asked]);
    else queue.push(asked);
  }

  /** The oldest request with that id, which is answered or cancelled now. */
  take(idKey: string): Asked | undefined {
    const queue = this.#queues.get(idKey);
    if (queue === undefined) return undefined;
    const asked = queue.shift();
    if (queue.length === 0) this.#queues.delete(idKey);
    this.#outstanding -= 1;
    return asked;
  }

  /**
   * The request that an answer of the tui surface belongs to. It echoes an id as
   * it came, or as null when it cannot be read; it answers in order, so that an
   * unknown id means the oldest request.
   */
  takeInOrder(idKey: string): Asked | undefined {
    if (this.#queues.has(idKey)) return this.take(idKey);
    const [oldest] = this.#queues.keys();
    return oldest === undefined ? undefined : this.take(oldest);
  }

  /** The session is over: nothing is waited for. */
  clear(): void {
    this.#queues.clear();
    this.#outstanding = 0;
  }
}
