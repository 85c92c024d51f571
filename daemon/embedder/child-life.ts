import { type EmbedderHealth, EmbedderUnavailable } from '../../src/search/embed/embedder.ts';
import type { ModelFault } from '../../src/search/embed/verify.ts';
import type { BootedChild } from './boot-child.ts';
import { adoptChild, type Child, type ChildListener, spawnChild } from './child.ts';
import { FaultMemory } from './fault-memory.ts';
import { giveJobs } from './give-jobs.ts';
import { endWithoutVector } from './job.ts';
import type { JobQueue } from './job-queue.ts';
import type { FromEmbedder } from './messages.ts';
import type { ModelSetting } from './model-setting.ts';
import { Restarts } from './restarts.ts';
import { returnJobs } from './return-jobs.ts';

/** Above this the child is replaced, at once after bulk work (budget: 150 MB resident). */
const RECYCLE_BYTES = 140 * 1024 * 1024;

export interface ChildLifeOptions extends ModelSetting {
  queue: JobQueue;
  /** Loads this model already, and is the first. */
  booted: BootedChild | undefined;
  /** A child found no prepared model, and loaded it the slow way. */
  onUnprepared(): void;
}

/** Keeps a child at work: started when needed, again after a death, replaced when fat. */
export class ChildLife {
  readonly #options: ChildLifeOptions;
  readonly #faults = new FaultMemory();
  readonly #restarts: Restarts;
  readonly #listener: ChildListener = {
    onMessage: (child, message) => this.#hear(child, message),
    onDeath: (child, reason) => this.#mourn(child, reason),
  };
  /** The child that gets work, and one being loaded to take its place. */
  #current: Child | undefined;
  #successor: Child | undefined;
  #booted: BootedChild | undefined;
  #isVerified = false;
  #rssBytes: number | null = null;

  constructor(options: ChildLifeOptions) {
    this.#options = options;
    this.#booted = options.booted;
    this.#restarts = new Restarts(options.scope);
  }

  get fault(): ModelFault | null {
    return this.#faults.fault;
  }

  /** The queue knows the rest. */
  health(): Omit<EmbedderHealth, 'waiting'> {
    return {
      state: this.#state(),
      fault: this.fault,
      rssBytes: this.#rssBytes,
      pid: this.#current?.pid ?? null,
      deaths: this.#restarts.deaths,
    };
  }

  /** Have a child, or one on its way, unless it died just now or the model cannot run. */
  ensureChild(): void {
    if (this.#current !== undefined || this.#restarts.isResting) return;
    if (this.#options.scope.isClosed || !this.#faults.forgetIfDue()) return;
    this.#current = this.#start();
  }

  /** Have what waits worked on, now or when there is a child that can. */
  dispatch(): void {
    this.ensureChild();
    if (this.#current?.isReady === true) giveJobs(this.#options.queue, this.#current);
  }

  /** Try a failed model again now, or wake a resting one. */
  wake(): void {
    this.#faults.expire();
    this.dispatch();
  }

  killIfHanging(): void {
    this.#current?.killIfHanging();
    this.#successor?.killIfHanging();
  }

  /** Stop a child that has nothing to do, until the next request. */
  rest(): void {
    if (this.#current?.isReady !== true || !this.#current.isIdle) return;
    this.#options.log.info({}, 'the embedder rests until the next search');
    void this.#end(this.#current);
    this.#current = undefined;
    this.#rssBytes = null;
  }

  /** End all children; what they had in work is in the queue then. */
  async close(): Promise<void> {
    await Promise.all([this.#end(this.#current), this.#end(this.#successor)]);
  }

  #state(): EmbedderHealth['state'] {
    if (this.fault !== null) return 'failed';
    if (this.#current?.isReady === true) return 'ready';
    if (this.#restarts.isResting) return 'restarting';
    if (this.#current === undefined) return 'resting';
    return this.#restarts.deaths > 0 ? 'restarting' : 'starting';
  }

  #start(): Child {
    const { code, dir, profile, cache } = this.#options;
    const booted = this.#booted;
    this.#booted = undefined;
    const adopted = booted && adoptChild(booted, this.#listener);
    if (adopted !== undefined) return adopted;
    // A prepared graph that ended a child is not tried again at once.
    const usesPrepared = this.#restarts.deaths === 0;
    const isVerified = this.#isVerified;
    return spawnChild(
      code,
      { kind: 'load', dir, profile, isVerified, cache, usesPrepared },
      this.#listener,
    );
  }

  /** End a child of ours; what it had in work goes to the next one. */
  async #end(child: Child | undefined): Promise<void> {
    if (child === undefined) return;
    returnJobs(child.takeJobs(), false, this.#options.queue, this.#options.log);
    await child.end();
  }

  #hear(child: Child, message: FromEmbedder): void {
    const { log } = this.#options;
    switch (message.kind) {
      case 'ready':
        this.#rssBytes = message.rss;
        this.#welcome(child, message.isPrepared);
        break;
      case 'fault':
        void this.#end(child);
        if (child === this.#successor) this.#successor = undefined;
        else this.#fail(message.fault);
        return;
      case 'vector':
        this.#rssBytes = message.rss;
        child.takeJob(message.id)?.resolve(message.vector);
        break;
      case 'failed': {
        const job = child.takeJob(message.id);
        log.warn({ reason: message.message, chars: job?.text.length }, 'a text was not embedded');
        if (job !== undefined) endWithoutVector(job, message.message);
        break;
      }
    }
    this.#recycleIfFat();
    this.dispatch();
  }

  #welcome(child: Child, isPrepared: boolean): void {
    this.#isVerified = true;
    if (child === this.#successor) {
      void this.#end(this.#current);
      this.#current = this.#successor;
      this.#successor = undefined;
    }
    const ms = Math.round(child.ageMs);
    this.#options.log.info({ pid: child.pid, ms, isPrepared }, 'embedder ready');
    if (!isPrepared) this.#options.onUnprepared();
  }

  /** Load a fresh child beside a fat one, and swap when it is ready: no query waits. */
  #recycleIfFat(): void {
    const rssBytes = this.#rssBytes;
    if (rssBytes === null || rssBytes < RECYCLE_BYTES || this.#options.scope.isClosed) return;
    if (this.#successor !== undefined || this.#current?.isReady !== true) return;
    // A model that needs this much from its first text on would be replaced for ever.
    if (!this.#current.isHealthy) return;
    this.#options.log.info({ rssBytes }, 'replacing the embedder to give memory back');
    this.#successor = this.#start();
  }

  #fail(fault: ModelFault): void {
    this.#faults.remember(fault);
    this.#isVerified = false;
    this.#current = undefined;
    this.#options.log.warn({ fault: fault.kind, detail: fault.detail }, 'the model cannot run');
    this.#options.queue.rejectAll(new EmbedderUnavailable(fault.detail));
  }

  #mourn(child: Child, reason: string): void {
    const { scope, log, queue } = this.#options;
    if (child === this.#successor) {
      this.#successor = undefined;
      returnJobs(child.takeJobs(), true, queue, log);
      return;
    }
    if (child !== this.#current) return;
    this.#current = undefined;
    this.#restarts.count(child.isHealthy);
    log.warn({ reason, lastWords: child.lastWords }, 'the embedder died');
    returnJobs(child.takeJobs(), true, queue, log);
    if (!scope.isClosed) this.#restarts.rest(() => this.dispatch());
  }
}
