import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ThreadLife } from '../../daemon/indexer/thread-life.ts';
import { Scope } from '../../src/core/scope.ts';

const threads = vi.hoisted(() => [] as Worker[]);
vi.mock('../../daemon/part-code.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../daemon/part-code.ts')>();
  return {
    ...original,
    startThread: (...args: Parameters<typeof original.startThread>) => {
      const thread = original.startThread(...args);
      threads.push(thread);
      return thread;
    },
  };
});

let scope: Scope;
beforeEach(() => {
  scope = new Scope('test');
});
afterEach(() => scope.close());

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** A thread that runs `script`; it is told nothing of an index. */
const startLife = (script: string, onRestart = () => {}): ThreadLife =>
  new ThreadLife({
    scope,
    log: silent,
    code: { script, isSource: true },
    data: { indexDb: '', cookies: '', breadcrumb: '', watched: null },
    onMessage: () => {},
    onRestart,
  });
const WAITS = "require('node:worker_threads').parentPort.on('message', () => {})";

test('a thread that lives is asked to close before it is ended', async () => {
  const life = startLife(WAITS);
  const ask = vi.fn(async () => {});
  await life.close(ask);
  expect(ask).toHaveBeenCalledOnce();
  expect(threads.at(-1)!.threadId).toBe(-1);
});

test('one that died and rests is not asked, since no answer would come', async () => {
  const life = startLife(WAITS);
  await threads.at(-1)!.terminate();
  const ask = vi.fn(() => new Promise(() => {}));
  await life.close(ask);
  expect(ask).not.toHaveBeenCalled();
});

test('one that was started after a death is asked to close again', async () => {
  let life!: ThreadLife;
  await new Promise<void>((resolve) => {
    life = startLife(WAITS, resolve);
    void threads.at(-1)!.terminate();
  });
  const ask = vi.fn(async () => {});
  await life.close(ask);
  expect(ask).toHaveBeenCalledOnce();
});
