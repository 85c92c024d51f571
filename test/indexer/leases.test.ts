import { expect, onTestFinished, test } from 'vitest';
import { Leases } from '../../daemon/indexer/leases.ts';
import { Scope } from '../../src/core/scope.ts';

/** Leases, and the roots that the thread was told to read and not to let go of. */
function leaseHere() {
  const scope = new Scope('test');
  onTestFinished(() => scope.close());
  const read = new Set<string>();
  const ask = async (_what: string, { root }: { root: string | { root: string } }) => {
    if (typeof root === 'string') read.delete(root);
    else read.add(root.root);
  };
  const leases = new Leases(scope, { ask: ask as never });
  const hold = (root: string) => leases.hold({ root, kind: 'project' });
  return { hold, read, scope };
}

test('of projects that no session is in, the ones left last stay watched, and all that are held', async () => {
  const { hold, read, scope } = leaseHere();
  const held = await hold('/held');
  const drops = await Promise.all(Array.from({ length: 600 }, (_, at) => hold(`/p${at}`)));
  expect(read.size).toBe(601);
  for (const drop of drops) drop();
  expect(read.size).toBe(65);
  expect(read).toContain('/held');
  expect(read).toContain('/p599');
  expect(read).not.toContain('/p535');
  expect(scope.owned).toHaveLength(64);
  held();
});

test('a project that was entered again counts as left last', async () => {
  const { hold, read } = leaseHere();
  const drops = await Promise.all(Array.from({ length: 64 }, (_, at) => hold(`/p${at}`)));
  for (const drop of drops) drop();
  (await hold('/p0'))();
  (await hold('/new'))();
  expect(read).toContain('/p0');
  expect(read).not.toContain('/p1');
});
