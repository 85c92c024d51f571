import type { ClientLine } from '../src/protocol/link/classify.ts';
import { monotonicMs } from '../src/protocol/link/clock.ts';

/** In the daemon's hands at once: below its own limit of 256, so that a fast client waits instead of being refused. */
const MOST_SENT = 200;

/** Requests taken from the client; the rest stay in its pipe. */
const MOST_PENDING = 400;

/** Bytes of requests kept for sending; more stay in the client's pipe. */
const MOST_PENDING_BYTES = 64 * 1024 * 1024;

/** A request that the client waits for. */
export interface Pending {
  readonly line: ClientLine;
  readonly text: Buffer;
  /** Times it was sent to a daemon. */
  sends: number;
  /** Since when it waits, by `monotonicMs`. */
  since: number;
}

/** The client's unanswered requests by their numbers on the wire, and which of them no daemon has. */
export class Requests {
  readonly #pending = new Map<number, Pending>();
  /** Numbers, oldest first. */
  #held = new Set<number>();
  #bytes = 0;
  #nextSeq = 1;

  /** How many an exit waits for. */
  get unanswered(): number {
    let count = 0;
    for (const { line } of this.#pending.values()) if (!line.isOpenEnded) count += 1;
    return count;
  }

  /** No more should be taken from the client now. */
  get isFull(): boolean {
    return this.#pending.size >= MOST_PENDING || this.#bytes >= MOST_PENDING_BYTES;
  }

  /** A daemon has as many as it should. */
  get isSentEnough(): boolean {
    return this.#pending.size - this.#held.size >= MOST_SENT;
  }

  /** All, oldest first, as they are now. */
  get all(): [number, Pending][] {
    return [...this.#pending];
  }

  /** Those that no daemon has, oldest first, as they are now. */
  get held(): [number, Pending][] {
    return [...this.#held].map((seq) => [seq, this.#pending.get(seq)!]);
  }

  /** The oldest of those that no daemon has. */
  get firstHeld(): [number, Pending] | undefined {
    for (const seq of this.#held) return [seq, this.#pending.get(seq)!];
    return undefined;
  }

  /** The next number; requests of the relay's own take theirs here too. */
  takeSeq(): number {
    const seq = this.#nextSeq;
    // uint32 on the wire, and 0 stands for no request.
    this.#nextSeq = seq >= 0xffff_ffff ? 1 : seq + 1;
    return seq;
  }

  /** Take one from the client; it is held. */
  add(line: ClientLine, text: Buffer): void {
    const seq = this.takeSeq();
    this.#pending.set(seq, { line, text, sends: 0, since: monotonicMs() });
    this.#held.add(seq);
    this.#bytes += text.length;
  }

  get(seq: number): Pending | undefined {
    return this.#pending.get(seq);
  }

  isHeld(seq: number): boolean {
    return this.#held.has(seq);
  }

  /** The oldest with this id; a client may use one twice. */
  findById(idKey: string): number | undefined {
    for (const [seq, { line }] of this.#pending) if (line.idKey === idKey) return seq;
    return undefined;
  }

  /** A held one goes to a daemon. */
  noteSent(seq: number): void {
    if (this.#held.delete(seq)) this.#pending.get(seq)!.sends += 1;
  }

  /** What goes back to waiting keeps its place among what waits. */
  holdAgain(seqs: readonly number[]): void {
    const held = new Set([...this.#held, ...seqs]);
    this.#held = new Set([...this.#pending.keys()].filter((seq) => held.has(seq)));
  }

  /** @returns false when it was none */
  remove(seq: number): boolean {
    const pending = this.#pending.get(seq);
    if (pending === undefined) return false;
    this.#pending.delete(seq);
    this.#held.delete(seq);
    this.#bytes -= pending.text.length;
    return true;
  }
}
