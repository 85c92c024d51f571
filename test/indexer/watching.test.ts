import { execFileSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { IndexerClient } from '../../daemon/indexer/client.ts';
import { eventually } from '../eventually.ts';
import { findLexically, listEntries, type Orchard, plantOrchard, skill } from './orchard.ts';

let orchard: Orchard;
let indexer: IndexerClient;
let root: string;
beforeAll(async () => {
  orchard = plantOrchard();
  indexer = await orchard.start();
});
afterAll(() => orchard.clear());

beforeEach(async () => {
  orchard.write('trees/skills/prune/SKILL.md', skill('prune', 'Cut a branch'));
  orchard.write('trees/commands/water.md', skill('water', 'Water the roots'));
  root = orchard.at('trees');
  await indexer.addRoot({ root, kind: 'catalog' });
});
afterEach(async () => {
  for (const source of [...indexer.view.sources.values()]) await indexer.removeRoot(source.root);
  rmSync(root, { recursive: true, force: true });
});

/** Generous: it bounds a broken product, the answer comes in a fraction of it. */
const caughtUp = async () => expect(await indexer.caughtUp(10_000)).toBe(true);

describe('a save is in the index once caughtUp says so', () => {
  test('edited in place, a hundred times in a row', async () => {
    const file = join(root, 'skills/prune/SKILL.md');
    for (let n = 0; n < 100; n++) {
      writeFileSync(file, skill('prune', `Cut branch number${n}`));
      await caughtUp();
      expect(listEntries(indexer)).toContain(`skill prune: Cut branch number${n}`);
      expect(findLexically(indexer, `number${n}`)).toEqual(['prune']);
    }
  });

  test('a new skill in a new folder, twenty times in a row', async () => {
    for (let n = 0; n < 20; n++) {
      orchard.write(`trees/skills/graft${n}/SKILL.md`, skill(`graft${n}`, `Join trees ${n}`));
      await caughtUp();
      expect(findLexically(indexer, `graft${n}`)).toEqual([`graft${n}`]);
    }
  });

  test('a file written into a folder that was made earlier and empty', async () => {
    mkdirSync(join(root, 'skills/graft'));
    await caughtUp();
    orchard.write('trees/skills/graft/SKILL.md', skill('graft', 'Join two trees'));
    await caughtUp();
    expect(listEntries(indexer)).toContain('skill graft: Join two trees');
  });

  test('a deleted command', async () => {
    unlinkSync(join(root, 'commands/water.md'));
    await caughtUp();
    expect(listEntries(indexer)).toEqual(['skill prune: Cut a branch']);
    expect(findLexically(indexer, 'roots')).toEqual([]);
  });

  test('a renamed skill folder', async () => {
    orchard.write('trees/skills/lop/SKILL.md', '# Lop\n\nTake the top off.\n');
    await caughtUp();
    renameSync(join(root, 'skills/lop'), join(root, 'skills/top'));
    await caughtUp();
    const names = [...indexer.view.entries.values()].map((entry) => entry.name).sort();
    expect(names).toEqual(['prune', 'top', 'water']);
  });

  test('two folders that change places', async () => {
    orchard.write('trees/skills/graft/SKILL.md', skill('graft', 'Join branch'));
    await caughtUp();
    renameSync(join(root, 'skills/graft'), join(root, 'skills/spare'));
    renameSync(join(root, 'skills/prune'), join(root, 'skills/graft'));
    renameSync(join(root, 'skills/spare'), join(root, 'skills/prune'));
    await caughtUp();
    for (const entry of indexer.view.entries.values()) {
      expect(readFileSync(entry.file, 'utf8')).toContain(entry.description);
    }
  });

  test('saved by an editor that writes beside the file and renames', async () => {
    const file = join(root, 'skills/prune/SKILL.md');
    writeFileSync(join(root, 'skills/prune/.SKILL.md.swp'), 'swap');
    writeFileSync(join(root, 'skills/prune/SKILL.md.new'), skill('prune', 'Cut atomically'));
    renameSync(join(root, 'skills/prune/SKILL.md.new'), file);
    await caughtUp();
    expect(listEntries(indexer)).toContain('skill prune: Cut atomically');
  });

  test('saved by an editor that moves the old file away and writes a new one', async () => {
    const file = join(root, 'skills/prune/SKILL.md');
    renameSync(file, `${file}~`);
    writeFileSync(file, skill('prune', 'Cut with a backup'));
    unlinkSync(`${file}~`);
    await caughtUp();
    expect(listEntries(indexer)).toContain('skill prune: Cut with a backup');
  });

  test('a change that keeps size and modification time', async () => {
    const file = join(root, 'skills/prune/SKILL.md');
    const past = new Date('2024-01-01T00:00:00Z');
    writeFileSync(file, skill('prune', 'Cut one twig'));
    utimesSync(file, past, past);
    await caughtUp();
    writeFileSync(file, skill('prune', 'Cut two twig'));
    utimesSync(file, past, past);
    await caughtUp();
    expect(listEntries(indexer)).toContain('skill prune: Cut two twig');
  });
});

describe('directories come and go', () => {
  test('a whole plugin is added, edited and deleted', async () => {
    orchard.write('trees/herbs/skills/dry/SKILL.md', skill('dry', 'Dry herbs'));
    orchard.write('trees/herbs/.claude-plugin/plugin.json', '{"name": "herbs"}');
    await eventually(() => expect(listEntries(indexer)).toContain('skill dry: Dry herbs'));
    orchard.write('trees/herbs/skills/dry/SKILL.md', skill('dry', 'Dry them slowly'));
    await caughtUp();
    expect(listEntries(indexer)).toContain('skill dry: Dry them slowly');
    rmSync(join(root, 'herbs'), { recursive: true });
    await caughtUp();
    expect(listEntries(indexer)).toHaveLength(2);
  });

  test('a root that is deleted has no entries, and has them again when it is back', async () => {
    cpSync(root, orchard.at('copy'), { recursive: true });
    rmSync(root, { recursive: true });
    await caughtUp();
    expect(listEntries(indexer)).toEqual([]);
    const source = indexer.view.sourceByRoot(root);
    expect(source?.problems.map((problem) => problem.message)).toEqual([
      'the directory does not exist',
    ]);
    renameSync(orchard.at('copy'), root);
    await eventually(() => expect(listEntries(indexer)).toHaveLength(2));
    orchard.write('trees/skills/prune/SKILL.md', skill('prune', 'Cut after the return'));
    await caughtUp();
    expect(listEntries(indexer)).toContain('skill prune: Cut after the return');
  });

  test('a root that a file replaces counts nothing, and counts again when it is back', async () => {
    renameSync(root, orchard.at('aside'));
    orchard.write('trees', 'a file');
    await eventually(() =>
      expect(indexer.view.sourceByRoot(root)).toMatchObject({ found: {}, loaded: {} }),
    );
    rmSync(root);
    renameSync(orchard.at('aside'), root);
    await eventually(() =>
      expect(indexer.view.sourceByRoot(root)).toMatchObject({ found: { skill: 1, command: 1 } }),
    );
  });

  test('a root whose parent is deleted too comes back', async () => {
    orchard.write('deep/er/garden/skills/hoe/SKILL.md', skill('hoe', 'Hoe the bed'));
    await indexer.addRoot({ root: orchard.at('deep/er/garden'), kind: 'catalog' });
    rmSync(orchard.at('deep'), { recursive: true });
    await eventually(() => expect(listEntries(indexer)).toHaveLength(2));
    orchard.write('deep/er/garden/skills/hoe/SKILL.md', skill('hoe', 'Hoe it again'));
    await eventually(() => expect(listEntries(indexer)).toContain('skill hoe: Hoe it again'));
  });

  test('a root that a link replaces is followed, wherever the link leads next', async () => {
    for (const at of ['one', 'two', 'three']) {
      orchard.write(`${at}/skills/${at}/SKILL.md`, skill(at, `The way ${at}`));
    }
    renameSync(root, orchard.at('aside'));
    // Over a second link, which may be led elsewhere as well.
    symlinkSync(orchard.at('one'), orchard.at('current'));
    symlinkSync('current', root);
    await eventually(() => expect(listEntries(indexer)).toEqual(['skill one: The way one']));
    const lead = (link: string, to: string) => {
      symlinkSync(orchard.at(to), `${link}.next`);
      renameSync(`${link}.next`, link);
    };
    lead(orchard.at('current'), 'two');
    await caughtUp();
    expect(listEntries(indexer)).toEqual(['skill two: The way two']);
    lead(root, 'three');
    await caughtUp();
    expect(listEntries(indexer)).toEqual(['skill three: The way three']);
    unlinkSync(root);
    renameSync(orchard.at('aside'), root);
    await caughtUp();
    await eventually(() => expect(listEntries(indexer)).toHaveLength(2));
    expect(listEntries(indexer)).toContain('skill prune: Cut a branch');
  });

  test('a skill folder that is a link is followed, and its target watched', async () => {
    orchard.write('trees/shelf/graft/SKILL.md', skill('graft', 'Join two trees'));
    symlinkSync('../shelf/graft', join(root, 'skills/graft'));
    await eventually(() => expect(listEntries(indexer)).toContain('skill graft: Join two trees'));
    orchard.write('trees/shelf/graft/SKILL.md', skill('graft', 'Join three trees'));
    await caughtUp();
    expect(listEntries(indexer)).toContain('skill graft: Join three trees');
  });

  test('a link to the folder above it does not lead round in circles', async () => {
    symlinkSync('..', join(root, 'skills/loop'));
    symlinkSync('.', join(root, 'skills/self'));
    orchard.write('trees/skills/graft/SKILL.md', skill('graft', 'Join two trees'));
    await caughtUp();
    expect(listEntries(indexer)).toHaveLength(3);
  });
});

describe('what costs nothing', () => {
  const readings = () =>
    orchard.logged.filter(({ message }) => message === 'a root was read').length;

  test('a file that is saved without a change changes nothing', async () => {
    const { clock } = indexer.view;
    const file = join(root, 'skills/prune/SKILL.md');
    writeFileSync(file, readFileSync(file));
    await caughtUp();
    expect(indexer.view.clock).toBe(clock);
  });

  test('files that are neither entries nor manifests are not read for', async () => {
    await caughtUp();
    const before = readings();
    writeFileSync(join(root, 'skills/prune/run.py'), 'print()');
    writeFileSync(join(root, 'skills/prune/.SKILL.md.swp'), 'swap');
    await caughtUp();
    expect(readings()).toBe(before);
  });

  test('a git checkout of 1,000 files is one reading', async () => {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: root });
    git('init', '-q', '-b', 'main');
    git('add', '.');
    git('commit', '-qm', 'few');
    git('checkout', '-qb', 'many');
    for (let n = 0; n < 1_000; n++) {
      orchard.write(`trees/commands/tree${n}.md`, skill(`tree${n}`, `Plant tree ${n}`));
    }
    git('add', '.');
    git('commit', '-qm', 'many');
    git('checkout', '-q', 'main');
    // Enrolled again, so that the indexer knows that the root lies in a git tree.
    await indexer.removeRoot(root);
    await indexer.addRoot({ root, kind: 'catalog' });
    await caughtUp();
    expect(indexer.view.entries.size).toBe(2);
    const before = readings();
    git('checkout', '-q', 'many');
    await caughtUp();
    expect(indexer.view.entries.size).toBe(1_002);
    expect(readings() - before).toBe(1);
  });

  test('one edited entry is the only one that changes in the view', async () => {
    const changes: unknown[] = [];
    const stop = indexer.onEntries((change) => changes.push(change));
    const prune = [...indexer.view.entries.values()].find((entry) => entry.name === 'prune')!;
    orchard.write('trees/skills/prune/SKILL.md', skill('prune', 'Cut another branch'));
    await caughtUp();
    stop();
    expect(changes).toEqual([{ upserted: [prune.id], removed: [] }]);
  });
});
