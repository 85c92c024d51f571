import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { keepSnapshot, type SnapshotOptions } from '../../daemon/search/keep-snapshot.ts';
import { Scope } from '../../src/core/scope.ts';
import { eventually } from '../eventually.ts';
import { contentsOf, openVectorRows } from './vector-rows.ts';

let dir: string;
let scope: Scope;
let messages: string[];
beforeEach(() => {
  dir = join(mkdtempSync(join(tmpdir(), 'lectern-keep-')), 'vectors');
  scope = new Scope('test');
  messages = [];
});
afterEach(async () => {
  await scope.close();
  rmSync(join(dir, '..'), { recursive: true, force: true });
});

const log = {
  info: (_: Record<string, unknown>, message: string) => messages.push(message),
  warn: (_: Record<string, unknown>, message: string) => messages.push(message),
};

/** One life: restore, compare with the index, keep. */
async function live(rows: ReturnType<typeof openRows>, more: Partial<SnapshotOptions> = {}) {
  const store = rows.openEmpty();
  const keeper = keepSnapshot({
    scope,
    log,
    dir,
    store,
    canWrite: true,
    isBusy: () => false,
    minRows: 10,
    settleMs: 0,
    ...more,
  });
  await keeper.restore();
  rows.load(store);
  keeper.notice();
  return { store, keeper };
}

function openRows() {
  const rows = openVectorRows();
  for (let id = 1; id <= 100; id++) rows.put(id, `entry ${id}`);
  return rows;
}

const hasSaved = (times: number) =>
  eventually(() =>
    expect(messages.filter((message) => message === 'vectors saved')).toHaveLength(times),
  );
const manifest = (): string => readFileSync(join(dir, 'manifest.json'), 'utf8');

test('a first life saves what it has; the next one has it without reading it', async () => {
  const rows = openRows();
  const first = await live(rows);
  await hasSaved(1);
  rows.forgetVectors();
  const second = await live(rows);
  expect(contentsOf(second.store)).toEqual(contentsOf(first.store));
  expect(second.store.changes).toBe(0);
});

test('a few changes are left to the next start, many are saved', async () => {
  const rows = openRows();
  const { store, keeper } = await live(rows);
  await hasSaved(1);
  const before = manifest();
  rows.put(101, 'entry 101');
  store.refresh(rows.db, 101);
  keeper.notice();
  await new Promise((resolve) => setImmediate(resolve));
  expect(manifest()).toBe(before);
  for (let id = 102; id < 110; id++) {
    rows.put(id, `entry ${id}`);
    store.refresh(rows.db, id);
  }
  keeper.notice();
  await hasSaved(2);
  expect(manifest()).not.toBe(before);
});

test('while vectors are being made nothing is saved', async () => {
  const rows = openRows();
  let looks = 0;
  await live(rows, {
    isBusy: () => looks++ < 3,
  });
  await hasSaved(1);
  expect(looks).toBe(4);
});

test('a damaged snapshot is deleted, said, and made anew', async () => {
  const rows = openRows();
  const first = await live(rows);
  await hasSaved(1);
  writeFileSync(join(dir, 'manifest.json'), 'nothing of the kind');
  const second = await live(rows);
  expect(messages).toContain('the snapshot of vectors was damaged and is deleted');
  expect(contentsOf(second.store)).toEqual(contentsOf(first.store));
  await hasSaved(2);
});

test('a read-only session uses a snapshot, and neither writes nor deletes one', async () => {
  const rows = openRows();
  const readOnly = { canWrite: false };
  await live(rows, readOnly);
  expect(() => readdirSync(dir)).toThrow('ENOENT');
  await live(rows);
  await hasSaved(1);
  const { store } = await live(rows, readOnly);
  expect(store.changes).toBe(0);
  const left = join(dir, '00000000-0000-4000-8000-000000000000.rows');
  writeFileSync(left, 'being written by the daemon');
  writeFileSync(join(dir, 'manifest.json'), 'nothing of the kind');
  const before = readdirSync(dir);
  const last = await live(rows, readOnly);
  expect(messages.at(-1)).toBe('the snapshot of vectors is not used');
  expect(readdirSync(dir)).toEqual(before);
  expect(contentsOf(last.store)).toEqual(contentsOf(store));
});

test('what cannot be written is said, and costs nothing else', async () => {
  const rows = openRows();
  writeFileSync(dir, 'a file where the directory should be');
  const { store } = await live(rows);
  await eventually(() =>
    expect(messages).toContain('the snapshot of vectors could not be written'),
  );
  expect(store.entries.size).toBe(100);
});
