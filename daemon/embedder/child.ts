import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { PartCode } from '../part-code.ts';
import type { BootedChild } from './boot-child.ts';
import type { Job } from './job.ts';
import type { FromEmbedder, ToEmbedder } from './messages.ts';
import { startChild } from './start-child.ts';

/** A child that answers nothing for this long while it has work hangs: it is killed. */
export const HANG_MS = 15_000;

/** A child that lived this long was healthy: the next death is a first one. */
const HEALTHY_MS = 60_000;

/** Whoever started a child hears from it. */
export interface ChildListener {
  onMessage(child: Child, message: FromEmbedder): void;
  /** It ended, and not by our hand. */
  onDeath(child: Child, reason: string): void;
}

/** Start a child that does `task`. */
export function spawnChild(code: PartCode, task: ToEmbedder, listener: ChildListener): Child {
  const child = new Child(startChild(code), listener);
  child.send(task);
  return child;
}

/** Take over a child that loads already; undefined where it has ended. */
export function adoptChild(booted: BootedChild, listener: ChildListener): Child | undefined {
  if (!isRunning(booted.process)) return undefined;
  const child = new Child(booted.process, listener);
  child.hearLater(booted.takeMessages());
  return child;
}

/** One embedder process, and the jobs it has in work. */
export class Child {
  readonly #process: ChildProcess;
  readonly #listener: ChildListener;
  readonly #inFlight = new Map<number, Job>();
  readonly #startedAt = performance.now();
  #heardAt = performance.now();
  #lastWords = '';
  #isReady = false;
  /** Set when we end it ourselves, and when it has ended. */
  #isEnding = false;

  constructor(process: ChildProcess, listener: ChildListener) {
    this.#process = process;
    this.#listener = listener;
    process.on('message', (message: FromEmbedder) => this.#hear(message));
    // A child that could not be spawned has no exit event.
    process.once('error', (error) => this.#die(error.message));
    process.once('exit', (code, signal) => this.#die(signal ?? `exit code ${code}`));
    process.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(-2_000);
    });
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** Its model is loaded. */
  get isReady(): boolean {
    return this.#isReady;
  }

  get ageMs(): number {
    return performance.now() - this.#startedAt;
  }

  get isHealthy(): boolean {
    return this.ageMs >= HEALTHY_MS;
  }

  /** The end of what it wrote to its standard error. */
  get lastWords(): string {
    return this.#lastWords.trim();
  }

  get isIdle(): boolean {
    return this.#inFlight.size === 0;
  }

  get bulkInFlight(): number {
    let count = 0;
    for (const job of this.#inFlight.values()) if (job.kind === 'bulk') count++;
    return count;
  }

  send(message: ToEmbedder): void {
    // A channel that just broke is noticed by the exit event.
    if (this.#process.connected) this.#process.send(message, () => {});
  }

  give(job: Job): void {
    if (this.isIdle) this.#heardAt = performance.now();
    this.#inFlight.set(job.id, job);
    this.send({ kind: job.kind, id: job.id, text: job.text });
  }

  /** A job that it has answered; undefined where it was taken away meanwhile. */
  takeJob(id: number): Job | undefined {
    const job = this.#inFlight.get(id);
    this.#inFlight.delete(id);
    return job;
  }

  /** Everything it has in work, oldest first. */
  takeJobs(): Job[] {
    const jobs = [...this.#inFlight.values()];
    this.#inFlight.clear();
    return jobs;
  }

  /** What was said before there was a listener, told once our caller has placed the child. */
  hearLater(messages: readonly FromEmbedder[]): void {
    for (const message of messages) queueMicrotask(() => this.#hear(message));
  }

  /** Kill it where it hangs: that is a death like any other. */
  killIfHanging(): void {
    const hasWork = !this.isIdle || !this.#isReady;
    if (hasWork && performance.now() - this.#heardAt > HANG_MS) this.#process.kill('SIGKILL');
  }

  /** Resolves when the process is gone and its pipes are closed; a kill cannot be refused. */
  async end(): Promise<void> {
    if (this.#isEnding) return;
    this.#isEnding = true;
    const gone = once(this.#process, 'close');
    if (this.#process.kill('SIGKILL')) await gone;
  }

  #hear(message: FromEmbedder): void {
    this.#heardAt = performance.now();
    if (message.kind === 'ready') this.#isReady = true;
    this.#listener.onMessage(this, message);
  }

  #die(reason: string): void {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#listener.onDeath(this, reason);
  }
}

function isRunning(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}
