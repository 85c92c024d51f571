import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { entriesOf, idsOf, makeRoot, plant, problemsOf, read, skill } from './plant.ts';

function marketplace(plugins: unknown[], extra: object = {}): string {
  return JSON.stringify({
    name: 'fair',
    owner: { name: 'Ana', email: 'a@b.c' },
    plugins,
    ...extra,
  });
}

const MANIFEST = '.claude-plugin/marketplace.json';

test('local plugins are read, with metadata of both manifests', async () => {
  const root = plant({
    [MANIFEST]: marketplace([
      { name: 'trees', source: './plugins/trees', description: 'listed', license: 'MIT' },
      { name: 'tools', source: './plugins/tools', version: '1.0.0', author: { name: 'Ben' } },
    ]),
    'plugins/trees/.claude-plugin/plugin.json':
      '{"name":"trees","description":"own","version":"2.0.0"}',
    'plugins/trees/skills/elm/SKILL.md': skill('elm'),
    'plugins/tools/commands/cut.md': skill('cut'),
  });
  const reading = await read(root);
  expect(reading).toMatchObject({
    format: 'marketplace',
    name: 'fair',
    owner: { name: 'Ana', email: 'a@b.c' },
    problems: [],
    plugins: [
      {
        name: 'trees',
        description: 'own',
        version: '2.0.0',
        license: 'MIT',
        format: 'claude',
        source: 'plugins/trees',
      },
      { name: 'tools', version: '1.0.0', author: { name: 'Ben', email: null } },
    ],
  });
  expect(idsOf(reading)).toEqual(['tools/command/cut', 'trees/skill/elm']);
});

test('a skills list is the whole of its plugin; the rest forms its own', async () => {
  const root = plant({
    [MANIFEST]: marketplace([
      { name: 'one', source: './', strict: false, skills: ['./skills/a'] },
      { name: 'two', source: './', strict: false, skills: ['./skills/b', './skills/gone'] },
    ]),
    'skills/a/SKILL.md': skill('a'),
    'skills/b/SKILL.md': skill('b'),
    'skills/c/SKILL.md': skill('c'),
  });
  const reading = await read(root);
  expect(idsOf(reading)).toEqual(['fair/skill/c', 'one/skill/a', 'two/skill/b']);
  expect(problemsOf(reading)).toMatchObject([
    { severity: 'error', message: expect.stringContaining('./skills/gone') },
  ]);
});

test('metadata.pluginRoot stands before bare sources', async () => {
  const root = plant({
    [MANIFEST]: marketplace(
      [
        { name: 'trees', source: 'trees' },
        { name: 'tools', source: './plugins/tools' },
      ],
      {
        metadata: { pluginRoot: './plugins', description: 'd', version: '3.0.0' },
      },
    ),
    'plugins/trees/skills/elm/SKILL.md': skill('elm'),
    'plugins/tools/skills/saw/SKILL.md': skill('saw'),
  });
  const reading = await read(root);
  expect(idsOf(reading)).toEqual(['tools/skill/saw', 'trees/skill/elm']);
  expect(reading).toMatchObject({ description: 'd', version: '3.0.0' });
});

test('plugins that live elsewhere are listed, without credentials', async () => {
  const root = plant({
    [MANIFEST]: marketplace([
      {
        name: 'a',
        source: { source: 'github', repo: 'fruit/orchard', ref: 'v1' },
        description: 'd',
      },
      { name: 'b', source: { source: 'url', url: 'https://me:secret@host.example/x.git' } },
      { name: 'c', source: { source: 'git-subdir', url: 'https://host.example/x', path: 'sub' } },
      { name: 'd', source: 'https://me:secret@host.example/y.git' },
    ]),
  });
  const reading = await read(root);
  expect(reading.external).toEqual([
    { name: 'a', description: 'd', source: 'github:fruit/orchard@v1' },
    { name: 'b', description: null, source: 'url:https://host.example/x.git' },
    { name: 'c', description: null, source: 'git-subdir:https://host.example/x/sub' },
    { name: 'd', description: null, source: 'https://host.example/y.git' },
  ]);
  expect(reading.plugins).toEqual([]);
});

test('a hidden folder is entered where the marketplace names it', async () => {
  const root = plant({
    [MANIFEST]: marketplace([{ name: 'x', source: './.plugins/x' }]),
    '.plugins/x/skills/a/SKILL.md': skill('a'),
    '.cache/skills/b/SKILL.md': skill('b'),
  });
  expect(idsOf(await read(root))).toEqual(['x/skill/a']);
});

test('a missing folder costs its plugin and is named', async () => {
  const root = plant({
    [MANIFEST]: marketplace([
      { name: 'gone', source: './gone' },
      { name: 'here', source: './here' },
    ]),
    'here/skills/a/SKILL.md': skill('a'),
  });
  const reading = await read(root);
  expect(idsOf(reading)).toEqual(['here/skill/a']);
  expect(reading.problems).toMatchObject([
    { severity: 'error', file: join(root, MANIFEST), message: expect.stringContaining('"gone"') },
  ]);
});

test.each(['/etc', '../other', 'plugins/../../x', 'C:\\x'])(
  'the source %s is refused',
  async (source) => {
    const reading = await read(plant({ [MANIFEST]: marketplace([{ name: 'x', source }]) }));
    expect(reading.plugins).toEqual([]);
    expect(reading.problems).toHaveLength(1);
  },
);

test('a source that leads out through a link is not read', async () => {
  const root = plant({ [MANIFEST]: marketplace([{ name: 'x', source: './out' }]) });
  symlinkSync(plant({ 'skills/secret/SKILL.md': skill('secret') }), join(root, 'out'));
  const reading = await read(root);
  expect(entriesOf(reading)).toEqual([]);
  expect(problemsOf(reading).some(({ message }) => message.includes('leads out'))).toBe(true);
});

test('a nested marketplace adds what the outer one does not list', async () => {
  const root = plant({
    [MANIFEST]: marketplace([{ name: 'voice', source: './partner/voice' }]),
    'partner/voice/.claude-plugin/marketplace.json': marketplace([{ name: 'voice', source: '.' }], {
      name: 'inner',
    }),
    'partner/voice/skills/a/SKILL.md': skill('a'),
    'other/.claude-plugin/marketplace.json': marketplace([{ name: 'more', source: './m' }], {
      name: 'inner',
    }),
    'other/m/skills/b/SKILL.md': skill('b'),
  });
  expect(idsOf(await read(root))).toEqual(['more/skill/b', 'voice/skill/a']);
});

test('a folder that no marketplace lists forms its own plugin', async () => {
  const root = plant({
    [MANIFEST]: marketplace([{ name: 'trees', source: './trees' }]),
    'trees/skills/elm/SKILL.md': skill('elm'),
    'extra/skills/saw/SKILL.md': skill('saw'),
    'own/.claude-plugin/plugin.json': '{"name":"named"}',
    'own/skills/x/SKILL.md': skill('x'),
  });
  expect(idsOf(await read(root))).toEqual(['extra/skill/saw', 'named/skill/x', 'trees/skill/elm']);
});

test('the root as single plugin takes the rest of the repository', async () => {
  const root = plant({
    '.claude-plugin/plugin.json': '{"name":"solo","version":"1.0.0","description":"d"}',
    'skills/a/SKILL.md': skill('a'),
    'commands/group/b.md': skill('b'),
    'loose/c/SKILL.md': skill('c'),
  });
  const reading = await read(root);
  expect(reading).toMatchObject({
    format: 'plugin',
    name: 'solo',
    version: '1.0.0',
    description: 'd',
  });
  expect(idsOf(reading)).toEqual(['solo/command/b', 'solo/skill/a', 'solo/skill/c']);
});

test('a plugin manifest may name further folders and files, but none outside', async () => {
  const root = plant({
    '.claude-plugin/plugin.json': JSON.stringify({
      name: 'solo',
      skills: ['./more', '../out'],
      commands: ['./special/one.md', './special/none.md'],
      agents: './crew',
    }),
    'more/a/SKILL.md': skill('a'),
    'special/one.md': skill('one'),
    'special/two.md': skill('two'),
    'crew/ana.md': skill('ana'),
  });
  const reading = await read(root);
  expect(idsOf(reading)).toEqual(['solo/agent/ana', 'solo/command/one', 'solo/skill/a']);
  expect(problemsOf(reading).map(({ message }) => message)).toEqual([
    expect.stringContaining('"../out"'),
    expect.stringContaining('"./special/none.md"'),
  ]);
});

test('two plugins of one name are both kept', async () => {
  const root = plant({
    [MANIFEST]: marketplace([
      { name: 'p', source: './a/p' },
      { name: 'p', source: './b/p' },
    ]),
    'a/p/skills/x/SKILL.md': skill('x'),
    'b/p/skills/y/SKILL.md': skill('y'),
  });
  const reading = await read(root);
  expect(idsOf(reading)).toEqual(['b-p/skill/y', 'p/skill/x']);
  expect(problemsOf(reading)).toHaveLength(1);
});

test('two plugins on one folder: the first has it, and the second says so', async () => {
  const root = plant({
    [MANIFEST]: marketplace([
      { name: 'p', source: './' },
      { name: 'q', source: './' },
    ]),
    'skills/x/SKILL.md': skill('x'),
  });
  const reading = await read(root);
  expect(idsOf(reading)).toEqual(['p/skill/x']);
  expect(problemsOf(reading)).toMatchObject([{ message: expect.stringContaining('"p" already') }]);
});

describe('hostile and broken manifests', () => {
  test('a marketplace that is no JSON leaves the folders', async () => {
    const reading = await read(plant({ [MANIFEST]: '{', 'a/skills/x/SKILL.md': skill('x') }));
    expect(idsOf(reading)).toEqual(['a/skill/x']);
    expect(reading.problems).toMatchObject([{ severity: 'error' }]);
  });

  test('comments, trailing commas and a byte order mark are read and reported', async () => {
    const text = `\ufeff// fair\n${marketplace([{ name: 'p', source: './p' }]).replace(/}$/, ',}')}`;
    const reading = await read(plant({ [MANIFEST]: text, 'p/skills/x/SKILL.md': skill('x') }));
    expect(idsOf(reading)).toEqual(['p/skill/x']);
    expect(reading.problems).toMatchObject([{ severity: 'warning' }]);
  });

  test('entries of wrong types are left out and named', async () => {
    const reading = await read(
      plant({ [MANIFEST]: marketplace([1, { name: 'x' }, { name: 'p', source: 7 }, null]) }),
    );
    expect(reading.problems).toHaveLength(4);
  });

  test('prototype keys reach no prototype', async () => {
    const text =
      '{"__proto__":{"plugins":[{"name":"p","source":"./p"}]},"name":"fair","constructor":{"x":1}}';
    const reading = await read(plant({ [MANIFEST]: text, 'p/skills/x/SKILL.md': skill('x') }));
    expect(reading.plugins.map(({ format }) => format)).toEqual(['folder']);
    expect(({} as { plugins?: unknown }).plugins).toBeUndefined();
  });

  test('a plugin.json above 256 KiB is not read; its entries are', async () => {
    const root = plant({
      'p/.claude-plugin/plugin.json': `{"name":"other","x":"${'x'.repeat(256 * 1024)}"}`,
      'p/skills/x/SKILL.md': skill('x'),
    });
    const reading = await read(root);
    expect(idsOf(reading)).toEqual(['p/skill/x']);
    expect(reading.problems).toMatchObject([{ message: expect.stringContaining('262144') }]);
  });

  test('a manifest that is a link out of the catalog is not read', async () => {
    const outside = plant({ 'plugin.json': '{"name":"outside"}' });
    const root = plant({ 'p/.claude-plugin/': '', 'p/skills/x/SKILL.md': skill('x') });
    symlinkSync(join(outside, 'plugin.json'), join(root, 'p/.claude-plugin/plugin.json'));
    expect(idsOf(await read(root))).toEqual(['p/skill/x']);
  });

  test('names with slashes, stars and hidden characters become one safe component', async () => {
    const root = plant({
      [MANIFEST]: marketplace([{ name: '../a/*\u202eb', source: './p' }]),
      'p/skills/x/SKILL.md': skill('x'),
    });
    expect((await read(root)).plugins[0]?.name).toBe('a-b');
  });
});

test('components are counted as found; hooks and servers never run', async () => {
  const root = plant({
    '.claude-plugin/plugin.json': '{"name":"solo","mcpServers":{"one":{}}}',
    '.mcp.json': '{"mcpServers":{"two":{},"three":{}}}',
    'hooks/hooks.json': '{}',
    'hooks/GUARDRAILS.md': 'Mind the saw.',
    'hooks/note.md': '',
    'skills/x/SKILL.md': skill('x'),
    'agents/a.md': skill('a'),
  });
  expect((await read(root)).plugins[0]).toMatchObject({
    components: { skills: 1, agents: 1, commands: 0, hooks: 2, mcpServers: 3 },
    shipsHooksJson: true,
    shipsGuardrails: true,
  });
});

test('an .mcp.json above 1 MiB counts as no servers', async () => {
  const root = makeRoot();
  plant(
    {
      'p/.claude-plugin/plugin.json': '{"name":"p"}',
      'p/.mcp.json': `{"mcpServers":{"a":{},"pad":"${'x'.repeat(1024 * 1024)}"}}`,
    },
    root,
  );
  expect((await read(root)).plugins[0]?.components.mcpServers).toBe(0);
});
