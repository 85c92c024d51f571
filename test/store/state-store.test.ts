import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openForReading } from '../../src/store/open-database.ts';
import { openStateStore, type StateStore } from '../../src/store/state-store.ts';
import { fillDisk, mountSmallDisk } from '../wire/small-disk.ts';

function makeDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'lectern-state-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

function open(
  directory: string,
  options: { now?: () => number; readOnly?: boolean } = {},
): StateStore {
  const state = openStateStore({
    path: join(directory, 'state.db'),
    backups: join(directory, 'backups'),
    ...options,
  });
  onTestFinished(() => state.close());
  return state;
}

function enrol(state: StateStore, name = 'orchard') {
  return state.addEnrolment({
    workspaceId: state.workspace('global')!.id,
    name,
    kind: 'directory',
    url: `file:///${name}`,
    ref: 'main',
    refGiven: false,
    root: `/${name}`,
  });
}

test("global exists from the first opening, and the file is the user's alone", () => {
  const directory = makeDirectory();
  const state = open(directory);
  expect(state.workspaces().map((it) => it.name)).toEqual(['global']);
  expect(statSync(join(directory, 'state.db')).mode & 0o777).toBe(0o600);
});

test('what was decided is there after reopening', () => {
  const directory = makeDirectory();
  const first = open(directory);
  const { id } = enrol(first);
  first.enablePlugins([{ catalogId: id, plugin: 'pruning', tier: 2 }]);
  first.setException(id, { plugin: 'pruning', kind: 'skill', name: 'x' }, false);
  first.setTiers([{ catalogId: id, plugin: 'pruning', kind: 'skill', name: 'y', tier: 1 }]);
  first.bind('/p', first.workspace('global')!.id);
  first.trust('abc', 'orchard/pruning');
  first.close();
  const state = open(directory);
  const global = state.workspace('global')!.id;
  expect(state.enabledPlugins(global)).toMatchObject([{ plugin: 'pruning', tier: 2 }]);
  expect(state.exceptions(global)).toMatchObject([{ name: 'x', enabled: false }]);
  expect(state.tiers(global)).toMatchObject([{ name: 'y', tier: 1 }]);
  expect(state.bindings()).toMatchObject([{ projectPath: '/p' }]);
  expect(state.isTrusted('abc')).toBe(true);
});

test('removing an enrolment removes what hangs on it', () => {
  const state = open(makeDirectory());
  const { id, workspaceId } = enrol(state);
  state.enablePlugins([{ catalogId: id, plugin: 'p', tier: 3 }]);
  state.setTiers([{ catalogId: id, plugin: 'p', kind: 'skill', name: 'y', tier: 1 }]);
  state.removeEnrolment(id);
  expect(state.enabledPlugins(workspaceId)).toEqual([]);
  expect(state.tiers(workspaceId)).toEqual([]);
});

test('the clock grows with every decision and tells listeners, and not with counts', () => {
  const state = open(makeDirectory());
  let heard = 0;
  const stop = state.onChange(() => heard++);
  const before = state.clock;
  enrol(state);
  expect(state.clock).toBe(before + 1);
  state.addUsage([{ sourceRoot: '/r', plugin: 'p', kind: 'skill', name: 'n', loads: 2 }]);
  state.touchWorkspace(state.workspace('global')!.id);
  expect(state.clock).toBe(before + 1);
  stop();
  enrol(state, 'other');
  expect(heard).toBe(1);
});

test('loads add up', () => {
  const state = open(makeDirectory());
  const row = { sourceRoot: '/r', plugin: 'p', kind: 'skill', name: 'n' };
  state.addUsage([{ ...row, loads: 2 }]);
  state.addUsage([{ ...row, loads: 3 }]);
  expect(state.usage()).toMatchObject([{ ...row, loads: 5 }]);
});

test('a burst of changes is copied once, as it was before its first change', () => {
  const directory = makeDirectory();
  let now = 1_000_000;
  const first = open(directory, { now: () => now });
  enrol(first);
  first.close();
  const state = open(directory, { now: () => now });
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
  enrol(open(directory));
  expect(existsSync(join(directory, 'backups'))).toBe(false);
});

test('the export holds every decision in words', () => {
  const state = open(makeDirectory(), { now: () => Date.UTC(2026, 0, 5, 9) });
  const { id } = enrol(state);
  state.enablePlugins([{ catalogId: id, plugin: 'pruning', tier: 3 }]);
  state.setException(id, { plugin: 'pruning', kind: 'skill', name: 'x' }, false);
  state.setSetting('k', 'v');
  expect(state.exportState()).toEqual({
    lectern: expect.any(String),
    schema_version: 1,
    exported_at: '2026-01-05T09:00:00Z',
    workspaces: [
      {
        name: 'global',
        created_at: '2026-01-05T09:00:00Z',
        last_used_at: null,
        catalogs: [
          {
            name: 'orchard',
            kind: 'directory',
            url: 'file:///orchard',
            ref: 'main',
            root: '/orchard',
            added_at: '2026-01-05T09:00:00Z',
          },
        ],
        plugins: [
          { catalog: 'orchard', plugin: 'pruning', enabled_at: '2026-01-05T09:00:00Z', tier: 3 },
        ],
        exceptions: [
          { catalog: 'orchard', plugin: 'pruning', kind: 'skill', name: 'x', enabled: false },
        ],
        tiers: [],
        bindings: [],
      },
    ],
    trust: [],
    settings: { k: 'v' },
  });
});

test('a read-only store reads, counts nothing and makes no file', () => {
  const directory = makeDirectory();
  const empty = open(directory, { readOnly: true });
  expect(empty.workspaces().map((it) => it.name)).toEqual(['global']);
  expect(readdirSync(directory)).toEqual([]);
  enrol(open(directory));
  const state = open(directory, { readOnly: true });
  expect(state.enrolments()).toHaveLength(1);
  state.addUsage([{ sourceRoot: '/r', plugin: 'p', kind: 'skill', name: 'n', loads: 2 }]);
  expect(state.usage()).toEqual([]);
});

test('a change that fails leaves nothing of it', () => {
  const state = open(makeDirectory());
  enrol(state);
  const before = state.clock;
  expect(() => enrol(state)).toThrow();
  expect(state.enrolments()).toHaveLength(1);
  expect(state.clock).toBe(before);
});

for (const [how, content] of [
  ['garbage', 'garbage '.repeat(2_000)],
  ['empty', ''],
] as const) {
  test(`a state.db that is ${how} is kept, and the newest copy is named`, () => {
    const directory = makeDirectory();
    const path = join(directory, 'state.db');
    let now = 0;
    const state = open(directory, { now: () => now });
    enrol(state);
    // What was decided is copied before the first change of a later burst.
    now += 60 * 60_000;
    enrol(state, 'herbs');
    state.close();
    const [copy] = readdirSync(join(directory, 'backups'));
    for (const suffix of ['-wal', '-shm']) rmSync(path + suffix, { force: true });
    writeFileSync(path, content);
    expect(() => open(directory)).toThrow(
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
  expect(open(directory).workspace('global')).toBeDefined();
});

test('a directory in place of state.db is io, and the place is blamed', () => {
  const directory = makeDirectory();
  mkdirSync(join(directory, 'state.db'));
  expect(() => open(directory)).toThrow(
    expect.objectContaining({ category: 'io', next: expect.stringContaining('a file of yours') }),
  );
});

test('a change that a full disk refuses is io, says what to do, and leaves nothing', (context) => {
  const directory = makeDirectory();
  if (!mountSmallDisk(directory, 512)) {
    console.warn('SKIPPED: a tmpfs cannot be mounted here, so a full disk is not tested');
    context.skip();
  }
  const state = open(directory);
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
  expect(state.enrolments().map(({ name }) => name)).toContain('orchard');
});
