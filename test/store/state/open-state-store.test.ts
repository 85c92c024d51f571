import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { enrol, makeDirectory, openState } from './fixture.ts';

test("global exists from the first opening, and the file is the user's alone", () => {
  const directory = makeDirectory();
  const state = openState(directory);
  expect(state.workspaces.all().map((it) => it.name)).toEqual(['global']);
  expect(statSync(join(directory, 'state.db')).mode & 0o777).toBe(0o600);
});

test('what was decided is there after reopening', () => {
  const directory = makeDirectory();
  const first = openState(directory);
  const { id } = enrol(first);
  first.enablement.enable([{ catalogId: id, plugin: 'pruning', tier: 2 }]);
  first.enablement.setException(id, { plugin: 'pruning', kind: 'skill', name: 'x' }, false);
  first.tiers.set([{ catalogId: id, plugin: 'pruning', kind: 'skill', name: 'y', tier: 1 }]);
  first.bindings.bind('/p', first.workspaces.named('global')!.id);
  first.close();
  const state = openState(directory);
  const global = state.workspaces.named('global')!.id;
  expect(state.enablement.pluginsOf(global)).toMatchObject([{ plugin: 'pruning', tier: 2 }]);
  expect(state.enablement.exceptionsOf(global)).toMatchObject([{ name: 'x', enabled: false }]);
  expect(state.tiers.of(global)).toMatchObject([{ name: 'y', tier: 1 }]);
  expect(state.bindings.all()).toMatchObject([{ projectPath: '/p' }]);
});

test('a read-only store reads, counts nothing and makes no file', () => {
  const directory = makeDirectory();
  const empty = openState(directory, { readOnly: true });
  expect(empty.workspaces.all().map((it) => it.name)).toEqual(['global']);
  expect(readdirSync(directory)).toEqual([]);
  enrol(openState(directory));
  const state = openState(directory, { readOnly: true });
  expect(state.enrolments.all()).toHaveLength(1);
  state.usage.add([{ sourceRoot: '/r', plugin: 'p', kind: 'skill', name: 'n', loads: 2 }]);
  expect(state.usage.all()).toEqual([]);
});

for (const [how, content] of [
  ['garbage', 'garbage '.repeat(2_000)],
  ['empty', ''],
] as const) {
  test(`a state.db that is ${how} is kept, and the newest copy is named`, () => {
    const directory = makeDirectory();
    const path = join(directory, 'state.db');
    let now = 0;
    const state = openState(directory, { now: () => now });
    enrol(state);
    // What was decided is copied before the first change of a later burst.
    now += 60 * 60_000;
    enrol(state, 'herbs');
    state.close();
    const [copy] = readdirSync(join(directory, 'backups'));
    for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true });
    writeFileSync(path, content);
    expect(() => openState(directory)).toThrow(
      expect.objectContaining({
        category: 'io',
        message: expect.stringContaining(path),
        next: expect.stringContaining(`cp ${join(directory, 'backups', copy!)} ${path}`),
      }),
    );
    expect(readFileSync(path, 'utf8')).toBe(content);
  });
}

test('an empty state.db without a copy is a new one: nothing was decided yet', () => {
  const directory = makeDirectory();
  writeFileSync(join(directory, 'state.db'), '');
  expect(openState(directory).workspaces.named('global')).toBeDefined();
});

test('a directory in place of state.db is io, and the place is blamed', () => {
  const directory = makeDirectory();
  mkdirSync(join(directory, 'state.db'));
  expect(() => openState(directory)).toThrow(
    expect.objectContaining({
      category: 'io',
      next: expect.stringMatching(/^mv .* then: lectern daemon restart$/),
    }),
  );
});
