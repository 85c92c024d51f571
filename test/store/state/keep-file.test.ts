import { execFileSync } from 'node:child_process';
import { existsSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { openForReading } from '../../../src/store/open-database.ts';
import type { StateStore } from '../../../src/store/state/state-store.ts';
import { enrol, makeDirectory, openState } from './fixture.ts';

let directory: string;
let path: string;
let state: StateStore;

beforeEach(() => {
  directory = makeDirectory();
  path = join(directory, 'state.db');
  state = openState(directory);
  enrol(state);
});

/** Names of the catalogs in a file, as another process reads them. */
function namesIn(file: string): string[] {
  const db = openForReading(file);
  try {
    return db
      .all<{ name: string }>('SELECT name FROM catalogs ORDER BY id')
      .map(({ name }) => name);
  } finally {
    db.close();
  }
}

/** A whole state of other decisions, closed. */
function makeOther(name: string): string {
  const elsewhere = makeDirectory();
  const other = openState(elsewhere);
  enrol(other, name);
  other.close();
  return join(elsewhere, 'state.db');
}

test.each([
  ['alone', ['']],
  ['with its logs', ['', '-wal', '-shm']],
])('a state.db removed %s is written back, private and whole, at the second look', (_how, gone) => {
  for (const suffix of gone) rmSync(path + suffix);
  expect(state.keepFile()).toBeNull();
  expect(existsSync(path)).toBe(false);
  expect(state.keepFile()).toEqual({ kind: 'written-back', copy: null });
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(namesIn(path)).toEqual(['orchard']);
  enrol(state, 'later');
  expect(namesIn(path)).toEqual(['orchard', 'later']);
  expect(state.keepFile()).toBeNull();
  expect(state.rescues).toHaveLength(1);
});

test('a decision made while state.db is missing goes into a file that is there', () => {
  rmSync(path);
  enrol(state, 'second');
  expect(namesIn(path)).toEqual(['orchard', 'second']);
});

test('another state.db holds from then on; what was decided in the former is copied', () => {
  let heard = 0;
  state.onChange(() => heard++);
  renameSync(makeOther('meadow'), path);
  const rescue = state.keepFile();
  expect(rescue?.kind).toBe('replaced');
  expect(namesIn(rescue!.copy!)).toEqual(['orchard']);
  expect(state.enrolments.all().map(({ name }) => name)).toEqual(['meadow']);
  expect(heard).toBe(1);
  enrol(state, 'second');
  expect(namesIn(path)).toEqual(['meadow', 'second']);
  state.close();
  expect(namesIn(path)).toEqual(['meadow', 'second']);
});

test('a decision that was looked up in a file that was replaced is refused, the next is taken', () => {
  renameSync(makeOther('meadow'), path);
  expect(() => enrol(state, 'second')).toThrow(
    expect.objectContaining({ category: 'io', next: 'try again' }),
  );
  enrol(state, 'second');
  expect(namesIn(path)).toEqual(['meadow', 'second']);
});

test('a file that is no database in its place changes nothing but that decisions are refused', () => {
  writeFileSync(`${path}.new`, 'x'.repeat(5000));
  renameSync(`${path}.new`, path);
  expect(() => state.keepFile()).toThrow(/cannot be used/);
  expect(() => enrol(state, 'second')).toThrow(/cannot be used/);
  expect(state.enrolments.all().map(({ name }) => name)).toEqual(['orchard']);
  rmSync(path);
  enrol(state, 'second');
  expect(namesIn(path)).toEqual(['orchard', 'second']);
});

test('a log that was removed takes no decision with it', () => {
  rmSync(`${path}-wal`);
  enrol(state, 'second');
  // Of the file alone, as after kill -9.
  const copy = join(directory, 'alone.db');
  execFileSync('cp', [path, copy]);
  expect(namesIn(copy)).toEqual(['orchard', 'second']);
});

test('where the whole directory is gone nothing is made anew', () => {
  rmSync(directory, { recursive: true });
  expect(state.keepFile()).toBeNull();
  expect(() => state.keepFile()).toThrow();
  expect(existsSync(directory)).toBe(false);
});
