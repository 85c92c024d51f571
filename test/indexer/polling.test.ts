import { mkdirSync, mkdtempSync, realpathSync, rmSync, watch, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { Breadcrumb } from '../../daemon/breadcrumb.ts';
import type { OpenWatch } from '../../daemon/indexer/directory-watch.ts';
import { IndexStore } from '../../daemon/indexer/index-store.ts';
import { Roots, type RootsDependencies } from '../../daemon/indexer/roots.ts';
import { readCatalog } from '../../src/catalog/read-catalog.ts';
import { Scope } from '../../src/core/scope.ts';
import { eventually } from '../eventually.ts';
import { skill } from './orchard.ts';

/** What file system every root of this test lies on; undefined for the real one. */
const disk = vi.hoisted(() => ({ remote: undefined as string | undefined }));
vi.mock('../../daemon/indexer/filesystem.ts', async (original) => {
  const real = await original<typeof import('../../daemon/indexer/filesystem.ts')>();
  return {
    ...real,
    findRemoteFileSystem: async (path: string) => disk.remote ?? real.findRemoteFileSystem(path),
  };
});

let dir: string;
let scope: Scope;
let store: IndexStore;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'lectern-poll-')));
  mkdirSync(join(dir, 'trees/skills/prune'), { recursive: true });
  writeFileSync(join(dir, 'trees/skills/prune/SKILL.md'), skill('prune', 'Cut a branch'));
  scope = new Scope('test');
});
afterEach(async () => {
  await scope.close();
  rmSync(dir, { recursive: true, force: true });
});

function openRoots(
  limits: Pick<RootsDependencies, 'openWatch' | 'maxWatchedDirs' | 'searchPassMs'>,
): Roots {
  store = scope.own(
    new IndexStore(join(dir, 'index.db'), { onState: () => {}, onDamage: () => {} }),
    (opened) => opened.close(),
  );
  return new Roots({
    store,
    breadcrumb: scope.own(new Breadcrumb(join(dir, 'trail.json')), (trail) => trail.close()),
    scope,
    readCatalog,
    onChange: () => {},
    onHealth: () => {},
    log: () => {},
    ...limits,
  });
}

const refuse =
  (code: string): OpenWatch =>
  () => {
    throw Object.assign(new Error(code), { code });
  };

const descriptions = () =>
  store
    .read((db) => db.all<{ description: string }>('SELECT description FROM entries'))!
    .map((row) => row.description);

const trees = () => ({ root: join(dir, 'trees'), kind: 'catalog' as const });

test('where inotify watches run out, the root is polled and the sysctl is named', async () => {
  const roots = openRoots({ openWatch: refuse('ENOSPC') });
  expect(await roots.add(trees(), 'kept')).toMatchObject({ entries: 1 });
  expect(roots.polled).toEqual([
    {
      root: trees().root,
      reason: expect.stringContaining('fs.inotify.max_user_watches'),
      remedy: expect.stringContaining('sysctl fs.inotify.max_user_watches='),
    },
  ]);
});

test('a root is watched again a minute after the limit was met, once there are watches for it', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  let isFull = true;
  let tries = 0;
  const openWatch: OpenWatch = (path) => {
    if (!isFull) return watch(path, { persistent: false });
    tries += 1;
    throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
  };
  const roots = openRoots({ openWatch, searchPassMs: Number.POSITIVE_INFINITY });
  await roots.add(trees(), 'kept');
  const read = async () => {
    await roots.settled();
    return roots.polled.length;
  };
  for (let n = 0; n < 5; n++) expect(await read()).toBe(1);
  expect(tries).toBe(1);
  vi.advanceTimersByTime(61_000);
  expect(await read()).toBe(1);
  expect(tries).toBe(2);
  isFull = false;
  expect(await read()).toBe(1);
  vi.advanceTimersByTime(61_000);
  expect(await read()).toBe(0);
  writeFileSync(join(dir, 'trees/skills/prune/SKILL.md'), skill('prune', 'Cut watched'));
  await eventually(() => expect(descriptions()).toEqual(['Cut watched']));
});

test('where open files run out, the limit is named', async () => {
  const roots = openRoots({ openWatch: refuse('EMFILE') });
  await roots.add(trees(), 'kept');
  expect(roots.polled[0]?.reason).toContain('ulimit -n');
});

test('a polled root is up to date once it has settled', async () => {
  const roots = openRoots({ openWatch: refuse('ENOSPC'), searchPassMs: Number.POSITIVE_INFINITY });
  await roots.add(trees(), 'kept');
  writeFileSync(join(dir, 'trees/skills/prune/SKILL.md'), skill('prune', 'Cut unwatched'));
  await roots.settled();
  expect(roots.isBehind).toBe(false);
  expect(descriptions()).toEqual(['Cut unwatched']);
});

test('a polled root that takes too long is not read for a search, and that is known', async () => {
  const roots = openRoots({ openWatch: refuse('ENOSPC'), searchPassMs: 0 });
  await roots.add(trees(), 'kept');
  writeFileSync(join(dir, 'trees/skills/prune/SKILL.md'), skill('prune', 'Cut unwatched'));
  await roots.settled();
  expect(roots.isBehind).toBe(true);
  expect(descriptions()).toEqual(['Cut a branch']);
});

test('a root of more directories than are watched is polled and says how many', async () => {
  for (let n = 0; n < 10; n++) mkdirSync(join(dir, `trees/skills/s${n}`));
  const roots = openRoots({ maxWatchedDirs: 10 });
  await roots.add(trees(), 'kept');
  expect(roots.polled[0]?.reason).toMatch(/^1\d directories .* at most 10 /);
});

test('a root that has no more directories than are watched is watched from its next reading on', async () => {
  for (let n = 0; n < 10; n++) mkdirSync(join(dir, `trees/skills/s${n}`));
  const roots = openRoots({ maxWatchedDirs: 10, searchPassMs: Number.POSITIVE_INFINITY });
  await roots.add(trees(), 'kept');
  expect(roots.polled).toHaveLength(1);
  for (let n = 0; n < 10; n++) rmSync(join(dir, `trees/skills/s${n}`), { recursive: true });
  await roots.settled();
  expect(roots.polled).toEqual([]);
});

test('a root on a network file system is polled and says why', async () => {
  disk.remote = 'nfs';
  onTestFinished(() => void (disk.remote = undefined));
  const roots = openRoots({ searchPassMs: Number.POSITIVE_INFINITY });
  await roots.add(trees(), 'kept');
  expect(roots.polled).toMatchObject([
    {
      root: trees().root,
      reason: expect.stringContaining('nfs'),
      remedy: expect.stringContaining('reindex'),
    },
  ]);
  writeFileSync(join(dir, 'trees/skills/prune/SKILL.md'), skill('prune', 'Cut from afar'));
  await roots.settled();
  expect(descriptions()).toEqual(['Cut from afar']);
});

test('a change that no event told of is found within a minute', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  mkdirSync(join(dir, 'quiet'));
  // Watches where nothing ever happens.
  const roots = openRoots({ openWatch: () => watch(join(dir, 'quiet'), { persistent: false }) });
  await roots.add(trees(), 'kept');
  expect(roots.polled).toEqual([]);
  writeFileSync(join(dir, 'trees/skills/prune/SKILL.md'), skill('prune', 'Cut in silence'));
  vi.advanceTimersByTime(50_000);
  await roots.settled();
  expect(descriptions()).toEqual(['Cut a branch']);
  vi.advanceTimersByTime(12_000);
  await eventually(() => expect(descriptions()).toEqual(['Cut in silence']));
});

test('a root that is watched is not polled', async () => {
  const roots = openRoots({});
  await roots.add(trees(), 'kept');
  expect(roots.polled).toEqual([]);
});
