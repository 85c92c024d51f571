import { mkdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { rereadEntry } from '../../src/catalog/reread-entry.ts';
import type { CatalogReading, KnownEntry } from '../../src/catalog/types.ts';
import { entriesOf, onlyEntry, plant, read, skill } from './plant.ts';

function remember(reading: CatalogReading): Map<string, KnownEntry> {
  return new Map(
    entriesOf(reading).map(({ body: _, unchanged: __, ...known }) => [known.file, known]),
  );
}

test('an unchanged file is not looked into again; a changed one is', async () => {
  const root = plant({ 'skills/a/SKILL.md': skill('a'), 'skills/b/SKILL.md': skill('b') });
  const known = remember(await read(root));
  writeFileSync(join(root, 'skills/b/SKILL.md'), skill('b', 'a longer description'));
  const touched: string[] = [];
  const [a, b] = entriesOf(await read(root, { known, onFile: (path) => touched.push(path) }));
  expect(touched).toEqual([join(root, 'skills/b/SKILL.md')]);
  expect(a).toMatchObject({ name: 'a', unchanged: true, body: '' });
  expect(b).toMatchObject({ description: 'a longer description', body: '# b\n' });
  expect(b).not.toHaveProperty('unchanged');
});

test('another time with the same size is read again', async () => {
  const root = plant({ 'skills/a/SKILL.md': skill('a', 'one') });
  const known = remember(await read(root));
  const file = join(root, 'skills/a/SKILL.md');
  writeFileSync(file, skill('a', 'two'));
  utimesSync(file, 1, 1);
  expect(onlyEntry(await read(root, { known })).description).toBe('two');
});

test('names are told apart anew: a vanished namesake gives the name back, warning and all', async () => {
  const root = plant({ 'skills/a/SKILL.md': skill('a'), 'skills/b/SKILL.md': skill('a') });
  const first = await read(root);
  expect(entriesOf(first).map(({ name }) => name)).toEqual(['a', 'b']);
  rmSync(join(root, 'skills/a'), { recursive: true });
  const second = await read(root, { known: remember(first) });
  expect(onlyEntry(second)).toMatchObject({
    name: 'a',
    declaredName: 'a',
    problems: [],
    unchanged: true,
  });
});

test('reading twice with everything known gives the same names and problems', async () => {
  const root = plant({
    'skills/a/SKILL.md': skill('a'),
    'skills/b/SKILL.md': '---\nname: a\ndescription: x: y\n---\n',
    'commands/c.md': 'no frontmatter',
  });
  const first = await read(root);
  const second = await read(root, { known: remember(first) });
  const seen = (reading: CatalogReading) =>
    entriesOf(reading).map(({ name, problems, fileHash }) => ({ name, problems, fileHash }));
  expect(seen(second)).toEqual(seen(first));
  expect(entriesOf(second).every(({ unchanged }) => unchanged)).toBe(true);
});

test('a moved file is read anew, since its place names it', async () => {
  const root = plant({ 'skills/a/SKILL.md': '---\ndescription: d\n---\n' });
  const known = remember(await read(root));
  renameSync(join(root, 'skills/a'), join(root, 'skills/z'));
  expect(onlyEntry(await read(root, { known }))).toMatchObject({ name: 'z' });
});

test('one changed entry is read without its catalog', async () => {
  const root = plant({ 'skills/a/SKILL.md': skill('a', 'one') });
  const before = onlyEntry(await read(root));
  writeFileSync(before.file, skill('a', 'two'));
  expect(await rereadEntry(before, 'folder')).toMatchObject({
    name: 'a',
    description: 'two',
    body: '# a\n',
    mtimeMs: statSync(before.file).mtimeMs,
  });
});

test('an entry that goes by its path keeps that name and its warning', async () => {
  const root = plant({ 'skills/a/SKILL.md': skill('a'), 'skills/b/SKILL.md': skill('a') });
  const renamed = entriesOf(await read(root))[1]!;
  writeFileSync(renamed.file, skill('a', 'changed'));
  const again = await rereadEntry(renamed, 'folder');
  expect(again).toMatchObject({ name: 'b', declaredName: 'a', description: 'changed' });
  expect(again?.problems).toEqual(renamed.problems);
});

test('a new name, a deletion, a folder in its place: the whole root must be read', async () => {
  const root = plant({ 'skills/a/SKILL.md': skill('a') });
  const before = onlyEntry(await read(root));
  writeFileSync(before.file, skill('other'));
  expect(await rereadEntry(before, 'folder')).toBeNull();
  rmSync(before.file);
  expect(await rereadEntry(before, 'folder')).toBeNull();
  mkdirSync(before.file);
  expect(await rereadEntry(before, 'folder')).toBeNull();
});

test('a nameless entry falls back to the same name as in a whole reading', async () => {
  const root = plant({
    'skills/a/SKILL.md': '---\ndescription: d\n---\n',
    'commands/b.md': '---\ndescription: d\n---\n',
  });
  for (const entry of entriesOf(await read(root))) {
    expect((await rereadEntry(entry, 'folder'))?.name).toBe(entry.name);
  }
});
