import type { Scope } from '../../src/core/scope.ts';
import { type Embedder, EmbedderUnavailable } from '../../src/search/embed/embedder.ts';
import type { ModelCache } from '../../src/search/embed/model-memory.ts';
import {
  BUNDLED_MODEL,
  bundledModelDir,
  type ModelProfile,
} from '../../src/search/embed/profile.ts';
import type { BootedChild } from './boot-child.ts';
import { HANG_MS } from './child.ts';
import { ChildLife } from './child-life.ts';
import { JobQueue } from './job-queue.ts';
import type { EmbedderLog } from './log.ts';
import type { ModelSetting } from './model-setting.ts';
import { Preparation } from './preparation.ts';
import { readChildCode } from './start-child.ts';

/**
 * How long a search waits for its vector. Loading the model takes 0.3 s, a bulk
 * text in work 0.1 s at most; whoever waits longer is better served lexically.
 */
const QUERY_TIMEOUT_MS = 2_000;

/** Without a request for this long the child is stopped, and its memory is the machine's again. */
const REST_AFTER_MS = 30 * 60_000;

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

/**
 * Start the embedder and keep it running. The model is loaded at once, its
 * files checked in the child; requests made meanwhile wait for it.
 */
export function startEmbedder(options: EmbedderOptions): Embedder {
  const { scope, log, profile = BUNDLED_MODEL, modelDir = bundledModelDir() } = options;
  const restAfterMs = options.restAfterMs ?? REST_AFTER_MS;
  const queryTimeoutMs = options.queryTimeoutMs ?? QUERY_TIMEOUT_MS;
  const code = options.booted?.code ?? readChildCode();
  const setting: ModelSetting = {
    scope,
    log,
    code,
    dir: modelDir,
    profile,
    cache: options.cache ?? null,
  };

  const queue = new JobQueue();
  const preparation = new Preparation({
    ...setting,
    afterMs: options.prepareAfterMs,
    isBusy: () => queue.bulkWaiting > 0,
  });
  const life = new ChildLife({
    ...setting,
    queue,
    booted: options.booted,
    onUnprepared: () => preparation.begin(),
  });
  let usedAt = performance.now();

  scope.interval(Math.min(HANG_MS, restAfterMs), 'embedder upkeep', () => {
    life.killIfHanging();
    preparation.killIfHanging();
    if (queue.isEmpty && performance.now() - usedAt >= restAfterMs) life.rest();
  });
  scope.own(
    undefined,
    async () => {
      const ended = [life.close(), preparation.close()];
      queue.rejectAll(new EmbedderUnavailable('the embedder is closed'));
      await Promise.all(ended);
    },
    'embedder',
  );
  life.ensureChild();

  /** @throws EmbedderUnavailable when no request can be taken now */
  const beginRequest = (): void => {
    usedAt = performance.now();
    life.ensureChild();
    if (scope.isClosed) throw new EmbedderUnavailable('the embedder is closed');
    if (life.fault !== null) throw new EmbedderUnavailable(life.fault.detail);
  };

  return {
    profile,
    async embedQuery(text, signal) {
      beginRequest();
      signal?.throwIfAborted();
      const { job, vector } = queue.add('query', text);
      const cancel = scope.timeout(queryTimeoutMs, 'query embedding', () =>
        queue.withdraw(job, new EmbedderUnavailable(`no vector within ${queryTimeoutMs} ms`)),
      );
      const abort = (): void =>
        queue.withdraw(job, new EmbedderUnavailable('the search was cancelled'));
      signal?.addEventListener('abort', abort, { once: true });
      life.dispatch();
      try {
        return (await vector)!;
      } finally {
        cancel();
        signal?.removeEventListener('abort', abort);
      }
    },
    async embedTexts(texts) {
      beginRequest();
      const vectors = texts.map((text) => queue.add('bulk', text).vector);
      life.dispatch();
      const embedded = await Promise.all(vectors);
      usedAt = performance.now();
      return embedded;
    },
    health: () => ({ ...life.health(), waiting: queue.bulkWaiting }),
    wake() {
      usedAt = performance.now();
      life.wake();
    },
  };
}
