import { symlinkSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { plant, plantTome, read, skill } from './plant.ts';

async function watchedIn(root: string, kind: 'catalog' | 'project' = 'catalog'): Promise<string[]> {
  const { watch } = await read(root, { kind });
  return watch.map((path) => relative(root, path) || '.');
}

test('entry folders, component folders and every folder on the way are watched', async () => {
  const root = plant({
    'p/.claude-plugin/plugin.json': '{"name":"p"}',
    'p/skills/a/SKILL.md': skill('a'),
    'p/skills/group/b/SKILL.md': skill('b'),
    'p/commands/c.md': skill('c'),
  });
  expect(await watchedIn(root)).toEqual([
    '.',
    'p',
    'p/.claude-plugin',
    'p/commands',
    'p/skills',
    'p/skills/a',
    'p/skills/group',
    'p/skills/group/b',
  ]);
});

test('resources of a skill, git, dependencies and source code are not', async () => {
  const root = plant({
    'skills/a/SKILL.md': skill('a'),
    'skills/a/references/x.md': 'x',
    'src/deep/code.ts': '',
    'node_modules/x/index.js': '',
    '.git/objects/': '',
  });
  expect(await watchedIn(root)).toEqual(['.', 'skills', 'skills/a']);
});

test('a folder made for the next skill is watched before its SKILL.md comes', async () => {
  const root = plant({
    'skills/a/SKILL.md': skill('a'),
    'skills/next/': '',
    'b/SKILL.md': skill('b'),
    'c/': '',
  });
  expect(await watchedIn(root)).toEqual(expect.arrayContaining(['skills/next', 'c']));
});

test('a folder that a marketplace awaits is waited for in the nearest one that exists', async () => {
  const root = plant({
    '.claude-plugin/marketplace.json': '{"plugins":[{"name":"x","source":"./plugins/x"}]}',
    'plugins/readme.txt': '',
  });
  expect(await watchedIn(root)).toEqual(['.', '.claude-plugin', 'plugins']);
});

test('a linked skill is watched where it really lies', async () => {
  const root = plant({ 'p/skills/': '', 'shared/elm/SKILL.md': skill('elm') });
  symlinkSync('../../shared/elm', join(root, 'p/skills/elm'));
  const watched = await watchedIn(root);
  expect(watched).toEqual(expect.arrayContaining(['shared', 'shared/elm', 'p/skills']));
  expect(watched).not.toContain('p/skills/elm');
});

test('a Tome catalog is watched at its root and in its plugins', async () => {
  const root = plantTome({ 'skills/a/SKILL.md': skill('a') });
  plant({ 'docs/x.md': '' }, root);
  const watched = await watchedIn(root);
  expect(watched).toEqual([
    '.',
    'plugins',
    'plugins/pruning',
    'plugins/pruning/skills',
    'plugins/pruning/skills/a',
  ]);
});

test('a project is watched at its own folders only', async () => {
  const root = plant({
    '.claude/skills/a/SKILL.md': skill('a'),
    '.claude/settings.json': '{}',
    'src/x.ts': '',
  });
  expect(await watchedIn(root, 'project')).toEqual([
    '.',
    '.claude',
    '.claude/skills',
    '.claude/skills/a',
  ]);
});
