import { answerRead } from '../src/protocol/link/answer-read.ts';
import { pause } from '../src/protocol/link/backoff.ts';
import { type ClientLine, classifyLine } from '../src/protocol/link/classify.ts';
import { monotonicMs } from '../src/protocol/link/clock.ts';
import type { Connection, SendEarly } from '../src/protocol/link/connection.ts';
import { FRAME, type Frame } from '../src/protocol/link/frames.ts';
import { parseObject, type Refusal, type Surface } from '../src/protocol/link/hello.ts';
import type { ReachEvents } from '../src/protocol/link/reach-daemon.ts';
import type { HandshakeSnapshot } from '../src/protocol/link/snapshot.ts';
import {
  answerFromSnapshot,
  errorAnswer,
  INVALID_REQUEST,
  notServed,
  notTaken,
  outcomeUnknown,
} from './answers.ts';
import { ClientHandshake } from './client-handshake.ts';
import { findLineFault } from './find-line-fault.ts';
import { InputGate } from './input-gate.ts';
import { type Pending, Requests } from './requests.ts';
import { type Reach, type Seeker, seekDaemon } from './seek-daemon.ts';
import { ToldTools } from './told-tools.ts';

/**
 * A hot daemon welcomes within a few milliseconds. When it has not by then,
 * the handshake is answered from the snapshot: hosts give a server little time.
 */
const SNAPSHOT_AFTER_MS = 300;

/** How long a request waits for a daemon; hosts give up on a call after 60 s and tell the user less. */
const HOLD_MS = 25_000;

/**
 * How long a daemon may work on requests without a sign of life. Downloads and
 * publishing report progress far more often.
 */
const IDLE_MS = 10 * 60_000;

const WATCH_MS = 1000;

/** How long a read-only daemon of our own serves before we look whether there is a real one again. */
const MAKESHIFT_MS = 5000;

const TOOLS_CHANGED = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}';

/** What the relay needs of the process around it. */
export interface RelayOptions {
  surface: Surface;
  reach: Reach;
  loadSnapshot(): HandshakeSnapshot;
  /** Write one message to the client; false when the client reads slower than we write. */
  write(message: Uint8Array | string): boolean;
  pauseInput(): void;
  resumeInput(): void;
  /** A request was answered. */
  onSettled(): void;
  /** The first one was, and nobody waits for anything now. */
  onStarted(): void;
}

/**
 * Everything between the client's lines and the daemon's frames. Knows of the
 * client's lines their ids, methods and tool names, and of the daemon's
 * answers only the number of the request. Outlives every daemon.
 */
export class Relay {
  readonly #options: RelayOptions;
  readonly #stop = new AbortController();
  readonly #timers: NodeJS.Timeout[] = [];
  readonly #requests = new Requests();
  readonly #handshake = new ClientHandshake();
  /** Numbers of replayed requests: their answers are the client's no more. */
  readonly #swallowed = new Set<number>();
  /** Ids of the daemon's own requests that the client may answer. */
  readonly #serverRequests = new Set<string>();
  readonly #toldTools = new ToldTools();
  readonly #input: InputGate;
  #connection: Connection | undefined;
  #isRetiring = false;
  /** The client reads slower than it is answered. */
  #isOutputSlow = false;
  /** Why nobody is there; undefined while a daemon is connected or about to be. */
  #absence: string | undefined;
  /** Why no daemon will serve this session, until another one is asked. */
  #refusal: Refusal | undefined;
  #lostAt: number | undefined;
  #heardAt = 0;
  #adoptedAt = 0;
  #snapshot: HandshakeSnapshot | undefined;
  #isStarted = false;
  /** Sends before the welcome; set while a hello is out. */
  #sendEarly: SendEarly | undefined;

  constructor(options: RelayOptions) {
    this.#options = options;
    this.#input = new InputGate({ pause: options.pauseInput, resume: options.resumeInput });
  }

  get isConnected(): boolean {
    return this.#connection !== undefined;
  }

  /** Requests that the client waits for, without those that stay open. */
  get unanswered(): number {
    return this.#requests.unanswered;
  }

  /** Start reaching for a daemon, and keep at it until `close`. */
  start(): void {
    this.#seek();
    // After what has come by now: the first answer need not wait for timers.
    setImmediate(() => this.#startTimers());
  }

  /** The handshake as it was recorded when lectern was built; read once. */
  #readRecord(): HandshakeSnapshot {
    this.#snapshot ??= this.#options.loadSnapshot();
    return this.#snapshot;
  }

  #startTimers(): void {
    if (this.#stop.signal.aborted) return;
    const giveUpWaiting = () => this.#onAbsent('the daemon has not answered yet');
    this.#timers.push(setTimeout(giveUpWaiting, SNAPSHOT_AFTER_MS));
    this.#timers.push(setInterval(() => this.#watch(), WATCH_MS));
    for (const timer of this.#timers) timer.unref();
  }

  /** One line of the client, without its line feed. */
  receiveLine(text: Buffer): void {
    const line = classifyLine(text, this.#options.surface);
    const fault = this.#options.surface === 'tui' ? undefined : findLineFault(line, text);
    if (fault !== undefined) {
      this.#write(errorAnswer(fault.idKey, fault.code, fault.message));
      return;
    }
    if (line.cancels !== null) this.#cancel(line.cancels);
    this.#handshake.note(line, text);
    if (line.wantsReply) this.#receiveRequest(line, text);
    else this.#passOn(line, text);
  }

  /** An `initialize` that was answered from the record, before a daemon was asked. */
  receiveAnswered(text: Buffer): void {
    const line = classifyLine(text, this.#options.surface);
    this.#handshake.note(line, text);
    this.#handshake.noteAnswer(line);
    this.#readRecord();
    this.#noteStart();
  }

  /** A line over the limit: it has no id that we know. */
  refuseLongLine(maxBytes: number): void {
    this.#write(
      errorAnswer('null', INVALID_REQUEST, `a message must be shorter than ${maxBytes} bytes`),
    );
  }

  /** The client reads again. */
  resumeOutput(): void {
    this.#isOutputSlow = false;
    this.#connection?.resume();
    this.#balanceInput();
  }

  /** Let go of the daemon; what is still unanswered is answered as such. */
  close(why: string): void {
    for (const [seq, pending] of this.#requests.all) {
      if (pending.line.isOpenEnded) continue;
      const isTaken = pending.sends > 0;
      const reason = this.#absence ?? why;
      this.#settle(
        seq,
        isTaken
          ? outcomeUnknown(pending.line, 'did not answer in time')
          : notTaken(pending.line, reason),
      );
    }
    this.#stop.abort();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#connection?.close();
  }

  #receiveRequest(line: ClientLine, text: Buffer): void {
    this.#requests.add(line, text);
    if (this.#connection === undefined) this.#sendInitializeEarly();
    else this.#sendHeld();
    if (this.#absence !== undefined) this.#answerHeld();
    if (this.#refusal !== undefined) this.#refuseHeld();
    this.#balanceInput();
  }

  /** Notifications and answers: worth nothing to a daemon that did not see what they refer to. */
  #passOn(line: ClientLine, text: Buffer): void {
    if (!this.#canSend) return;
    if (line.isResponse && !this.#serverRequests.delete(line.idKey)) return;
    if (this.#connection!.send(FRAME.mcp, 0, text) === false) this.#input.shut();
  }

  #cancel(idKey: string): void {
    const seq = this.#requests.findById(idKey);
    if (seq !== undefined) this.#forget(seq);
  }

  get #canSend(): boolean {
    return this.#connection !== undefined && !this.#isRetiring;
  }

  #sendHeld(): void {
    for (;;) {
      const [seq, pending] = this.#requests.firstHeld ?? [];
      if (pending === undefined || !this.#canSend || this.#requests.isSentEnough) return;
      this.#requests.noteSent(seq!);
      if (this.#connection!.send(FRAME.mcp, seq!, pending.text) === false) this.#input.shut();
    }
  }

  /** Answer from the snapshot what it can answer. On tui, answers keep the order of requests (U-209). */
  #answerHeld(): void {
    for (const [seq, pending] of this.#requests.held) {
      const isAnswered = this.#answerRecorded(seq, pending);
      if (!isAnswered && this.#options.surface === 'tui') return;
    }
  }

  #onAbsent(why: string): void {
    if (this.#connection !== undefined) return;
    this.#absence = why;
    this.#answerHeld();
  }

  #seek(): void {
    const events: ReachEvents = {
      onFrame: (frame) => this.#receiveFrame(frame),
      onClose: (reason) => this.#lose(reason),
      onDrain: () => this.#balanceInput(),
      onHello: (sendEarly) => {
        this.#sendEarly = sendEarly;
        this.#sendInitializeEarly();
      },
    };
    const seeker: Seeker = {
      events,
      onAbsent: (why) => this.#onAbsent(why),
      onRefused: (lasting) => {
        this.#refusal = lasting;
        this.#refuseHeld();
      },
      onRetry: () => {
        this.#refusal = undefined;
      },
      adopt: (connection) => this.#adopt(connection),
    };
    void seekDaemon(this.#options.reach, seeker, this.#stop.signal);
  }

  /** Where only the daemon can answer, `initialize` does not wait for the welcome. */
  #sendInitializeEarly(): void {
    const [seq, pending] = this.#requests.firstHeld ?? [];
    if (pending?.line.method !== 'initialize' || this.#sendEarly === undefined) return;
    this.#sendEarly(seq!, pending.text);
    this.#sendEarly = undefined;
  }

  /** @returns false when only a daemon can answer */
  #answerRecorded(seq: number, { line, text }: Pending): boolean {
    const answer = answerFromSnapshot(this.#readRecord(), line, text);
    if (answer === undefined) return false;
    this.#handshake.noteAnswer(line);
    // A stateless client asks again by itself (the list says for how long it holds).
    if (line.method === 'tools/list' && !line.isStateless && this.#options.surface !== 'tui') {
      this.#toldTools.note(this.#readRecord().toolsList);
    }
    this.#settle(seq, answer);
    return true;
  }

  /** A daemon is there: repeat the handshake that it has not seen, then send what waits. */
  #adopt(connection: Connection): void {
    this.#connection = connection;
    this.#sendEarly = undefined;
    this.#isRetiring = false;
    this.#absence = undefined;
    this.#heardAt = monotonicMs();
    this.#adoptedAt = this.#heardAt;
    for (const seq of connection.early) {
      if (this.#requests.get(seq) === undefined) this.#swallowed.add(seq);
      else this.#requests.noteSent(seq);
    }
    const sawInitialize = connection.early.length > 0;
    if (this.#lostAt !== undefined) {
      const ms = Math.round(monotonicMs() - this.#lostAt);
      connection.send(FRAME.log, 0, `reconnected after ${ms} ms`);
    }
    for (const { text, isRequest } of this.#handshake.repeat(sawInitialize)) {
      if (isRequest) this.#replay(text);
      else connection.send(FRAME.mcp, 0, text);
    }
    this.#toldTools.check((text) => this.#replay(text));
    this.#sendHeld();
    this.#balanceInput();
  }

  /** Ask without telling the client the answer. */
  #replay(text: Buffer | string): number {
    const seq = this.#requests.takeSeq();
    this.#swallowed.add(seq);
    this.#connection!.send(FRAME.mcp, seq, text);
    return seq;
  }

  #receiveFrame(frame: Frame): void {
    this.#heardAt = monotonicMs();
    switch (frame.kind) {
      case FRAME.reply: {
        const pending = this.#requests.get(frame.seq);
        if (pending !== undefined) {
          this.#handshake.noteAnswer(pending.line);
          this.#settle(frame.seq, frame.payload);
        } else if (this.#swallowed.delete(frame.seq) && this.#toldTools.areOthersIn(frame)) {
          this.#write(TOOLS_CHANGED);
        }
        break;
      }
      case FRAME.mcp:
        this.#noteServerRequest(frame.payload);
        this.#write(frame.payload);
        break;
      case FRAME.read: {
        const lostAt = this.#lostAt;
        answerRead(frame, (seq, payload) => {
          // The next daemon numbers its own questions from 1, and would take this for another file.
          if (this.#lostAt === lostAt) this.#connection?.send(FRAME.readResult, seq, payload);
        });
        break;
      }
      case FRAME.retire: {
        this.#isRetiring = true;
        const refused = this.#requests.get(frame.seq);
        if (refused !== undefined) {
          refused.sends -= 1;
          this.#requests.holdAgain([frame.seq]);
        }
        break;
      }
    }
  }

  #noteServerRequest(payload: Buffer): void {
    const message = parseObject<{ id: unknown; method: string }>(payload);
    if (message?.id !== undefined && typeof message.method === 'string') {
      this.#serverRequests.add(JSON.stringify(message.id));
    }
  }

  /** The daemon is gone: decide about each request that it held, then find the next one. */
  #lose(reason: string): void {
    if (this.#connection === undefined || this.#stop.signal.aborted) return;
    this.#connection = undefined;
    this.#isRetiring = false;
    this.#lostAt = monotonicMs();
    this.#swallowed.clear();
    this.#serverRequests.clear();
    const again: number[] = [];
    for (const [seq, pending] of this.#requests.all) {
      if (this.#requests.isHeld(seq)) continue;
      if (this.#maySendAgain(pending)) {
        again.push(seq);
        pending.since = monotonicMs();
      } else this.#settle(seq, outcomeUnknown(pending.line));
    }
    this.#requests.holdAgain(again);
    this.#absence = reason;
    this.#balanceInput();
    // Fifty proxies lose the same daemon in the same millisecond.
    void pause(Math.random() * 30, this.#stop.signal).then(() => this.#seek());
  }

  /** Once, and only what changes nothing: a call that killed two daemons is not given to a third. */
  #maySendAgain({ line, sends }: Pending): boolean {
    if (line.isOpenEnded) return true;
    if (sends > 1) return false;
    // The tools of tui read alone, and answers keep their order: the call of an unknown one too (U-209).
    if (line.method !== 'tools/call' || this.#options.surface === 'tui') return true;
    return line.tool !== null && this.#readRecord().readOnlyTools.includes(line.tool);
  }

  #watch(): void {
    const now = monotonicMs();
    if (this.#connection === undefined) {
      for (const [seq, { line, since }] of this.#requests.all) {
        if (now - since > HOLD_MS) {
          const why = this.#absence ?? 'it does not answer';
          this.#settle(seq, notTaken(line, `${why} (waited ${HOLD_MS / 1000} s)`));
        }
      }
    } else if (this.#isMakeshift(now)) {
      this.#connection.close();
    } else if (now - this.#heardAt > IDLE_MS) {
      for (const [seq, { line, since }] of this.#requests.all) {
        if (now - since > IDLE_MS && !line.isOpenEnded) {
          const how = `gave no sign of life for ${IDLE_MS / 60_000} minutes`;
          this.#settle(seq, outcomeUnknown(line, how));
        }
      }
    }
  }

  /** Nobody waits for the read-only daemon of our own, and the one it stands in for is there again. */
  #isMakeshift(now: number): boolean {
    if (now - this.#adoptedAt < MAKESHIFT_MS || this.unanswered > 0) return false;
    this.#adoptedAt = now;
    return this.#connection!.isReplaceable?.() === true;
  }

  /** No daemon will take them: waiting longer would not change that. */
  #refuseHeld(): void {
    const refusal = this.#refusal;
    const why = this.#absence ?? 'it refuses this client';
    const { surface } = this.#options;
    for (const [seq, { line }] of this.#requests.all) {
      this.#settle(
        seq,
        refusal === undefined ? notTaken(line, why) : notServed(line, surface, refusal),
      );
    }
  }

  #settle(seq: number, answer: Uint8Array | string): void {
    this.#forget(seq);
    this.#write(answer);
    this.#noteStart();
    this.#options.onSettled();
  }

  #noteStart(): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    setImmediate(() => this.#finishStart());
  }

  /**
   * What the first answer need not wait for. Which tools may be sent twice must
   * be known before a daemon dies, even if the package is replaced by then.
   */
  #finishStart(): void {
    this.#readRecord();
    this.#options.onStarted();
  }

  #forget(seq: number): void {
    if (!this.#requests.remove(seq)) return;
    this.#sendHeld();
    this.#balanceInput();
    this.#options.onSettled();
  }

  #write(message: Uint8Array | string): void {
    if (this.#options.write(message)) return;
    this.#connection?.pause();
    // What is answered here, such as a line that is not JSON, would pile up too.
    this.#isOutputSlow = true;
    this.#input.shut();
  }

  #balanceInput(): void {
    if (this.#requests.isFull || this.#isOutputSlow) this.#input.shut();
    else this.#input.open();
  }
}
