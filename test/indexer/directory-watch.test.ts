import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DirectoryWatch } from '../../daemon/indexer/directory-watch.ts';
import { eventually } from '../eventually.ts';

let dir: string;
let seen: string[];
let watch: DirectoryWatch<string>;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'lectern-watch-'));
  seen = [];
  watch = new DirectoryWatch<string>((key, path) => seen.push(`${key} ${path}`));
});
afterEach(() => {
  watch.close();
  rmSync(dir, { recursive: true, force: true });
});

test('changes of two directories are reported in the order in which they were made', async () => {
  mkdirSync(join(dir, 'a'));
  mkdirSync(join(dir, 'b'));
  watch.set('key', [{ dir: join(dir, 'a') }, { dir: join(dir, 'b') }]);
  const made: string[] = [];
  for (let i = 0; i < 200; i++) {
    const path = join(dir, i % 2 === 0 ? 'a' : 'b', `file${i}`);
    writeFileSync(path, '');
    made.push(`key ${path}`);
  }
  await eventually(() => expect(new Set(seen).size).toBe(200));
  expect([...new Set(seen)]).toEqual(made);
});

test('with `only`, other names in the directory are silent', async () => {
  watch.set('key', [{ dir, only: 'root' }]);
  writeFileSync(join(dir, 'other'), '');
  mkdirSync(join(dir, 'root'));
  await eventually(() => expect(seen).toContain(`key ${join(dir, 'root')}`));
  expect(seen).not.toContain(`key ${join(dir, 'other')}`);
});

test('two names in one directory are both told, and so is one beside the whole', async () => {
  watch.set('names', [
    { dir, only: 'one' },
    { dir, only: 'two' },
  ]);
  watch.set('whole', [{ dir }, { dir, only: 'one' }]);
  writeFileSync(join(dir, 'one'), '');
  writeFileSync(join(dir, 'two'), '');
  await eventually(() => {
    for (const key of ['names', 'whole']) {
      expect(seen).toContain(`${key} ${join(dir, 'one')}`);
      expect(seen).toContain(`${key} ${join(dir, 'two')}`);
    }
  });
});

test('a directory made anew at the same path is fresh and watched again', async () => {
  const inner = join(dir, 'skills');
  mkdirSync(inner);
  expect(watch.set('key', [{ dir: inner }])).toEqual({ fresh: 1 });
  expect(watch.set('key', [{ dir: inner }])).toEqual({ fresh: 0 });
  renameSync(inner, join(dir, 'old'));
  mkdirSync(inner);
  expect(watch.set('key', [{ dir: inner }])).toEqual({ fresh: 1 });
  writeFileSync(join(inner, 'new.md'), '');
  await eventually(() => expect(seen).toContain(`key ${join(inner, 'new.md')}`));
});

test('a directory that is removed is reported and no longer watched', async () => {
  const inner = join(dir, 'skills');
  mkdirSync(inner);
  watch.set('key', [{ dir: inner }]);
  rmSync(inner, { recursive: true });
  await eventually(() => expect(watch.isWatched(inner)).toBe(false));
  expect(seen).toContain(`key ${inner}`);
});

test('a place that does not exist is passed over', () => {
  expect(watch.set('key', [{ dir: join(dir, 'nowhere') }])).toEqual({ fresh: 0 });
  expect(watch.size).toBe(0);
});

test('a directory that two keys watch stays until both let go', () => {
  watch.set('one', [{ dir }]);
  watch.set('two', [{ dir }]);
  expect(watch.size).toBe(1);
  watch.remove('one');
  expect(watch.isWatched(dir)).toBe(true);
  watch.set('two', []);
  expect(watch.size).toBe(0);
});
