import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  entriesOf,
  idsOf,
  makeRoot,
  onlyEntry,
  plant,
  plantTome,
  problemsOf,
  read,
  skill,
} from './plant.ts';

describe('a Tome catalog', () => {
  test('entries of every kind are found, and what no manifest declares is not', async () => {
    const root = plantTome({
      'skills/graft/SKILL.md': skill('graft'),
      'commands/cut.md': skill('cut'),
      'agents/gardener.md': skill('gardener'),
    });
    plant({ 'plugins/other/skills/x/SKILL.md': skill('x') }, root);
    const reading = await read(root);
    expect(idsOf(reading)).toEqual([
      'pruning/agent/gardener',
      'pruning/command/cut',
      'pruning/skill/graft',
    ]);
    expect(reading).toMatchObject({
      format: 'tome',
      name: 'orchard',
      version: '1.2.0',
      problems: [],
    });
  });

  test('L-013 a skill two levels down is an entry too', async () => {
    const root = plantTome({ 'skills/a/SKILL.md': skill('a'), 'skills/a/b/SKILL.md': skill('b') });
    expect(idsOf(await read(root))).toEqual(['pruning/skill/a', 'pruning/skill/b']);
  });

  test('L-014 commands/X.MD is an entry; commands/sub/x.md and commands/.x.md are not', async () => {
    const reading = await read(
      plantTome({
        'commands/X.MD': skill('x'),
        'commands/sub/y.md': skill('y'),
        'commands/.z.md': skill('z'),
      }),
    );
    expect(idsOf(reading)).toEqual(['pruning/command/x']);
    expect(problemsOf(reading)).toMatchObject([
      { message: expect.stringContaining('commands/sub/y.md') },
    ]);
  });

  test('L-028 one name may exist once per kind', async () => {
    const root = plantTome({
      'skills/graft/SKILL.md': skill('graft'),
      'commands/graft.md': skill('graft'),
      'agents/graft.md': skill('graft'),
    });
    expect(idsOf(await read(root))).toEqual([
      'pruning/agent/graft',
      'pruning/command/graft',
      'pruning/skill/graft',
    ]);
  });

  test('L-029 of two commands of one name the one whose file is called so keeps it; both load', async () => {
    const reading = await read(
      plantTome({ 'commands/a.md': skill('cut'), 'commands/cut.md': skill('cut') }),
    );
    expect(idsOf(reading)).toEqual(['pruning/command/a', 'pruning/command/cut']);
    expect(problemsOf(reading)).toMatchObject([
      { severity: 'warning', message: expect.stringContaining('commands/cut.md') },
    ]);
    expect(reading.loaded.command).toBe(2);
  });

  test('a plugin that calls itself otherwise keeps the name that the catalog gives', async () => {
    const root = plantTome({ 'tome-plugin.toml': 'name = "cutting"\nversion = "1.0.0"\n' });
    const reading = await read(root);
    expect(reading.plugins[0]?.name).toBe('pruning');
    expect(problemsOf(reading)[0]?.message).toContain('cutting');
  });

  test('L-010 a declared folder with plugin.json only is read as it is', async () => {
    const root = plantTome({ 'skills/a/SKILL.md': skill('a') });
    const native = plant({
      'tome-catalog.toml': (await import('node:fs')).readFileSync(
        join(root, 'tome-catalog.toml'),
        'utf8',
      ),
      'plugins/pruning/.claude-plugin/plugin.json': '{"name":"x","version":"3.0.0"}',
      'plugins/pruning/skills/a/SKILL.md': skill('a'),
    });
    expect((await read(native)).plugins).toMatchObject([
      { name: 'pruning', format: 'claude', version: '3.0.0', entries: [{ name: 'a' }] },
    ]);
  });
});

describe('a plain folder', () => {
  test('L-039 without any manifest the folder that holds skills/ is the plugin', async () => {
    const root = plant({
      'tools/skills/saw/SKILL.md': skill('saw'),
      'tools/commands/cut.md': skill('cut'),
      'trees/agents/elm.md': skill('elm'),
    });
    const reading = await read(root);
    expect(reading.format).toBe('folder');
    expect(idsOf(reading)).toEqual(['tools/command/cut', 'tools/skill/saw', 'trees/agent/elm']);
  });

  test('what no such folder holds belongs to the catalog itself', async () => {
    const root = plant({ 'saw/SKILL.md': skill('saw'), 'more/deep/elm/SKILL.md': skill('elm') });
    const reading = await read(root);
    expect(reading.plugins).toMatchObject([{ name: reading.name, source: '.' }]);
    expect(entriesOf(reading).map(({ path }) => path)).toEqual([
      'more/deep/elm/SKILL.md',
      'saw/SKILL.md',
    ]);
  });

  test('agents and commands inside a skill are its resources', async () => {
    const root = plant({
      'skills/maker/SKILL.md': skill('maker'),
      'skills/maker/agents/grader.md': skill('grader'),
      'skills/maker/references/commands/x.md': skill('x'),
    });
    expect(onlyEntry(await read(root)).name).toBe('maker');
  });

  test('the root may be the skills folder itself', async () => {
    const top = plant({ 'skills/a/SKILL.md': skill('a') });
    const reading = await read(join(top, 'skills'));
    expect(reading.plugins).toMatchObject([
      { name: 'skills', source: '.', entries: [{ path: 'a/SKILL.md' }] },
    ]);
  });

  test('groups that start with a dot below skills/ are entered, hidden folders elsewhere are not', async () => {
    const root = plant({
      'skills/.system/a/SKILL.md': skill('a'),
      '.cache/skills/b/SKILL.md': skill('b'),
      'node_modules/x/skills/c/SKILL.md': skill('c'),
      '.git/skills/d/SKILL.md': skill('d'),
    });
    expect(entriesOf(await read(root)).map(({ name }) => name)).toEqual(['a']);
  });

  test("a repository's own .claude folder is the catalog where nothing else is published", async () => {
    const root = plant({
      '.claude/skills/a/SKILL.md': skill('a'),
      '.claude/commands/b.md': skill('b'),
    });
    const reading = await read(root);
    expect(idsOf(reading)).toEqual([`${reading.name}/command/b`, `${reading.name}/skill/a`]);
  });

  test('a clone is called after its origin, not after the digest it lies in', async () => {
    const digest = 'ab'.repeat(32);
    const top = plant({
      [`${digest}/a/SKILL.md`]: skill('a'),
      [`${digest}/.git/config`]:
        '[remote "origin"]\n\turl = https://host.example/fruit/orchard.git\n',
    });
    expect((await read(join(top, digest))).name).toBe('orchard');
  });

  test('two folders of one name are both kept, the second under its path', async () => {
    const root = plant({
      'a/tools/skills/x/SKILL.md': skill('x'),
      'b/tools/skills/y/SKILL.md': skill('y'),
    });
    const reading = await read(root);
    expect(idsOf(reading)).toEqual(['b-tools/skill/y', 'tools/skill/x']);
    expect(problemsOf(reading)).toMatchObject([
      { severity: 'warning', message: expect.stringContaining('b/tools') },
    ]);
  });

  test('a README in commands/ is no command, one with frontmatter is', async () => {
    const root = plant({
      'commands/README.md': '# About\n',
      'agents/README.md': skill('readme-agent'),
    });
    expect(entriesOf(await read(root)).map(({ name }) => name)).toEqual(['readme-agent']);
  });

  test('skill.md is reported, because it was meant to be an entry', async () => {
    const reading = await read(
      plant({ 'skills/a/skill.md': skill('a'), 'skills/b/SKILL.md': skill('b') }),
    );
    expect(entriesOf(reading)).toHaveLength(1);
    expect(problemsOf(reading)).toMatchObject([
      { severity: 'error', fix: 'rename it to SKILL.md' },
    ]);
  });

  test('nothing at all is a reading without plugins', async () => {
    expect(await read(makeRoot())).toMatchObject({ format: 'folder', plugins: [], problems: [] });
  });
});

describe('names', () => {
  test('two skills of one name: the folder called so keeps it, the other goes by its path', async () => {
    const reading = await read(
      plant({
        'skills/linux/SKILL.md': skill('linux'),
        'skills/sdk/linux-old/SKILL.md': skill('linux'),
      }),
    );
    const [kept, other] = entriesOf(reading);
    expect(kept).toMatchObject({ name: 'linux', declaredName: 'linux' });
    expect(other).toMatchObject({ name: 'sdk/linux-old', declaredName: 'linux' });
    expect(problemsOf(reading)).toHaveLength(1);
  });

  test('if both folders are called so, the first keeps it', async () => {
    const root = plant({
      'skills/linux/SKILL.md': skill('linux'),
      'skills/sdk/linux/SKILL.md': skill('linux'),
    });
    expect(entriesOf(await read(root)).map(({ name }) => name)).toEqual(['linux', 'sdk/linux']);
  });

  test('a path that is another entry’s name gives way too', async () => {
    const root = plant({
      'skills/b/SKILL.md': skill('a'),
      'skills/a/SKILL.md': skill('a'),
      'skills/z/SKILL.md': skill('b'),
    });
    const names = entriesOf(await read(root)).map(({ name }) => name);
    expect(names).toEqual(['a', 'skills/b', 'b']);
  });
});

describe('a project', () => {
  const project = (files: Record<string, string>) => read(plant(files), { kind: 'project' });

  test('its own folders are one plugin named project', async () => {
    const reading = await project({
      '.claude/skills/a/SKILL.md': skill('a'),
      '.agents/skills/b/SKILL.md': skill('b'),
      '.claude/commands/c.md': skill('c'),
      '.claude/commands/front/d.md': '---\ndescription: d\n---\n',
      '.claude/agents/e.md': skill('e'),
      'skills/not-this/SKILL.md': skill('not-this'),
    });
    expect(reading.format).toBe('project');
    expect(idsOf(reading)).toEqual([
      'project/agent/e',
      'project/command/c',
      'project/command/d',
      'project/skill/a',
      'project/skill/b',
    ]);
    expect(entriesOf(reading)[0]?.path).toBe('.claude/skills/a/SKILL.md');
  });

  test('.claude/skills as a link to .agents/skills is the same entries once', async () => {
    const root = plant({ '.agents/skills/a/SKILL.md': skill('a'), '.claude/': '' });
    symlinkSync('../.agents/skills', join(root, '.claude/skills'));
    const reading = await read(root, { kind: 'project' });
    expect(onlyEntry(reading).path).toBe('.agents/skills/a/SKILL.md');
  });

  test('one name in both folders stays loadable twice', async () => {
    const reading = await project({
      '.claude/skills/a/SKILL.md': skill('a'),
      '.agents/skills/a/SKILL.md': skill('a', 'another'),
    });
    expect(entriesOf(reading).map(({ name }) => name)).toEqual(['a', 'agents/skills/a']);
  });

  test('a project without entries still has its plugin', async () => {
    expect((await project({ 'src/x.ts': '' })).plugins).toMatchObject([
      { name: 'project', entries: [] },
    ]);
  });
});

describe('a text that is not quite right', () => {
  test('L-017 a skill without closing delimiter is loaded and its problem shown', async () => {
    const reading = await read(
      plantTome({ 'skills/a/SKILL.md': '---\nname: a\ndescription: d\n\n# A\n' }),
    );
    expect(onlyEntry(reading)).toMatchObject({ name: 'a', description: 'd', body: '\n# A\n' });
    expect(problemsOf(reading)).toMatchObject([{ line: 4, severity: 'warning' }]);
  });

  test('L-018 invalid YAML costs a warning, not the entry or its siblings', async () => {
    const reading = await read(
      plantTome({
        'skills/a/SKILL.md': '---\nname: a\ndescription: x: y\n---\n',
        'skills/b/SKILL.md': skill('b'),
      }),
    );
    expect(idsOf(reading)).toEqual(['pruning/skill/a', 'pruning/skill/b']);
    expect(problemsOf(reading)).toMatchObject([{ line: 3, severity: 'warning' }]);
  });

  test('L-031 malformed agent frontmatter is read tolerantly too', async () => {
    const reading = await read(
      plantTome({ 'agents/a.md': '---\nname: a\ndescription: x: y\n---\n' }),
    );
    expect(onlyEntry(reading)).toMatchObject({ kind: 'agent', description: 'x: y' });
  });

  test('UTF-16 with a mark is read as it was meant', async () => {
    const text = Buffer.from(skill('a', 'größer'), 'utf16le');
    const root = plant({ 'skills/a/SKILL.md': Buffer.concat([Buffer.from([0xff, 0xfe]), text]) });
    expect(onlyEntry(await read(root))).toMatchObject({ description: 'größer', problems: [] });
  });

  test('damaged bytes are reported with their line', async () => {
    const root = plant({
      'skills/a/SKILL.md': Buffer.concat([Buffer.from(skill('a')), Buffer.from([0xff])]),
    });
    expect(onlyEntry(await read(root)).problems).toMatchObject([
      { line: 6, fix: 'save it as UTF-8' },
    ]);
  });
});
