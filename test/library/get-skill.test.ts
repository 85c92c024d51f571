// biome-ignore-all lint/suspicious/noExplicitAny: answers are looked at by their JSON shape
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the tokens under test are written so
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { GetInput } from '../../src/library/get-skill.ts';
import {
  enrolOrchard,
  entryText,
  makeDirectory,
  PRUNING,
  startLibrary,
  type TestLibrary,
  writeTree,
} from './fixture.ts';

interface Orchard extends TestLibrary {
  root: string;
  get(input: GetInput): Promise<any>;
}

async function startOrchard(plugins: Parameters<typeof enrolOrchard>[1] = { pruning: PRUNING }) {
  const lectern = startLibrary();
  const root = await enrolOrchard(lectern, plugins);
  const orchard: Orchard = {
    ...lectern,
    root,
    get: (input) => lectern.library.getSkill(input, lectern.session),
  };
  return orchard;
}

const TRIPLE = { catalog: 'orchard', plugin: 'pruning' };

function failsWith(code: string, extras?: object) {
  return expect.objectContaining({
    details: expect.objectContaining({ code, ...(extras === undefined ? {} : { extras }) }),
  });
}

test('L-113 every bad shape fails without data', async () => {
  const { get } = await startOrchard();
  const bare = expect.objectContaining({ details: { bare: true, rpc: -32602 } });
  for (const input of [
    { uri: 'x', name: 'y' },
    {},
    { catalog: 'orchard', plugin: 'pruning' },
    { catalog: 'orchard', plugin: 'pruning', name: '' },
    { uri: '  ' },
  ]) {
    await expect(get(input)).rejects.toEqual(bare);
  }
});

test('L-114 without a kind a skill is found, else a command of that name', async () => {
  const { get } = await startOrchard();
  expect(await get({ ...TRIPLE, name: 'graft-plan' })).toMatchObject({ kind: 'skill' });
  expect(await get({ ...TRIPLE, name: 'prune-tree' })).toMatchObject({ kind: 'command' });
  await expect(get({ ...TRIPLE, name: 'graft-plan', kind: 'command' })).rejects.toEqual(
    failsWith('unknown_skill'),
  );
});

test('L-115 an agent is loaded by its kind', async () => {
  const { get } = await startOrchard();
  expect(await get({ ...TRIPLE, name: 'gardener', kind: 'agent' })).toMatchObject({
    kind: 'agent',
    content: 'Body.\n',
    resources: [],
  });
});

test('L-116 errors tell catalog, plugin and entry apart, in that order', async () => {
  const { get } = await startOrchard();
  await expect(get({ catalog: 'no', plugin: 'no', name: 'no' })).rejects.toEqual(
    failsWith('unknown_catalog', { catalog: 'no' }),
  );
  await expect(get({ catalog: 'orchard', plugin: 'no', name: 'no' })).rejects.toEqual(
    failsWith('unknown_plugin', { catalog: 'orchard', plugin: 'no' }),
  );
  await expect(get({ ...TRIPLE, name: 'no' })).rejects.toEqual(failsWith('unknown_skill'));
});

test('L-117 unknown_skill lists what is enabled there, a disabled entry is neither found nor listed', async () => {
  const { get, ask } = await startOrchard();
  await ask('entry.set_enabled', { id: 'orchard/pruning/graft-audit', enabled: false });
  await expect(get({ ...TRIPLE, name: 'graft-audit' })).rejects.toEqual(
    failsWith('unknown_skill', {
      ...TRIPLE,
      name: 'graft-audit',
      available: [
        { name: 'gardener', kind: 'agent' },
        { name: 'prune-tree', kind: 'command' },
        { name: 'graft-plan', kind: 'skill' },
      ],
    }),
  );
});

test('L-117 the message repeats the nearest names, for hosts that show no data', async () => {
  const { get } = await startOrchard();
  await expect(get({ ...TRIPLE, name: 'graft-pln' })).rejects.toThrow(
    /did you mean orchard:pruning:graft-plan\?/,
  );
});

test('L-118 a wildcard resolves one match, names several, and misses like a name', async () => {
  const { get } = await startOrchard();
  expect(await get({ ...TRIPLE, name: '*plan' })).toMatchObject({ name: 'graft-plan' });
  await expect(get({ ...TRIPLE, name: 'graft*' })).rejects.toEqual(
    failsWith('ambiguous_name', {
      ...TRIPLE,
      name: 'graft*',
      candidates: [
        { name: 'graft-audit', kind: 'skill' },
        { name: 'graft-plan', kind: 'skill' },
      ],
    }),
  );
  await expect(get({ ...TRIPLE, name: 'zzz*' })).rejects.toEqual(failsWith('unknown_skill'));
});

test('L-119 a wildcard considers only the kind asked for, by default skills', async () => {
  const { get } = await startOrchard();
  await expect(get({ ...TRIPLE, name: 'prune*' })).rejects.toEqual(failsWith('unknown_skill'));
  expect(await get({ ...TRIPLE, name: 'prune*', kind: 'command' })).toMatchObject({
    name: 'prune-tree',
  });
});

test('L-120 the qualified forms resolve like the triple', async () => {
  const { get } = await startOrchard();
  const wanted = await get({ ...TRIPLE, name: 'graft-plan' });
  for (const uri of [
    'orchard:pruning:graft-plan',
    'orchard__pruning__graft-plan',
    'pruning:graft-plan',
    'pruning__graft-plan',
    ' pruning:graft-plan ',
  ]) {
    expect(await get({ uri })).toEqual(wanted);
  }
});

test('L-121 single underscores resolve through every partition', async () => {
  const { get } = await startOrchard({
    my_plugin: {
      'skills/a_b/SKILL.md': entryText({ name: 'a_b', description: 'Underscores.' }),
    },
  });
  for (const uri of ['my_plugin_a_b', 'orchard_my_plugin_a_b', 'a_b']) {
    expect(await get({ uri })).toMatchObject({ plugin: 'my_plugin', name: 'a_b' });
  }
});

test('L-122 bare names and every path form resolve', async () => {
  const { get, root } = await startOrchard();
  const directory = join(root, 'plugins/pruning/skills/graft-plan');
  for (const uri of [
    'graft-plan',
    join(directory, 'SKILL.md'),
    directory,
    'skills/graft-plan/SKILL.md',
    'skills/graft-plan',
    './skills/graft-plan/',
    'plugins/pruning/skills/graft-plan/SKILL.md',
    'plugins/pruning/skills/graft-plan',
  ]) {
    expect(await get({ uri })).toMatchObject({ name: 'graft-plan' });
  }
});

test('L-122 a relative path is taken from the working directory of the session', async () => {
  const { library, session, root } = await startOrchard();
  const cwd = join(root, 'plugins');
  expect(
    await library.getSkill({ uri: './pruning/skills/graft-plan/SKILL.md' }, { ...session, cwd }),
  ).toMatchObject({ name: 'graft-plan' });
});

test('a name with slashes, and catalog/plugin/name, resolve too', async () => {
  const { get } = await startOrchard();
  expect(await get({ uri: 'orchard/pruning/graft-plan' })).toMatchObject({ name: 'graft-plan' });
});

test('L-123 a URI that cannot mean anything lists the whole workspace', async () => {
  const { get } = await startOrchard();
  for (const uri of ['skills/../skills/graft-plan', 'a::b', 'a:b:c:d', '___', '_', 'SKILL.md']) {
    await expect(get({ uri })).rejects.toEqual(
      failsWith('unknown_skill', {
        uri,
        available: [
          { name: 'gardener', kind: 'agent' },
          { name: 'prune-tree', kind: 'command' },
          { name: 'graft-audit', kind: 'skill' },
          { name: 'graft-plan', kind: 'skill' },
        ],
      }),
    );
  }
});

test('L-124 a path to a file that is no entry is unknown', async () => {
  const { get, root } = await startOrchard();
  const uri = join(root, 'plugins/pruning/skills/graft-plan/references/dates.md');
  await expect(get({ uri })).rejects.toEqual(failsWith('unknown_skill'));
});

test('a link out of the catalog is not read into an answer', async () => {
  const lectern = await startOrchard();
  const file = join(lectern.root, 'plugins/pruning/skills/graft-plan/SKILL.md');
  const outside = join(makeDirectory(), 'secret.md');
  writeFileSync(outside, 'secret');
  rmSync(file);
  symlinkSync(outside, file);
  await expect(lectern.get({ ...TRIPLE, name: 'graft-plan' })).rejects.toEqual(
    failsWith('skill_file_missing', { path: file }),
  );
});

test('L-126 a bare name in two catalogs yields previews and calls only', async () => {
  const lectern = await startOrchard();
  const { 'skills/graft-plan/SKILL.md': text } = PRUNING;
  await enrolOrchard(
    lectern,
    { care: { 'skills/graft-plan/SKILL.md': `${text}More.` } },
    { name: 'grove' },
  );
  const answer = await lectern.get({ uri: 'graft-plan', metadata_only: true });
  expect(Object.keys(answer)).toEqual(['matches', 'next_actions']);
  expect(answer.matches.map((it: any) => it.catalog)).toEqual(['grove', 'orchard']);
  expect(Object.keys(answer.matches[0])).toEqual([
    'catalog',
    'plugin',
    'name',
    'kind',
    'path',
    'description',
  ]);
  expect(answer.matches[0].description).toBe('Plan a graft on a tree.');
  expect(answer.next_actions[0]).toEqual({
    tool: 'get_skill',
    arguments: { catalog: 'grove', plugin: 'care', name: 'graft-plan', kind: 'skill' },
  });
});

test('L-128 each next action returns its match', async () => {
  const lectern = await startOrchard();
  await enrolOrchard(
    lectern,
    { care: { 'skills/graft-plan/SKILL.md': entryText({ name: 'graft-plan', description: 'b' }) } },
    { name: 'grove' },
  );
  const answer = await lectern.get({ uri: 'graft-plan' });
  expect(answer.matches).toHaveLength(2);
  for (const [at, action] of answer.next_actions.entries()) {
    expect((await lectern.get(action.arguments)).path).toBe(answer.matches[at].path);
  }
});

test('L-127 kind narrows a URI, and without it agents are not matched', async () => {
  const { get } = await startOrchard();
  await expect(get({ uri: 'gardener' })).rejects.toEqual(failsWith('unknown_skill'));
  expect(await get({ uri: 'gardener', kind: 'agent' })).toMatchObject({ name: 'gardener' });
  await expect(get({ uri: 'graft-plan', kind: 'command' })).rejects.toEqual(
    failsWith('unknown_skill'),
  );
});

test('L-129 a body comes without frontmatter and with every resource', async () => {
  const lectern = await startOrchard();
  const directory = join(lectern.root, 'plugins/pruning/skills/graft-plan');
  writeTree(directory, { '.hidden': 'h', 'a/b/c.txt': 'c', 'z.txt': 'z' });
  symlinkSync(join(directory, 'z.txt'), join(directory, 'link.txt'));
  symlinkSync(join(directory, 'a'), join(directory, 'linked'));
  const answer = await lectern.get({ ...TRIPLE, name: 'graft-plan' });
  expect(answer.content).toBe('# Graft plan\nUse graft-plan.\n');
  expect(answer.resources).toEqual(
    ['.hidden', 'a/b/c.txt', 'references/dates.md', 'z.txt'].map((it) => join(directory, it)),
  );
});

test('L-130 commands have no resources and never bodies of them', async () => {
  const { get } = await startOrchard();
  const answer = await get({ ...TRIPLE, name: 'prune-tree', include_resource_bodies: true });
  expect(answer.resources).toEqual([]);
  expect(answer).not.toHaveProperty('resource_bodies');
});

test('L-131 resource bodies are text of at most 65536 bytes; skipped ones stay listed', async () => {
  const lectern = await startOrchard();
  const directory = join(lectern.root, 'plugins/pruning/skills/graft-plan');
  writeTree(directory, {
    'big.txt': 'b'.repeat(65_537),
    'bytes.bin': Buffer.from([0xff, 0xfe, 0x00, 0xc3]),
    'full.txt': 'f'.repeat(65_536),
  });
  const answer = await lectern.get({
    ...TRIPLE,
    name: 'graft-plan',
    include_resource_bodies: true,
  });
  expect(answer.resource_bodies.map((it: any) => it.path)).toEqual([
    join(directory, 'full.txt'),
    join(directory, 'references/dates.md'),
  ]);
  expect(answer.resources).toHaveLength(4);
});

test('L-132 what would push the total over 1 MiB is skipped, later smaller ones still fit', async () => {
  const lectern = await startOrchard();
  const directory = join(lectern.root, 'plugins/pruning/skills/graft-plan');
  for (let at = 0; at < 15; at++) writeTree(directory, { [`a${10 + at}.txt`]: 'x'.repeat(65_536) });
  writeTree(directory, {
    'b.txt': 'x'.repeat(65_530),
    'c.txt': 'x'.repeat(65_000),
    'd.txt': 'fits',
  });
  const { resource_bodies: bodies } = await lectern.get({
    ...TRIPLE,
    name: 'graft-plan',
    include_resource_bodies: true,
  });
  const names = bodies.map((it: any) => it.path.slice(directory.length + 1));
  expect(names).toContain('b.txt');
  expect(names).not.toContain('c.txt');
  expect(names).toContain('d.txt');
});

test('L-133 a skill without resources has an empty list of bodies', async () => {
  const { get } = await startOrchard();
  const answer = await get({ ...TRIPLE, name: 'graft-audit', include_resource_bodies: true });
  expect(answer.resource_bodies).toEqual([]);
});

test('L-134 raw keeps the tokens and says so', async () => {
  const { get } = await startOrchard();
  expect(await get({ ...TRIPLE, name: 'graft-plan', raw: true })).toMatchObject({
    content: '# Graft plan\nUse ${TOME_SKILL_NAME}.\n',
    substitutions_applied: false,
  });
  expect(await get({ ...TRIPLE, name: 'graft-audit' })).toMatchObject({
    substitutions_applied: true,
  });
});

test('L-135 metadata has the full description and no content', async () => {
  const { get } = await startOrchard();
  const answer = await get({ ...TRIPLE, name: 'graft-audit', metadata_only: true });
  expect(Object.keys(answer)).toEqual([
    'catalog',
    'plugin',
    'name',
    'kind',
    'path',
    'description',
    'when_to_use',
    'plugin_version',
    'user_invocable',
    'resources',
  ]);
  expect(answer).toMatchObject({ description: 'Audit old grafts.', when_to_use: null });
});

test('L-136 metadata groups files and immediate directories, five a list', async () => {
  const lectern = await startOrchard();
  const directory = join(lectern.root, 'plugins/pruning/skills/graft-plan');
  for (const name of ['g', 'f', 'e', 'd', 'c', 'b', 'a']) {
    writeTree(directory, { [`references/${name}.md`]: name });
  }
  writeTree(directory, { 'notes.md': 'n', 'deep/er/x.md': 'x' });
  mkdirSync(join(directory, 'empty'));
  symlinkSync(join(directory, 'notes.md'), join(directory, 'link.md'));
  const { resources } = await lectern.get({ ...TRIPLE, name: 'graft-plan', metadata_only: true });
  expect(resources).toEqual({
    files: [join(directory, 'notes.md')],
    directories: {
      deep: [],
      empty: [],
      references: [
        ...['a', 'b', 'c', 'd', 'dates'].map((it) => join(directory, `references/${it}.md`)),
        'and 3 more',
      ],
    },
  });
  expect(Object.keys(resources.directories)).toEqual(['deep', 'empty', 'references']);
});

test('L-137 metadata of commands and agents has no resources', async () => {
  const { get } = await startOrchard();
  const command = await get({ ...TRIPLE, name: 'prune-tree', metadata_only: true });
  expect(command).not.toHaveProperty('resources');
  expect(Object.keys(command).at(-1)).toBe('prompt_name');
  expect(
    await get({ ...TRIPLE, name: 'gardener', kind: 'agent', metadata_only: true }),
  ).not.toHaveProperty('resources');
});

test('L-138 a deleted file is missing in body mode and still described in metadata mode', async () => {
  const lectern = await startOrchard();
  const file = join(lectern.root, 'plugins/pruning/commands/prune-tree.md');
  rmSync(file);
  await expect(lectern.get({ ...TRIPLE, name: 'prune-tree' })).rejects.toEqual(
    failsWith('skill_file_missing', { path: file }),
  );
  expect(await lectern.get({ ...TRIPLE, name: 'prune-tree', metadata_only: true })).toMatchObject({
    name: 'prune-tree',
  });
});

test('a plugin or catalog whose directory vanished is named as such', async () => {
  const lectern = await startOrchard();
  rmSync(join(lectern.root, 'plugins/pruning'), { recursive: true });
  await expect(lectern.get({ ...TRIPLE, name: 'prune-tree' })).rejects.toMatchObject({
    category: 'plugin_not_found',
  });
  rmSync(lectern.root, { recursive: true });
  await expect(lectern.get({ ...TRIPLE, name: 'prune-tree' })).rejects.toMatchObject({
    category: 'catalog_not_found',
  });
});

test('L-139 a body edited on disk is served on the next call', async () => {
  const lectern = await startOrchard();
  writeTree(lectern.root, {
    'plugins/pruning/commands/prune-tree.md': '---\nname: prune-tree\n---\nNew body.\n',
  });
  expect(await lectern.get({ ...TRIPLE, name: 'prune-tree' })).toMatchObject({
    content: 'New body.\n',
  });
});

test('a file that grew over 256 KiB is refused whole', async () => {
  const lectern = await startOrchard();
  writeTree(lectern.root, {
    'plugins/pruning/commands/prune-tree.md': 'x'.repeat(256 * 1024 + 1),
  });
  await expect(lectern.get({ ...TRIPLE, name: 'prune-tree' })).rejects.toEqual(
    failsWith('frontmatter_strip_failed'),
  );
});

test('L-156 data directories are made only when their token is used, with safe names', async () => {
  const lectern = await startOrchard({
    'odd+plugin': {
      'skills/data/SKILL.md': entryText(
        { name: 'data', description: 'Uses data.' },
        '${TOME_PLUGIN_DATA}|${TOME_WORKSPACE_DATA}',
      ),
    },
  });
  const pluginData = join(lectern.paths.pluginData, 'orchard', 'odd_plugin');
  const workspaceData = join(lectern.paths.workspaces, 'global/plugin-data/orchard/odd_plugin');
  await lectern.get({ uri: 'data', raw: true });
  expect(existsSync(pluginData)).toBe(false);
  const answers = await Promise.all([1, 2, 3].map(() => lectern.get({ uri: 'data' })));
  for (const answer of answers) expect(answer.content).toBe(`${pluginData}|${workspaceData}`);
  expect(existsSync(pluginData) && existsSync(workspaceData)).toBe(true);
});

test('L-157 a data root that cannot be written is named by its error', async () => {
  const lectern = await startOrchard({
    p: {
      'skills/data/SKILL.md': entryText(
        { name: 'data', description: 'Uses data.' },
        '${TOME_PLUGIN_DATA}',
      ),
      'skills/ws/SKILL.md': entryText(
        { name: 'ws', description: 'Uses data.' },
        '${TOME_WORKSPACE_DATA}',
      ),
    },
  });
  // A file where the directory should be: this fails for root too.
  writeFileSync(lectern.paths.pluginData, '');
  rmSync(lectern.paths.workspaces, { recursive: true, force: true });
  writeFileSync(lectern.paths.workspaces, '');
  await expect(lectern.get({ uri: 'data' })).rejects.toMatchObject({
    category: 'plugin_data_dir_write_failed',
  });
  await expect(lectern.get({ uri: 'ws' })).rejects.toMatchObject({
    category: 'workspace_data_dir_write_failed',
  });
});

test('L-152 the project directory is the marker nearest to the working directory', async () => {
  const lectern = await startOrchard({
    p: {
      'skills/project/SKILL.md': entryText(
        { name: 'project', description: 'Where am I.' },
        '${TOME_PROJECT_DIR}',
      ),
    },
  });
  expect((await lectern.get({ uri: 'project' })).content).toBe('${TOME_PROJECT_DIR}');
  writeTree(lectern.cwd, { '.lectern/config.toml': 'workspace = "global"\n' });
  const cwd = join(lectern.cwd, 'deep/er');
  mkdirSync(cwd, { recursive: true });
  const answer = await lectern.library.getSkill({ uri: 'project' }, { ...lectern.session, cwd });
  expect(answer).toMatchObject({ content: lectern.cwd });
});

test('metadata of a skill whose directory cannot be listed fails by name', async () => {
  const lectern = await startOrchard();
  rmSync(join(lectern.root, 'plugins/pruning/skills/graft-plan'), { recursive: true });
  await expect(lectern.get({ ...TRIPLE, name: 'graft-plan', metadata_only: true })).rejects.toEqual(
    failsWith('resource_enum_failed'),
  );
});

test('loading an entry is counted', async () => {
  const lectern = await startOrchard();
  await lectern.get({ uri: 'graft-plan' });
  await lectern.get({ uri: 'graft-plan' });
  await lectern.library.close();
  expect(lectern.state.usage.all()).toMatchObject([{ name: 'graft-plan', loads: 2 }]);
});

test('an agent asked for without its kind is said to be one, with its id and the command that loads it', async () => {
  const { get } = await startOrchard();
  for (const input of [{ uri: 'gardener' }, { ...TRIPLE, name: 'gardener' }]) {
    const error = await get(input).catch((caught) => caught);
    expect(error.message).toMatch(
      /gardener" is an agent, not a skill or command: orchard:pruning:gardener; ask for it with kind "agent"$/,
    );
    expect(error.next).toBe('lectern get orchard:pruning:gardener --kind agent');
  }
});

test('a slip is answered with the few names it may be of; a stranger with none', async () => {
  const { get } = await startOrchard();
  const slip = await get({ uri: 'graft-paln' }).catch((caught) => caught);
  expect(slip.message).toBe(
    'nothing enabled answers to "graft-paln"; did you mean orchard:pruning:graft-plan?',
  );
  expect(slip.next).toBe('lectern get orchard:pruning:graft-plan');
  expect(slip.details.extras.available.length).toBeGreaterThan(1);
  const stranger = await get({ uri: 'kubernetes' }).catch((caught) => caught);
  expect(stranger.message).toBe('nothing enabled answers to "kubernetes"');
});

test('what is there and not enabled is told as that, with the command that enables it', async () => {
  const { ask, get } = await startOrchard();
  await ask('entry.set_enabled', { id: 'orchard/pruning/graft-plan', enabled: false });
  const off = await get({ uri: 'graft-plan' }).catch((caught) => caught);
  expect(off.message).toBe('"graft-plan" is orchard/pruning/graft-plan, but it is not enabled');
  expect(off.next).toBe('lectern entry enable orchard/pruning/graft-plan');
  expect(off.details.code).toBe('unknown_skill');
  const triple = await get({ ...TRIPLE, name: 'graft-plan' }).catch((caught) => caught);
  expect(triple.message).toBe('orchard/pruning/graft-plan is there, but it is not enabled');
  expect(triple.next).toBe(off.next);
  await ask('plugin.disable', { tokens: ['orchard/pruning'] });
  for (const uri of ['prune-tree', 'orchard:pruning:prune-tree']) {
    const without = await get({ uri }).catch((caught) => caught);
    expect(without.message).toMatch(/but plugin orchard\/pruning is not enabled$/);
    expect(without.next).toBe('lectern plugin enable orchard/pruning');
  }
});
