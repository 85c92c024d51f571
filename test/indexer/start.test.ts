import {
  closeSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Breadcrumb } from '../../daemon/breadcrumb.ts';
import { Database } from '../../src/store/database.ts';
import { eventually } from '../eventually.ts';
import { findLexically, listEntries, type Orchard, plantOrchard, skill } from './orchard.ts';

let orchard: Orchard;
beforeEach(() => {
  orchard = plantOrchard();
  orchard.write('trees/skills/prune/SKILL.md', skill('prune', 'Cut a branch'));
  orchard.write('trees/skills/graft/SKILL.md', skill('graft', 'Join two trees'));
});
afterEach(() => orchard.clear());

const addTrees = async () => {
  const indexer = await orchard.start();
  await indexer.addRoot({ root: orchard.at('trees'), kind: 'catalog' });
  return indexer;
};

const overwrite = (file: string, from: number) => {
  const { size } = statSync(file);
  const handle = openSync(file, 'r+');
  writeSync(handle, Buffer.alloc(size - from, 0xa5), 0, size - from, from);
  closeSync(handle);
};

describe('a warm start', () => {
  test('answers from the last life before any file is read', async () => {
    await addTrees();
    await orchard.stop();
    rmSync(orchard.at('trees'), { recursive: true });
    const indexer = await orchard.start();
    expect(listEntries(indexer)).toEqual([
      'skill graft: Join two trees',
      'skill prune: Cut a branch',
    ]);
    expect(findLexically(indexer, 'branch')).toEqual(['prune']);
  });

  test('finds what changed while nobody watched', async () => {
    await addTrees();
    await orchard.stop();
    orchard.write('trees/skills/prune/SKILL.md', skill('prune', 'Cut it at night'));
    rmSync(orchard.at('trees/skills/graft'), { recursive: true });
    const indexer = await orchard.start();
    expect(await indexer.caughtUp(10_000)).toBe(true);
    expect(listEntries(indexer)).toEqual(['skill prune: Cut it at night']);
  });

  test('does not read files of the same time and size again', async () => {
    const file = orchard.at('trees/skills/prune/SKILL.md');
    const past = new Date('2024-01-01T00:00:00Z');
    utimesSync(file, past, past);
    await addTrees();
    await orchard.stop();
    writeFileSync(file, skill('prune', 'Cut a BRANCH'));
    utimesSync(file, past, past);
    const indexer = await orchard.start();
    await indexer.caughtUp(10_000);
    expect(listEntries(indexer)).toContain('skill prune: Cut a branch');
  });

  test('watches on: a save after it is found', async () => {
    await addTrees();
    const indexer = await orchard.start();
    await indexer.caughtUp(10_000);
    orchard.write('trees/skills/lop/SKILL.md', skill('lop', 'Take the top off'));
    expect(await indexer.caughtUp(10_000)).toBe(true);
    expect(findLexically(indexer, 'top off')).toEqual(['lop']);
  });
});

test('a project that is gone is forgotten at the next start, another is not', async () => {
  orchard.write('here/.claude/skills/plan/SKILL.md', skill('plan', 'Plan the garden'));
  orchard.write('gone/.claude/skills/plan/SKILL.md', skill('plan', 'Plan a castle'));
  const first = await orchard.start();
  for (const name of ['here', 'gone']) {
    await first.leaseRoot({ root: orchard.at(name), kind: 'project' });
  }
  await orchard.stop();
  rmSync(orchard.at('gone'), { recursive: true });
  const indexer = await orchard.start();
  await eventually(() => expect(listEntries(indexer)).toEqual(['skill plan: Plan the garden']));
});

describe('a damaged index', () => {
  test('is set aside at a start, with a line in the log, and made anew', async () => {
    await addTrees();
    await orchard.stop();
    writeFileSync(orchard.paths.indexDb, 'no database '.repeat(2_000));
    rmSync(`${orchard.paths.indexDb}-wal`, { force: true });
    const indexer = await addTrees();
    expect(listEntries(indexer)).toHaveLength(2);
    expect(orchard.logged).toContainEqual(
      expect.objectContaining({
        level: 'error',
        message: 'the index cannot be used; it is set aside and made anew',
      }),
    );
    const kept = readdirSync(orchard.paths.root).filter((name) => /\.damaged-[^.]*\d$/.test(name));
    expect(kept).toHaveLength(1);
  });

  test('is made anew while the daemon runs, and filled again from the roots', async () => {
    await addTrees();
    await orchard.stop();
    const indexer = await orchard.start();
    await indexer.caughtUp(10_000);
    overwrite(orchard.paths.indexDb, 4_096);
    expect(await indexer.verify()).not.toEqual([]);
    await eventually(() => {
      expect(indexer.health().state).toBe('ready');
      expect(listEntries(indexer)).toHaveLength(2);
    });
    expect(findLexically(indexer, 'branch')).toEqual(['prune']);
    orchard.write('trees/skills/lop/SKILL.md', skill('lop', 'Take the top off'));
    expect(await indexer.caughtUp(10_000)).toBe(true);
    expect(findLexically(indexer, 'top off')).toEqual(['lop']);
    expect(await indexer.verify()).toEqual([]);
  });

  test('of a newer lectern is refused and kept', async () => {
    await orchard.start();
    await orchard.stop();
    const db = new Database(orchard.paths.indexDb);
    db.exec('PRAGMA user_version = 999');
    db.close();
    await expect(orchard.start()).rejects.toMatchObject({ category: 'schema_too_new' });
    expect(readdirSync(orchard.paths.root)).toContain('index.db');
  });
});

describe('a file that killed lectern twice', () => {
  const killOn = (file: string) => new Breadcrumb(orchard.breadcrumb).enter(file);
  const bad = () => orchard.at('trees/skills/graft/SKILL.md');

  test('is not read, is named by the health, and the others are', async () => {
    killOn(bad());
    killOn(bad());
    const indexer = await addTrees();
    expect(listEntries(indexer)).toEqual(['skill prune: Cut a branch']);
    await eventually(() =>
      expect(indexer.health().quarantined.map(({ file }) => file)).toEqual([bad()]),
    );
    const [plugin] = [...indexer.view.plugins.values()];
    expect(plugin?.problems.map(({ file }) => file)).toContain(bad());
  });

  test('is read again once it changes', async () => {
    killOn(bad());
    killOn(bad());
    const indexer = await addTrees();
    writeFileSync(bad(), skill('graft', 'Harmless now'));
    expect(await indexer.caughtUp(10_000)).toBe(true);
    expect(listEntries(indexer)).toContain('skill graft: Harmless now');
    await eventually(() => expect(indexer.health().quarantined).toEqual([]));
  });

  test('is read again when a person asks for it, and for no other file', async () => {
    killOn(bad());
    killOn(bad());
    const indexer = await addTrees();
    await eventually(() => expect(indexer.health().quarantined).toHaveLength(1));
    expect(await indexer.release(orchard.at('trees/skills/prune/SKILL.md'))).toBe(false);
    expect(listEntries(indexer)).toHaveLength(1);
    expect(await indexer.release(bad())).toBe(true);
    expect(listEntries(indexer)).toHaveLength(2);
    await eventually(() => expect(indexer.health().quarantined).toEqual([]));
  });

  test('killed it only once: it is read', async () => {
    killOn(bad());
    const indexer = await addTrees();
    expect(listEntries(indexer)).toHaveLength(2);
  });
});
