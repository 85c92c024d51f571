import { expect, test } from 'vitest';
import { KeyedLock } from '../../src/library/keyed-lock.ts';

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

test('L-061 a second writer on one catalog waits its turn, another catalog does not', async () => {
  const locks = new KeyedLock();
  const order: string[] = [];
  const first = gate();
  const slow = locks.run('a', async () => {
    await first.opened;
    order.push('first on a');
  });
  const next = locks.run('a', async () => void order.push('second on a'));
  await locks.run('b', async () => void order.push('on b'));
  first.open();
  await Promise.all([slow, next]);
  expect(order).toEqual(['on b', 'first on a', 'second on a']);
});

test('a writer that fails lets the next one in', async () => {
  const locks = new KeyedLock();
  await expect(locks.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await locks.run('a', async () => 'in')).toBe('in');
});
