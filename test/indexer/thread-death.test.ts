import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { eventually } from '../eventually.ts';
import { findLexically, listEntries, type Orchard, plantOrchard, skill } from './orchard.ts';

/** The real threads, newest last, so that a test can end one. */
const threads = vi.hoisted(() => [] as Worker[]);
/** While set, a thread that starts and never answers is started instead. */
const isHanging = vi.hoisted(() => ({ now: false }));
const HANGING = `require('node:worker_threads').parentPort.postMessage({ tell: 'ready' });
for (;;);`;
vi.mock('../../daemon/part-code.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../../daemon/part-code.ts')>();
  return {
    ...original,
    startThread: (...args: Parameters<typeof original.startThread>) => {
      const thread = isHanging.now
        ? new Worker(HANGING, { eval: true })
        : original.startThread(...args);
      threads.push(thread);
      vi.spyOn(thread, 'postMessage');
      return thread;
    },
  };
});

let orchard: Orchard;
beforeEach(() => {
  orchard = plantOrchard();
  orchard.write('trees/skills/prune/SKILL.md', skill('prune', 'Cut a branch'));
});
afterEach(() => orchard.clear());

test('a thread that dies is started again and goes on watching', async () => {
  const indexer = await orchard.start();
  await indexer.addRoot({ root: orchard.at('trees'), kind: 'catalog' });
  await threads.at(-1)!.terminate();
  expect(findLexically(indexer, 'branch')).toEqual(['prune']);
  orchard.write('trees/skills/prune/SKILL.md', skill('prune', 'Cut after a death'));
  await eventually(() => expect(listEntries(indexer)).toEqual(['skill prune: Cut after a death']));
});

test('what was asked of a thread that dies is asked of the next', async () => {
  const indexer = await orchard.start();
  const adding = indexer.addRoot({ root: orchard.at('trees'), kind: 'catalog' });
  await threads.at(-1)!.terminate();
  expect(await adding).toMatchObject({ entries: 1 });
});

test('a new thread is told of each root once', async () => {
  const indexer = await orchard.start();
  await indexer.addRoot({ root: orchard.at('trees'), kind: 'catalog' });
  orchard.write('project/.claude/skills/dig/SKILL.md', skill('dig', 'Dig a hole'));
  await indexer.leaseRoot({ root: orchard.at('project'), kind: 'project' });
  const dead = threads.at(-1)!;
  await dead.terminate();
  await eventually(() => expect(threads.at(-1)).not.toBe(dead));
  await indexer.caughtUp(10_000);
  const asked = vi.mocked(threads.at(-1)!.postMessage).mock.calls.map(([message]) => message.ask);
  expect(asked.filter((ask) => ask === 'add' || ask === 'lease').sort()).toEqual(['add', 'lease']);
});

test('what two threads died of fails', async () => {
  const indexer = await orchard.start();
  const adding = indexer.addRoot({ root: orchard.at('trees'), kind: 'catalog' });
  const failed = expect(adding).rejects.toMatchObject({ category: 'internal' });
  const first = threads.length;
  await threads.at(-1)!.terminate();
  await eventually(() => expect(threads.length).toBe(first + 1));
  await threads.at(-1)!.terminate();
  await failed;
});

test('a thread that hangs is ended and started again', async () => {
  isHanging.now = true;
  const indexer = await orchard.start({ hangMs: 2_000 });
  isHanging.now = false;
  const root = { root: orchard.at('trees'), kind: 'catalog' as const };
  const reading = await eventually(() => indexer.addRoot(root), 50_000);
  expect(reading).toMatchObject({ entries: 1 });
  expect(orchard.logged.map(({ message }) => message)).toContain(
    'the indexer thread hangs and is ended',
  );
}, 60_000);

test('a thread that hangs does not keep the daemon from closing', async () => {
  isHanging.now = true;
  await orchard.start();
  isHanging.now = false;
  await orchard.stop();
  expect(threads.at(-1)!.threadId).toBe(-1);
});
