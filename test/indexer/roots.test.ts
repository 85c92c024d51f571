import { mkdirSync, renameSync, rmSync, unlinkSync } from 'node:fs';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest';
import type { IndexerClient } from '../../daemon/indexer/client.ts';
import { findLexically, listEntries, type Orchard, plantOrchard, skill } from './orchard.ts';

let orchard: Orchard;
let indexer: IndexerClient;
beforeAll(async () => {
  orchard = plantOrchard();
  indexer = await orchard.start();
});
afterAll(() => orchard.clear());
beforeEach(() => {
  orchard.write('trees/skills/prune/SKILL.md', skill('prune', 'Cut a branch'));
  orchard.write('trees/skills/graft/SKILL.md', skill('graft', 'Join two trees'));
});
afterEach(async () => {
  for (const source of [...indexer.view.sources.values()]) await indexer.removeRoot(source.root);
  for (const name of ['trees', 'herbs', 'project']) {
    rmSync(orchard.at(name), { recursive: true, force: true });
  }
});

const trees = () => ({ root: orchard.at('trees'), kind: 'catalog' as const });

describe('addRoot', () => {
  test('counts what it added, and what was unchanged the next time', async () => {
    expect(await indexer.addRoot(trees())).toMatchObject({ entries: 2, added: 2, unchanged: 0 });
    expect(await indexer.addRoot(trees())).toMatchObject({ added: 0, modified: 0, unchanged: 2 });
    orchard.write('trees/skills/prune/SKILL.md', skill('prune', 'Cut two branches'));
    unlinkSync(orchard.at('trees/skills/graft/SKILL.md'));
    orchard.write('trees/skills/lop/SKILL.md', skill('lop', 'Take the top off'));
    const counts = [await indexer.caughtUp(10_000), await indexer.addRoot(trees())];
    expect(counts).toMatchObject([true, { added: 0, modified: 0, removed: 0, unchanged: 2 }]);
    expect(listEntries(indexer)).toEqual([
      'skill lop: Take the top off',
      'skill prune: Cut two branches',
    ]);
  });

  test('of a directory that does not exist fails and leaves nothing', async () => {
    const missing = { root: orchard.at('nowhere'), kind: 'catalog' as const };
    await expect(indexer.addRoot(missing)).rejects.toMatchObject({ category: 'io' });
    expect(indexer.view.sources.size).toBe(0);
    expect(indexer.database().all('SELECT * FROM sources')).toEqual([]);
  });

  test('of a catalog whose manifest cannot be used fails and leaves nothing, and others go on', async () => {
    orchard.write('herbs/tome-catalog.toml', 'name = ');
    await indexer.addRoot(trees());
    const herbs = { root: orchard.at('herbs'), kind: 'catalog' as const };
    await expect(indexer.addRoot(herbs)).rejects.toMatchObject({ category: 'manifest_invalid' });
    expect([...indexer.view.sources.values()].map(({ root }) => root)).toEqual([trees().root]);
    expect(listEntries(indexer)).toHaveLength(2);
  });

  test('tells its progress while it writes', async () => {
    for (let n = 0; n < 60; n++) {
      orchard.write(`herbs/skills/herb${n}/SKILL.md`, skill(`herb${n}`, 'Dry it'));
    }
    const told: number[] = [];
    await indexer.addRoot({ root: orchard.at('herbs'), kind: 'catalog' }, ({ done, total }) => {
      expect(total).toBe(60);
      told.push(done);
    });
    expect(told.at(-1)).toBe(60);
    expect(told.length).toBeGreaterThan(1);
    expect(indexer.health().progress.stage).toBe('idle');
  });

  test('keeps both of two skills of one name reachable, and gives the name back', async () => {
    orchard.write('trees/skills/other/SKILL.md', skill('prune', 'Prune otherwise'));
    await indexer.addRoot(trees());
    const names = () => listEntries(indexer).map((line) => line.split(':')[0]);
    expect(new Set(names()).size).toBe(3);
    expect(names()).toContain('skill prune');
    rmSync(orchard.at('trees/skills/prune'), { recursive: true });
    expect(await indexer.caughtUp(10_000)).toBe(true);
    expect(listEntries(indexer)).toEqual([
      'skill graft: Join two trees',
      'skill prune: Prune otherwise',
    ]);
    expect(findLexically(indexer, 'otherwise')).toEqual(['prune']);
  });
});

describe('removeRoot', () => {
  test('forgets rows and words, and stops watching', async () => {
    await indexer.addRoot(trees());
    await indexer.removeRoot(trees().root);
    orchard.write('trees/skills/lop/SKILL.md', skill('lop', 'Take the top off'));
    expect(await indexer.caughtUp(10_000)).toBe(true);
    expect(indexer.view.entries.size).toBe(0);
    expect(findLexically(indexer, 'branch')).toEqual([]);
    expect(indexer.database().all('SELECT * FROM bodies')).toEqual([]);
    expect(indexer.database().all('SELECT * FROM chunks')).toEqual([]);
  });

  test('keeps vectors, so that a return embeds nothing', async () => {
    await indexer.addRoot(trees());
    const hashes = () => [...indexer.view.entries.values()].map((entry) => entry.textHash).sort();
    const before = hashes();
    await indexer.storeVectors(
      'm1',
      before.map((textHash) => ({ textHash, vector: new Float32Array([0.6, 0.8]) })),
    );
    await indexer.removeRoot(trees().root);
    await indexer.addRoot(trees());
    expect(hashes()).toEqual(before);
    const rows = indexer
      .database()
      .all<{ text_hash: string; vector: ArrayBuffer }>(
        'SELECT text_hash, vector FROM vectors WHERE model = ? ORDER BY text_hash',
        'm1',
      );
    expect(rows.map((row) => row.text_hash)).toEqual(before);
    expect([...new Float32Array(rows[0]!.vector)]).toEqual([...new Float32Array([0.6, 0.8])]);
  });
});

describe('leaseRoot', () => {
  test('reads a project and keeps it watched while it is held', async () => {
    orchard.write('project/.claude/skills/plan/SKILL.md', skill('plan', 'Plan the garden'));
    const drop = await indexer.leaseRoot({ root: orchard.at('project'), kind: 'project' });
    expect(listEntries(indexer)).toEqual(['skill plan: Plan the garden']);
    orchard.write('project/.claude/skills/plan/SKILL.md', skill('plan', 'Plan two gardens'));
    expect(await indexer.caughtUp(10_000)).toBe(true);
    expect(listEntries(indexer)).toEqual(['skill plan: Plan two gardens']);
    drop();
    expect(listEntries(indexer)).toHaveLength(1);
  });

  test('is watched for ten minutes after its last session, and no longer', async () => {
    const save = (description: string) =>
      orchard.write('project/.claude/skills/plan/SKILL.md', skill('plan', description));
    save('Plan one');
    const root = { root: orchard.at('project'), kind: 'project' as const };
    const [drop, dropLast] = [await indexer.leaseRoot(root), await indexer.leaseRoot(root)];
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    drop();
    vi.advanceTimersByTime(60 * 60_000);
    save('Plan two');
    expect(await indexer.caughtUp(10_000)).toBe(true);
    expect(listEntries(indexer)).toEqual(['skill plan: Plan two']);
    dropLast();
    vi.advanceTimersByTime(9 * 60_000);
    save('Plan three');
    expect(await indexer.caughtUp(10_000)).toBe(true);
    expect(listEntries(indexer)).toEqual(['skill plan: Plan three']);
    vi.advanceTimersByTime(2 * 60_000);
    save('Plan four');
    expect(await indexer.caughtUp(10_000)).toBe(true);
    expect(listEntries(indexer)).toEqual(['skill plan: Plan three']);
    // The next session reads it anew.
    await indexer.leaseRoot(root);
    expect(listEntries(indexer)).toEqual(['skill plan: Plan four']);
  });

  test('a skill folder that is made in a project without any is found', async () => {
    orchard.write('project/readme.txt', 'a project');
    await indexer.leaseRoot({ root: orchard.at('project'), kind: 'project' });
    orchard.write('project/.claude/skills/plan/SKILL.md', skill('plan', 'Plan the garden'));
    expect(await indexer.caughtUp(10_000)).toBe(true);
    expect(listEntries(indexer)).toEqual(['skill plan: Plan the garden']);
  });
});

describe('reindex', () => {
  test('counts nothing without changes, and everything when forced', async () => {
    await indexer.addRoot(trees());
    expect(await indexer.reindex(null, false)).toMatchObject([{ modified: 0, unchanged: 2 }]);
    expect(await indexer.reindex([trees().root], true)).toMatchObject([
      { modified: 2, unchanged: 0 },
    ]);
    expect(indexer.health().reindexedAt).not.toBeNull();
  });

  test('of a root that is not enrolled is an error', async () => {
    await expect(indexer.reindex(['/nowhere'], false)).rejects.toMatchObject({ category: 'io' });
  });
});

describe('what is stored', () => {
  test('the text hash follows description and when-to-use, and not the body', async () => {
    const hash = () => [...indexer.view.entries.values()].map((entry) => entry.textHash)[0];
    rmSync(orchard.at('trees/skills/graft'), { recursive: true });
    await indexer.addRoot(trees());
    const before = hash();
    orchard.write('trees/skills/prune/SKILL.md', skill('prune', 'Cut a branch', 'Another body.'));
    await indexer.caughtUp(10_000);
    expect(hash()).toBe(before);
    orchard.write(
      'trees/skills/prune/SKILL.md',
      '---\nname: prune\ndescription: Cut a branch\nwhen_to_use: in winter\n---\nAnother body.\n',
    );
    await indexer.caughtUp(10_000);
    expect(hash()).not.toBe(before);
  });

  test('what is known of a body stays when only its place changes', async () => {
    rmSync(orchard.at('trees/skills'), { recursive: true });
    const file = orchard.write('trees/skills/cut/SKILL.md', skill('cut', 'Cut it', '$ARGUMENTS'));
    await indexer.addRoot(trees());
    const [before] = [...indexer.view.entries.values()];
    mkdirSync(orchard.at('trees/skills/trim'));
    renameSync(file, orchard.at('trees/skills/trim/SKILL.md'));
    await indexer.caughtUp(10_000);
    const [after] = [...indexer.view.entries.values()];
    expect(after).toEqual({
      ...before,
      path: 'skills/trim/SKILL.md',
      file: orchard.at('trees/skills/trim/SKILL.md'),
    });
    expect(after).toMatchObject({ takesArguments: true, bodyChars: before!.bodyChars });
  });

  test('a plugin of another version tells its entries', async () => {
    const manifest = (version: string) =>
      orchard.write('trees/.claude-plugin/plugin.json', JSON.stringify({ name: 'trees', version }));
    manifest('1.0.0');
    await indexer.addRoot(trees());
    manifest('2.0.0');
    await indexer.caughtUp(10_000);
    const versions = [...indexer.view.entries.values()].map((entry) => entry.pluginVersion);
    expect(versions).toEqual(['2.0.0', '2.0.0']);
  });
});
