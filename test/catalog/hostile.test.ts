import { execFileSync } from 'node:child_process';
import { linkSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  entriesOf,
  idsOf,
  makeRoot,
  ORCHARD,
  onlyEntry,
  plant,
  problemsOf,
  read,
  skill,
} from './plant.ts';

test('links out of the root are refused and named: file, skill folder, skills folder', async () => {
  const outside = plant({ 'secret/SKILL.md': skill('secret'), 'note.md': skill('note') });
  const root = plant({
    'skills/a/': '',
    'commands/': '',
    'p/': '',
    'skills/ok/SKILL.md': skill('ok'),
  });
  symlinkSync(join(outside, 'secret/SKILL.md'), join(root, 'skills/a/SKILL.md'));
  symlinkSync(join(outside, 'secret'), join(root, 'skills/b'));
  symlinkSync(outside, join(root, 'p/skills'));
  symlinkSync(join(outside, 'note.md'), join(root, 'commands/note.md'));
  const reading = await read(root);
  expect(entriesOf(reading).map(({ name }) => name)).toEqual(['ok']);
  expect(problemsOf(reading)).toHaveLength(4);
  for (const problem of problemsOf(reading)) {
    expect(problem).toMatchObject({
      severity: 'error',
      message: expect.stringContaining('leads out'),
    });
  }
});

test('L-125 links inside the root resolve, and two paths to one file are one entry', async () => {
  const root = plant({ 'shared/elm/SKILL.md': skill('elm'), 'p/skills/': '' });
  symlinkSync('../../shared/elm', join(root, 'p/skills/elm'));
  const reading = await read(root);
  expect(onlyEntry(reading)).toMatchObject({
    name: 'elm',
    file: join(root, 'shared/elm/SKILL.md'),
  });
});

test('a linked skill belongs to the plugin that a manifest names', async () => {
  const root = plant({
    'p/.claude-plugin/plugin.json': '{"name":"p"}',
    'shared/elm/SKILL.md': skill('elm'),
    'p/skills/': '',
  });
  symlinkSync('../../shared/elm', join(root, 'p/skills/elm'));
  const reading = await read(root);
  expect(idsOf(reading)).toEqual(['p/skill/elm']);
  expect(onlyEntry(reading).path).toBe('skills/elm/SKILL.md');
});

test('links into another enrolled root resolve', async () => {
  const other = plant({ 'elm/SKILL.md': skill('elm') });
  const root = plant({ 'skills/': '' });
  symlinkSync(join(other, 'elm'), join(root, 'skills/elm'));
  expect(entriesOf(await read(root))).toEqual([]);
  expect(onlyEntry(await read(root, { alsoAllowed: [other] })).name).toBe('elm');
});

test('directory cycles end', async () => {
  const root = plant({ 'skills/a/SKILL.md': skill('a') });
  symlinkSync('..', join(root, 'skills/up'));
  symlinkSync('.', join(root, 'skills/a/self'));
  symlinkSync('loop', join(root, 'skills/loop'));
  expect(onlyEntry(await read(root)).name).toBe('a');
});

test('links that multiply paths stay bounded', async () => {
  const root = makeRoot();
  for (let level = 0; level < 8; level += 1) {
    plant({ [`d${level}/`]: '' }, root);
    for (const branch of ['x', 'y', 'z'])
      symlinkSync(`../d${level + 1}`, join(root, `d${level}/${branch}`));
  }
  plant({ 'd8/SKILL.md': skill('deep') }, root);
  const reading = await read(root, { limits: { maxDirectories: 2_000 } });
  expect(onlyEntry(reading).name).toBe('deep');
  expect(problemsOf(reading)).toEqual([]);
});

test('pipes and devices are not opened', async () => {
  const root = plant({ 'skills/a/': '', 'skills/b/SKILL.md': skill('b'), 'commands/': '' });
  execFileSync('mkfifo', [join(root, 'skills/a/SKILL.md'), join(root, 'tome-plugin.toml')]);
  symlinkSync('/dev/zero', join(root, 'commands/zero.md'));
  expect(entriesOf(await read(root)).map(({ name }) => name)).toEqual(['b']);
});

test('a pipe in place of a manifest does not hold the reading', async () => {
  const root = plant({ '.claude-plugin/': '', 'skills/b/SKILL.md': skill('b') });
  execFileSync('mkfifo', [
    join(root, '.claude-plugin/plugin.json'),
    join(root, 'tome-catalog.toml'),
  ]);
  await expect(read(root)).rejects.toMatchObject({ category: 'io' });
});

test('an entry above 256 KiB is not loaded, and the others are', async () => {
  const root = plant({
    'skills/big/SKILL.md': skill('big', 'd', 'x'.repeat(256 * 1024)),
    'skills/ok/SKILL.md': skill('ok'),
  });
  const reading = await read(root);
  expect(reading).toMatchObject({ found: { skill: 2 }, loaded: { skill: 1 } });
  expect(problemsOf(reading)).toMatchObject([
    {
      severity: 'error',
      file: join(root, 'skills/big/SKILL.md'),
      message: expect.stringContaining('262144'),
    },
  ]);
});

test('an entry of exactly 256 KiB is loaded', async () => {
  const head = skill('big', 'd', '');
  const root = plant({ 'skills/big/SKILL.md': head + 'x'.repeat(256 * 1024 - head.length) });
  expect((await read(root)).loaded.skill).toBe(1);
});

test('each limit ends the reading with its name, and keeps what was read', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 20 }, (_, i) => [`skills/s${i}/SKILL.md`, skill(`s${i}`)]),
  );
  const root = plant({ ...files, 'skills/s0/1/2/3/4/5/SKILL.md': skill('deep') });
  for (const limits of [
    { maxEntries: 5 },
    { maxDirectories: 8 },
    { maxItems: 30 },
    { maxDepth: 4 },
    { maxTextBytes: 500 },
  ]) {
    const reading = await read(root, { limits });
    const [limit] = Object.keys(limits);
    expect(reading.loaded.skill).toBeGreaterThan(0);
    expect(reading.loaded.skill).toBeLessThan(21);
    expect(problemsOf(reading).some(({ message }) => message.includes(limit!))).toBe(true);
  }
});

test('a directory of many files is listed only as far as the limit', async () => {
  const root = plant({ 'a/SKILL.md': skill('a') });
  for (let i = 0; i < 3_000; i += 1) writeFileSync(join(root, `f${i}`), '');
  const reading = await read(root, { limits: { maxItems: 1_000 } });
  expect(reading.problems).toMatchObject([{ message: expect.stringContaining('maxItems (1000)') }]);
});

test('a quarantined file is named and never looked into', async () => {
  const root = plant({ 'skills/a/SKILL.md': skill('a'), 'skills/b/SKILL.md': skill('b') });
  const file = join(root, 'skills/a/SKILL.md');
  const touched: string[] = [];
  const reading = await read(root, {
    skipFiles: new Set([file]),
    onFile: (path) => touched.push(path),
  });
  expect(touched).toEqual([join(root, 'skills/b/SKILL.md')]);
  expect(problemsOf(reading)).toMatchObject([
    { severity: 'error', file, message: expect.stringContaining('set aside') },
  ]);
  expect(reading).toMatchObject({ found: { skill: 2 }, loaded: { skill: 1 } });
});

test('a quarantined manifest is not looked into either', async () => {
  const root = plant({
    'tome-plugin.toml': 'name = "p"\nversion = "1.0.0"\n',
    'commands/a.md': skill('a'),
  });
  const reading = await read(root, { skipFiles: new Set([join(root, 'tome-plugin.toml')]) });
  expect(reading.plugins).toMatchObject([
    { entries: [], unusable: { message: expect.stringContaining('set aside') } },
  ]);
});

test('an aborted reading rejects with the reason', async () => {
  const root = plant({ 'skills/a/SKILL.md': skill('a') });
  const reason = new Error('closing');
  await expect(read(root, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});

test('a root that is a file, or is not there, is io', async () => {
  const root = plant({ 'a.md': '' });
  await expect(read(join(root, 'a.md'))).rejects.toMatchObject({ category: 'io' });
  await expect(read(join(root, 'none'))).rejects.toMatchObject({ category: 'io' });
});

test('hard-linked copies are two files and two entries of one text', async () => {
  const root = plant({ 'skills/a/SKILL.md': skill('a'), 'skills/b/': '' });
  linkSync(join(root, 'skills/a/SKILL.md'), join(root, 'skills/b/SKILL.md'));
  const [first, second] = entriesOf(await read(root));
  expect(first?.fileHash).toBe(second?.fileHash);
});

test('file names with control and direction characters leave no trace in the name', async () => {
  const root = plant({ 'commands/a\u202eb\n.md': '---\ndescription: d\n---\n' });
  const entry = onlyEntry(await read(root));
  expect(entry.name).not.toMatch(/[\u202e\n]/);
});

/** Sources as nobody writes them: NUL, megabytes, thousands of levels, climbing, other systems' roots. */
const anySource = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc
    .array(fc.constantFrom('a', '..', '.', '', 'C:', '~', '\0', '-x', 'skills'), { maxLength: 8 })
    .map((parts) => parts.join('/')),
  fc.constantFrom('a/'.repeat(5_000), 'b'.repeat(100_000), '\0', '__proto__', 'constructor'),
);

test('whatever source a Tome manifest names, the catalog is read or refused as manifest_invalid', async () => {
  const root = plant({ 'skills/ok/SKILL.md': skill('ok') });
  await fc.assert(
    fc.asyncProperty(anySource, async (source) => {
      const plugin = `[[plugins]]\nname = "p"\nsource = ${JSON.stringify(source)}\n`;
      writeFileSync(join(root, 'tome-catalog.toml'), `${ORCHARD}\n${plugin}`);
      const outcome = await read(root).then(
        () => 'read',
        (error) => `${error.category} ${error.message.length < 2_000}`,
      );
      expect(outcome).toMatch(/^(?:read|manifest_invalid true)$/);
    }),
    { numRuns: 200 },
  );
});

test('whatever a marketplace names as source and skills, it is read, and its paths cost no walk', async () => {
  const root = plant({ 'skills/ok/SKILL.md': skill('ok'), '.claude-plugin/': '' });
  await fc.assert(
    fc.asyncProperty(anySource, fc.array(anySource, { maxLength: 3 }), async (source, paths) => {
      const plugins = [{ name: 'p', source, skills: paths, commands: paths, agents: paths }];
      const manifest = { name: 'm', owner: { name: 'o' }, plugins };
      writeFileSync(join(root, '.claude-plugin/marketplace.json'), JSON.stringify(manifest));
      const reading = await read(root);
      expect(entriesOf(reading).map(({ name }) => name)).toEqual(['ok']);
      expect(reading.watch.every((path) => path.length < root.length + 1_100)).toBe(true);
    }),
    { numRuns: 200 },
  );
});

test('an entry or manifest that is a pipe or a directory is said not to be read', async () => {
  const root = plant({
    'skills/ok/SKILL.md': skill('ok'),
    'skills/pipe/': '',
    'skills/dir/SKILL.md/': '',
  });
  execFileSync('mkfifo', [join(root, 'skills/pipe/SKILL.md')]);
  const problems = problemsOf(await read(root));
  expect(problems.map(({ file }) => file)).toEqual([
    join(root, 'skills/dir/SKILL.md'),
    join(root, 'skills/pipe/SKILL.md'),
  ]);
  expect(problems[0]!.message).toContain('not a file');
});
