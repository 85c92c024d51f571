import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { IndexerClient } from '../../daemon/indexer/client.ts';
import { listEntries, type Orchard, plantOrchard, skill } from './orchard.ts';

let orchard: Orchard;
let indexer: IndexerClient;
beforeAll(async () => {
  orchard = plantOrchard();
  orchard.write('trees/skills/prune/SKILL.md', skill('prune', 'Cut a branch'));
  indexer = await orchard.start();
  await indexer.addRoot({ root: orchard.at('trees'), kind: 'catalog' });
});
afterAll(() => orchard.clear());

test('no cookie stays behind, and those of a dead daemon are swept away', async () => {
  await indexer.caughtUp(10_000);
  expect(readdirSync(orchard.paths.cookies)).toEqual([]);
  writeFileSync(join(orchard.paths.cookies, 'cookie-1-1'), '');
  indexer = await orchard.start();
  await indexer.caughtUp(10_000);
  expect(readdirSync(orchard.paths.cookies)).toEqual([]);
});

test('a hundred searches at once share cookies, and all see the save before them', async () => {
  orchard.write('trees/skills/prune/SKILL.md', skill('prune', 'Cut for a hundred'));
  const answers = await Promise.all(
    Array.from({ length: 100 }, async () => [
      await indexer.caughtUp(10_000),
      listEntries(indexer)[0],
    ]),
  );
  expect(new Set(answers.map(String))).toEqual(new Set(['true,skill prune: Cut for a hundred']));
});

test('a search that joins while a cookie is on its way sees a save made after that cookie', async () => {
  const first = indexer.caughtUp(10_000);
  orchard.write('trees/skills/prune/SKILL.md', skill('prune', 'Cut meanwhile'));
  const second = indexer.caughtUp(10_000);
  expect(await Promise.all([first, second])).toEqual([true, true]);
  expect(listEntries(indexer)).toEqual(['skill prune: Cut meanwhile']);
});

test('the cookie directory may be deleted at any time', async () => {
  rmSync(orchard.paths.cookies, { recursive: true });
  expect(await indexer.caughtUp(10_000)).toBe(true);
  rmSync(orchard.paths.cookies, { recursive: true });
  orchard.write('trees/skills/prune/SKILL.md', skill('prune', 'Cut without cookies'));
  expect(await indexer.caughtUp(10_000)).toBe(true);
  expect(listEntries(indexer)).toEqual(['skill prune: Cut without cookies']);
});

test('where no cookie can be left, every root is read instead', async () => {
  rmSync(orchard.paths.cookies, { recursive: true, force: true });
  writeFileSync(orchard.paths.cookies, 'a file in its place');
  orchard.write('trees/skills/prune/SKILL.md', skill('prune', 'Cut the slow way'));
  expect(await indexer.caughtUp(10_000)).toBe(true);
  expect(listEntries(indexer)).toEqual(['skill prune: Cut the slow way']);
  rmSync(orchard.paths.cookies);
  expect(await indexer.caughtUp(10_000)).toBe(true);
  expect(existsSync(orchard.paths.cookies)).toBe(true);
});

test('while git is at work in a root, its change is waited for, and the time limit holds', async () => {
  const lock = orchard.write('repo/.git/index.lock', '');
  orchard.write('repo/skills/dig/SKILL.md', skill('dig', 'Dig a hole'));
  await indexer.addRoot({ root: orchard.at('repo'), kind: 'catalog' });
  orchard.write('repo/skills/dig/SKILL.md', skill('dig', 'Dig two holes'));
  expect(await indexer.caughtUp(50)).toBe(false);
  rmSync(lock);
  expect(await indexer.caughtUp(10_000)).toBe(true);
  expect(listEntries(indexer)).toContain('skill dig: Dig two holes');
});
