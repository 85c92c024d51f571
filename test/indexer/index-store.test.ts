import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { IndexStore } from '../../daemon/indexer/index-store.ts';

let dir: string;
let states: number;
let store: IndexStore;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'lectern-store-'));
  states = 0;
  store = new IndexStore(join(dir, 'state', 'index.db'), {
    onState: () => states++,
    onDamage: () => {},
  });
});
afterEach(() => {
  store.close();
  rmSync(dir, { recursive: true, force: true });
});

const count = () =>
  store.write((db) => db.get<{ n: number }>('SELECT count(*) AS n FROM sources')!.n);

test('an index that cannot be written is an io error, and the state says why', () => {
  expect(count).toThrowError(expect.objectContaining({ category: 'io' }));
  expect(store.state).toBe('read-only');
  expect(store.detail).toContain('the index cannot be written');
  expect(states).toBe(1);
});

test('once it can be written again, the next write says so', () => {
  expect(count).toThrow();
  mkdirSync(join(dir, 'state'));
  expect(count()).toBe(0);
  expect(store.state).toBe('ready');
  expect(store.detail).toBeNull();
});

test('a life that was not closed is noticed by the next', () => {
  mkdirSync(join(dir, 'state'));
  const open = () =>
    new IndexStore(join(dir, 'state', 'index.db'), { onState: () => {}, onDamage: () => {} });
  const first = open();
  expect(first.beginLife()).toBe(false);
  const second = open();
  expect(second.beginLife()).toBe(true);
  second.close();
  const third = open();
  expect(third.beginLife()).toBe(false);
  third.close();
  first.close();
});

test('a fault of a statement is no fault of the disk', () => {
  mkdirSync(join(dir, 'state'));
  expect(() => store.write((db) => db.run('INSERT INTO nowhere VALUES (1)'))).toThrowError(
    expect.objectContaining({ category: 'internal' }),
  );
  expect(store.state).toBe('ready');
});

test('nothing is opened any more after closing', () => {
  mkdirSync(join(dir, 'state'));
  store.close();
  expect(count).toThrowError(expect.objectContaining({ category: 'interrupted' }));
});
