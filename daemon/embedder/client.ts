import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Scope } from '../../src/core/scope.ts';
import { type Embedder, EmbedderUnavailable } from '../../src/search/embed/embedder.ts';
import type { ModelCache } from '../../src/search/embed/model-memory.ts';
import {
  BUNDLED_MODEL,
  bundledModelDir,
  type ModelProfile,
} from '../../src/search/embed/profile.ts';
import type { ModelFault } from '../../src/search/embed/verify.ts';
import type { BootedChild } from './boot-child.ts';
import type { FromEmbedder, ToEmbedder } from './messages.ts';
import { readChildCode, startChild } from './start-child.ts';

/**
 * How long a search waits for its vector. Loading the model takes 0.3 s, a bulk
 * text in work 0.1 s at most; whoever waits longer is better served lexically.
 */
const QUERY_TIMEOUT_MS = 2_000;

/** A child that answers nothing for this long while it has work hangs: it is killed. */
const HANG_MS = 15_000;

/** Rest before a dead child is started again; doubles with each death in a row. */
const RESTART_MS = 100;
const RESTART_LIMIT_MS = 30_000;

/** A child that lived this long was healthy: the next death is a first one. */
const HEALTHY_MS = 60_000;

/** A model that could not be loaded is tried again on request, at most this often. */
const RETRY_FAULT_MS = 30_000;

/** Bulk texts with the child at once: one in work, one behind it, so that it never waits for us. */
const BULK_IN_FLIGHT = 2;

/** A text that was in work at this many deaths is the cause, and is skipped. */
const DEATHS_PER_TEXT = 2;

/** Above this the child is replaced, at once after bulk work (budget: 150 MB resident). */
const RECYCLE_BYTES = 140 * 1024 * 1024;

/** Without a request for this long the child is stopped, and its memory is the machine's again. */
const REST_AFTER_MS = 30 * 60_000;

/**
 * Into a life, when a busy start is over, the model's graph is prepared for the
 * next one: half a second of one core, in a process of its own.
 */
const PREPARE_AFTER_MS = 60_000;

/** pino's shape. */
export interface EmbedderLog {
  info(fields: Record<string, unknown>, message: string): void;
  warn(fields: Record<string, unknown>, message: string): void;
}

export interface EmbedderOptions {
  scope: Scope;
  log: EmbedderLog;
  /** The bundled model where omitted. */
  profile?: ModelProfile;
  modelDir?: string;
  /** Where what was found out about the model is kept over lives; nowhere where omitted. */
  cache?: ModelCache;
  prepareAfterMs?: number;
  restAfterMs?: number;
  queryTimeoutMs?: number;
  /** A child that loads this model already, for the first start. */
  booted?: BootedChild;
}

interface Job {
  id: number;
  kind: 'query' | 'bulk';
  text: string;
  deaths: number;
  resolve(vector: Float32Array | null): void;
  reject(error: Error): void;
}

interface Child {
  process: ChildProcess;
  isReady: boolean;
  /** Set when we end it ourselves. */
  isEnding: boolean;
  inFlight: Map<number, Job>;
  startedAt: number;
  heardAt: number;
  lastWords: string;
}

/**
 * Start the embedder and keep it running. The model is loaded at once, its
 * files checked in the child; requests made meanwhile wait for it.
 */
export function startEmbedder(options: EmbedderOptions): Embedder {
  const { scope, log, profile = BUNDLED_MODEL, modelDir = bundledModelDir() } = options;
  const cache = options.cache ?? null;
  const restAfterMs = options.restAfterMs ?? REST_AFTER_MS;
  const queryTimeoutMs = options.queryTimeoutMs ?? QUERY_TIMEOUT_MS;

  const code = options.booted?.code ?? readChildCode();
  const queries: Job[] = [];
  const bulk: Job[] = [];
  /** The child that gets work, and one being loaded to take its place. */
  let current: Child | undefined;
  let successor: Child | undefined;
  /** Makes the next starts quicker; at most one in a life. */
  let preparer: Child | undefined;
  let isPreparing = false;
  let fault: ModelFault | null = null;
  let faultAt = 0;
  let isVerified = false;
  let deaths = 0;
  let deathsInARow = 0;
  let restartTimer: (() => void) | undefined;
  let rssBytes: number | null = null;
  let lastId = 0;
  let usedAt = performance.now();

  let booted = options.booted;
  const start = (): Child => {
    // A prepared graph that ended a child is not tried again at once.
    const usesPrepared = deathsInARow === 0;
    return spawnWith({ kind: 'load', dir: modelDir, profile, isVerified, cache, usesPrepared });
  };

  const spawnWith = (task: ToEmbedder): Child => {
    const born = booted !== undefined && isRunning(booted.process) ? booted : undefined;
    const started: Child = {
      process: born?.process ?? startChild(code),
      isReady: false,
      isEnding: false,
      inFlight: new Map(),
      startedAt: performance.now(),
      heardAt: performance.now(),
      lastWords: '',
    };
    booted = undefined;
    const { process: child } = started;
    child.on('message', (message: FromEmbedder) => onMessage(started, message));
    // A child that could not be spawned has no exit event.
    child.once('error', (error) => onEnd(started, error.message));
    child.once('exit', (code, signal) => onEnd(started, signal ?? `exit code ${code}`));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      started.lastWords = (started.lastWords + text).slice(-2_000);
    });
    if (born === undefined) send(started, task);
    else
      for (const message of born.takeMessages()) queueMicrotask(() => onMessage(started, message));
    return started;
  };

  const send = (child: Child, message: ToEmbedder): void => {
    // A channel that just broke is noticed by the exit event.
    if (child.process.connected) child.process.send(message, () => {});
  };

  const ensureChild = (): void => {
    if (current !== undefined || restartTimer !== undefined || scope.isClosed) return;
    if (fault !== null) {
      if (performance.now() - faultAt < RETRY_FAULT_MS) return;
      fault = null;
    }
    current = start();
  };

  const dispatch = (): void => {
    ensureChild();
    if (current === undefined || !current.isReady) return;
    for (const job of queries.splice(0)) give(current, job);
    let bulkInFlight = 0;
    for (const job of current.inFlight.values()) if (job.kind === 'bulk') bulkInFlight++;
    while (bulkInFlight < BULK_IN_FLIGHT && bulk.length > 0) {
      give(current, bulk.shift()!);
      bulkInFlight++;
    }
  };

  const give = (child: Child, job: Job): void => {
    if (child.inFlight.size === 0) child.heardAt = performance.now();
    child.inFlight.set(job.id, job);
    send(child, { kind: job.kind, id: job.id, text: job.text });
  };

  const onMessage = (child: Child, message: FromEmbedder): void => {
    child.heardAt = performance.now();
    switch (message.kind) {
      case 'ready':
        child.isReady = true;
        isVerified = true;
        rssBytes = message.rss;
        if (child === successor) {
          void end(current);
          current = successor;
          successor = undefined;
        }
        log.info(
          {
            pid: child.process.pid,
            ms: Math.round(performance.now() - child.startedAt),
            isPrepared: message.isPrepared,
          },
          'embedder ready',
        );
        if (!message.isPrepared) prepareLater();
        break;
      case 'prepared':
        log.info({ isUsed: message.isUsed }, 'the model is prepared for the next start');
        preparer = undefined;
        void end(child);
        return;
      case 'fault':
        void end(child);
        if (child === successor) successor = undefined;
        else if (child === preparer) {
          preparer = undefined;
          log.info({ detail: message.fault.detail }, 'the model is not prepared');
        } else fail(message.fault);
        return;
      case 'vector': {
        const job = child.inFlight.get(message.id);
        child.inFlight.delete(message.id);
        rssBytes = message.rss;
        job?.resolve(message.vector);
        break;
      }
      case 'failed': {
        const job = child.inFlight.get(message.id);
        child.inFlight.delete(message.id);
        log.warn({ reason: message.message, chars: job?.text.length }, 'a text was not embedded');
        if (job?.kind === 'bulk') job.resolve(null);
        else job?.reject(new EmbedderUnavailable(message.message));
        break;
      }
    }
    recycleIfFat();
    dispatch();
  };

  /** Load a fresh child beside a fat one, and swap when it is ready: no query waits. */
  const recycleIfFat = (): void => {
    if (rssBytes === null || rssBytes < RECYCLE_BYTES || scope.isClosed) return;
    if (successor !== undefined || current === undefined || !current.isReady) return;
    // A model that needs this much from its first text on would be replaced for ever.
    if (performance.now() - current.startedAt < HEALTHY_MS) return;
    log.info({ rssBytes }, 'replacing the embedder to give memory back');
    successor = start();
  };

  const prepareLater = (): void => {
    if (cache?.isWritable !== true || isPreparing || scope.isClosed) return;
    isPreparing = true;
    const prepare = (): void => {
      if (bulk.length === 0)
        preparer = spawnWith({ kind: 'prepare', dir: modelDir, profile, cache });
      else scope.timeout(PREPARE_AFTER_MS, 'model preparation', prepare);
    };
    scope.timeout(options.prepareAfterMs ?? PREPARE_AFTER_MS, 'model preparation', prepare);
  };

  const fail = (found: ModelFault): void => {
    fault = found;
    faultAt = performance.now();
    isVerified = false;
    current = undefined;
    log.warn({ fault: found.kind, detail: found.detail }, 'the model cannot run');
    const error = new EmbedderUnavailable(found.detail);
    for (const job of [...queries.splice(0), ...bulk.splice(0)]) job.reject(error);
  };

  /**
   * End a child of ours; what it had in work goes to the next one. Resolves when
   * the process is gone and its pipes are closed; a kill cannot be refused.
   */
  const end = async (child: Child | undefined): Promise<void> => {
    if (child === undefined || child.isEnding) return;
    child.isEnding = true;
    requeue(child, false);
    const gone = once(child.process, 'close');
    if (child.process.kill('SIGKILL')) await gone;
  };

  const onEnd = (child: Child, reason: string): void => {
    if (child.isEnding) return;
    child.isEnding = true;
    if (child === successor) {
      successor = undefined;
      requeue(child, true);
      return;
    }
    if (child === preparer) preparer = undefined;
    if (child !== current) return;
    current = undefined;
    deaths++;
    deathsInARow = performance.now() - child.startedAt > HEALTHY_MS ? 1 : deathsInARow + 1;
    log.warn({ reason, lastWords: child.lastWords.trim() }, 'the embedder died');
    requeue(child, true);
    if (scope.isClosed) return;
    const restMs = Math.min(RESTART_LIMIT_MS, RESTART_MS * 2 ** Math.min(deathsInARow - 1, 10));
    restartTimer = scope.timeout(restMs, 'embedder restart', () => {
      restartTimer = undefined;
      dispatch();
    });
  };

  const requeue = (child: Child, hasDied: boolean): void => {
    const jobs = [...child.inFlight.values()];
    child.inFlight.clear();
    for (const job of jobs.reverse()) {
      if (hasDied) job.deaths++;
      if (job.deaths < DEATHS_PER_TEXT) (job.kind === 'query' ? queries : bulk).unshift(job);
      else if (job.kind === 'bulk') {
        log.warn({ chars: job.text.length }, 'a text that ended the embedder twice is left out');
        job.resolve(null);
      } else job.reject(new EmbedderUnavailable('the embedder died on this query'));
    }
  };

  const request = (
    kind: Job['kind'],
    text: string,
  ): { job: Job; vector: Promise<Float32Array | null> } => {
    let job!: Job;
    const vector = new Promise<Float32Array | null>((resolve, reject) => {
      job = { id: ++lastId, kind, text, deaths: 0, resolve, reject };
    });
    (kind === 'query' ? queries : bulk).push(job);
    return { job, vector };
  };

  const refuseIfFailed = (): void => {
    if (scope.isClosed) throw new EmbedderUnavailable('the embedder is closed');
    if (fault !== null) throw new EmbedderUnavailable(fault.detail);
  };

  scope.interval(Math.min(HANG_MS, restAfterMs), 'embedder upkeep', () => {
    const now = performance.now();
    for (const child of [current, successor, preparer]) {
      const hasWork = child !== undefined && (child.inFlight.size > 0 || !child.isReady);
      if (hasWork && now - child.heardAt > HANG_MS) child.process.kill('SIGKILL');
    }
    const isIdle = queries.length + bulk.length === 0 && (current?.inFlight.size ?? 0) === 0;
    if (isIdle && current?.isReady === true && now - usedAt >= restAfterMs) {
      log.info({}, 'the embedder rests until the next search');
      void end(current);
      current = undefined;
      rssBytes = null;
    }
  });

  scope.own(
    undefined,
    async () => {
      const ended = [current, successor, preparer].map(end);
      const error = new EmbedderUnavailable('the embedder is closed');
      for (const job of [...queries.splice(0), ...bulk.splice(0)]) job.reject(error);
      await Promise.all(ended);
    },
    'embedder',
  );
  ensureChild();

  return {
    profile,
    async embedQuery(text, signal) {
      usedAt = performance.now();
      ensureChild();
      refuseIfFailed();
      signal?.throwIfAborted();
      const { job, vector } = request('query', text);
      const giveUp = (error: Error): void => {
        const at = queries.indexOf(job);
        if (at >= 0) queries.splice(at, 1);
        job.reject(error);
      };
      const cancel = scope.timeout(queryTimeoutMs, 'query embedding', () =>
        giveUp(new EmbedderUnavailable(`no vector within ${queryTimeoutMs} ms`)),
      );
      const abort = (): void => giveUp(new EmbedderUnavailable('the search was cancelled'));
      signal?.addEventListener('abort', abort, { once: true });
      dispatch();
      try {
        return (await vector)!;
      } finally {
        cancel();
        signal?.removeEventListener('abort', abort);
      }
    },
    async embedTexts(texts) {
      usedAt = performance.now();
      ensureChild();
      refuseIfFailed();
      const vectors = texts.map((text) => request('bulk', text).vector);
      dispatch();
      const embedded = await Promise.all(vectors);
      usedAt = performance.now();
      return embedded;
    },
    health() {
      let state: 'starting' | 'ready' | 'restarting' | 'resting' | 'failed' = 'resting';
      if (fault !== null) state = 'failed';
      else if (current?.isReady === true) state = 'ready';
      else if (restartTimer !== undefined || (current !== undefined && deaths > 0))
        state = 'restarting';
      else if (current !== undefined) state = 'starting';
      return {
        state,
        fault,
        rssBytes,
        pid: current?.process.pid ?? null,
        deaths,
        waiting: bulk.length,
      };
    },
    wake() {
      usedAt = performance.now();
      faultAt = Number.NEGATIVE_INFINITY;
      dispatch();
    },
  };
}

function isRunning(child: ChildProcess): boolean {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null;
}
