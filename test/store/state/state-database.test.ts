import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openForReading } from '../../../src/store/open-database.ts';
import { fillDisk, mountSmallDisk } from '../../wire/small-disk.ts';
import { enrol, makeDirectory, openState } from './fixture.ts';

test('the clock grows with every decision and tells listeners, and not with counts', () => {
  const state = openState(makeDirectory());
  let heard = 0;
  const stop = state.onChange(() => heard++);
  const before = state.clock;
  enrol(state);
  expect(state.clock).toBe(before + 1);
  state.usage.add([{ sourceRoot: '/r', plugin: 'p', kind: 'skill', name: 'n', loads: 2 }]);
  state.workspaces.touch(state.workspaces.named('global')!.id);
  expect(state.clock).toBe(before + 1);
  stop();
  enrol(state, 'other');
  expect(heard).toBe(1);
});

test('a burst of changes is copied once, as it was before its first change', () => {
  const directory = makeDirectory();
  let now = 1_000_000;
  const first = openState(directory, { now: () => now });
  enrol(first);
  first.close();
  const state = openState(directory, { now: () => now });
  enrol(state, 'second');
  enrol(state, 'third');
  const backups = join(directory, 'backups');
  const copies = readdirSync(backups);
  expect(copies).toHaveLength(1);
  const copy = openForReading(join(backups, copies[0]!));
  expect(copy.all('SELECT name FROM catalogs')).toEqual([{ name: 'orchard' }]);
  copy.close();
  now += 11 * 60_000;
  enrol(state, 'fourth');
  expect(readdirSync(backups)).toHaveLength(2);
});

test('nothing is copied while nothing has been decided', () => {
  const directory = makeDirectory();
  enrol(openState(directory));
  expect(existsSync(join(directory, 'backups'))).toBe(false);
});

test('a change that fails leaves nothing of it', () => {
  const state = openState(makeDirectory());
  enrol(state);
  const before = state.clock;
  expect(() => enrol(state)).toThrow();
  expect(state.enrolments.all()).toHaveLength(1);
  expect(state.clock).toBe(before);
});

test('a change that a full disk refuses is io, says what to do, and leaves nothing', (context) => {
  const directory = makeDirectory();
  if (!mountSmallDisk(directory, 512)) {
    console.warn('SKIPPED: a tmpfs cannot be mounted here, so a full disk is not tested');
    context.skip();
  }
  const state = openState(directory);
  enrol(state);
  fillDisk(join(directory, 'filler'));
  const fill = () => {
    for (let n = 0; n < 200; n++) enrol(state, `catalog-${n}-${'x'.repeat(2_000)}`);
  };
  expect(fill).toThrow(
    expect.objectContaining({
      category: 'io',
      message: expect.stringContaining('the disk is full'),
      next: expect.stringContaining('free some space'),
    }),
  );
  expect(state.enrolments.all().map(({ name }) => name)).toContain('orchard');
});

test('a file in place of the directory of copies refuses a change, and is named', () => {
  const directory = makeDirectory();
  const first = openState(directory);
  enrol(first);
  first.close();
  writeFileSync(join(directory, 'backups'), '');
  const state = openState(directory);
  expect(() => enrol(state, 'second')).toThrow(
    expect.objectContaining({
      category: 'io',
      message: expect.stringContaining('backups is a file, where a directory belongs'),
    }),
  );
});
