// biome-ignore-all lint/suspicious/noExplicitAny: answers are looked at by their JSON shape
import { expect, test } from 'vitest';
import { enrolOrchard, entryText, PRUNING, startLibrary, writeTree } from './fixture.ts';

const GRAFTING = {
  'skills/cut/SKILL.md': entryText({ name: 'cut', description: 'Cut a scion.' }),
} as const;

async function startTwo(enable = false) {
  const lectern = startLibrary();
  const root = await enrolOrchard(lectern, { pruning: PRUNING, grafting: GRAFTING }, { enable });
  return { ...lectern, root };
}

test('L-012 a malformed plugin id is usage', async () => {
  const { ask } = await startTwo();
  for (const id of ['a/b/c', '/b', 'a/', 'a/..', 'a/.b']) {
    await expect(ask('plugin.enable', { tokens: [id] })).rejects.toMatchObject({ exitCode: 2 });
    await expect(ask('plugin.show', { id })).rejects.toMatchObject({ exitCode: 2 });
  }
  await expect(ask('plugin.show', { id: 'noslash' })).rejects.toMatchObject({ exitCode: 2 });
});

test('L-050 enabling an enabled plugin alone is 21, in a batch or glob it is skipped', async () => {
  const { ask } = await startTwo();
  expect(await ask('plugin.enable', { tokens: ['orchard/pruning'] })).toMatchObject({
    changed: [
      { plugin: 'orchard/pruning', status: 'enabled', skills_indexed: 4, skills_newly_embedded: 0 },
    ],
  });
  await expect(ask('plugin.enable', { tokens: ['orchard/pruning'] })).rejects.toMatchObject({
    exitCode: 21,
  });
  expect(
    await ask('plugin.enable', { tokens: ['orchard/pruning', 'orchard/grafting'] }),
  ).toMatchObject({
    changed: [{ plugin: 'orchard/grafting' }],
    skipped: ['orchard/pruning'],
    failures: [],
  });
  expect(await ask('plugin.enable', { tokens: ['orchard/*'] })).toMatchObject({
    changed: [],
    skipped: ['orchard/grafting', 'orchard/pruning'],
    failures: [],
  });
});

test('L-051 disabling a disabled plugin alone is 21', async () => {
  const { ask } = await startTwo();
  await expect(ask('plugin.disable', { tokens: ['orchard/pruning'] })).rejects.toMatchObject({
    exitCode: 21,
  });
});

test('a dry run of disable changes nothing', async () => {
  const { ask } = await startTwo(true);
  expect(await ask('plugin.disable', { tokens: ['*'], dry_run: true })).toMatchObject({
    changed: [{ plugin: 'orchard/grafting' }, { plugin: 'orchard/pruning' }],
    dry_run: true,
  });
  expect(await ask('plugin.list', { enabled_only: true })).toHaveLength(2);
});

test('L-053 enabling again embeds nothing', async () => {
  const { ask } = await startTwo(true);
  await ask('plugin.disable', { tokens: ['pruning'] });
  const { changed } = await ask('plugin.enable', { tokens: ['pruning'] });
  expect(changed[0].skills_newly_embedded).toBe(0);
});

test('L-054 disabling in one workspace leaves the other alone', async () => {
  const { ask, root, library, session } = await startTwo(true);
  await ask('workspace.init', { name: 'other' });
  await ask('catalog.add', { source: root, workspace: 'other', enable: true });
  await ask('plugin.disable', { tokens: ['*'], workspace: 'other' });
  expect(await ask('plugin.list', { enabled_only: true, workspace: 'other' })).toEqual([]);
  expect(await ask('plugin.list', { enabled_only: true })).toHaveLength(2);
  expect((await library.searchSkills({ query: 'graft' }, session)).corpus_size).toBe(4);
});

test('a skill added to an enabled plugin is enabled', async () => {
  const { root, indexer, library, session } = await startTwo(true);
  writeTree(root, {
    'plugins/grafting/skills/bind/SKILL.md': entryText({ name: 'bind', description: 'Bind it.' }),
  });
  await indexer.reindex(null);
  expect(await library.getSkill({ uri: 'bind' }, session)).toMatchObject({ plugin: 'grafting' });
});

test('an entry can differ from its plugin, either way', async () => {
  const { ask, library, session } = await startTwo();
  await ask('entry.set_enabled', { id: 'orchard/grafting/cut', enabled: true });
  expect(await library.getSkill({ uri: 'cut' }, session)).toMatchObject({ name: 'cut' });
  await ask('plugin.enable', { tokens: ['pruning'] });
  await ask('entry.set_enabled', { id: 'orchard/pruning/graft-plan', enabled: false });
  await expect(library.getSkill({ uri: 'graft-plan' }, session)).rejects.toMatchObject({
    exitCode: 27,
  });
  await ask('entry.set_enabled', { id: 'orchard/pruning/graft-plan', enabled: true });
  expect(await library.getSkill({ uri: 'graft-plan' }, session)).toMatchObject({
    name: 'graft-plan',
  });
});

test('L-055 a bare name in two catalogs is usage and lists both, with --catalog it resolves', async () => {
  const { ask, ...lectern } = await startTwo();
  await enrolOrchard({ ...lectern, ask }, { pruning: PRUNING }, { name: 'grove', enable: false });
  await expect(ask('plugin.enable', { tokens: ['pruning'] })).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringMatching(/grove\/pruning, orchard\/pruning/),
  });
  const { changed } = await ask('plugin.enable', { tokens: ['pruning'], catalog: 'grove' });
  expect(changed).toMatchObject([{ plugin: 'grove/pruning' }]);
});

test('a bare name that no catalog has is 20', async () => {
  const { ask } = await startTwo();
  await expect(ask('plugin.enable', { tokens: ['nope'] })).rejects.toMatchObject({ exitCode: 20 });
});

test('L-012 a bare name is no id for plugin show, but the error knows the id', async () => {
  const { ask } = await startTwo();
  await expect(ask('plugin.show', { id: 'pruning' })).rejects.toMatchObject({
    exitCode: 2,
    message: '"pruning" is no plugin id; did you mean orchard/pruning?',
    next: 'lectern plugin show orchard/pruning',
  });
  await expect(ask('plugin.enable', { tokens: ['prunning'] })).rejects.toMatchObject({
    message: 'no enrolled catalog has a plugin "prunning"; did you mean orchard/pruning?',
  });
});

test('one entry is named alike to entry, tier and get: whole or short, with slashes or colons', async () => {
  const { ask } = await startTwo(true);
  for (const id of [
    'orchard/pruning/graft-plan',
    'orchard:pruning:graft-plan',
    'pruning/graft-plan',
    'pruning:graft-plan',
    'graft-plan',
  ]) {
    const address = { catalog: 'orchard', plugin: 'pruning', name: 'graft-plan' };
    expect(await ask('tier.set', { id, tier: 2 }), id).toMatchObject([address]);
    expect(await ask('entry.get', { uri: id, metadata_only: true }), id).toMatchObject(address);
    expect(await ask('entry.set_enabled', { id, enabled: true }), id).toMatchObject(address);
  }
});

test('a short id that names several entries, or none, says which there are', async () => {
  const { ask, ...lectern } = await startTwo();
  await enrolOrchard({ ...lectern, ask }, { pruning: PRUNING }, { name: 'grove', enable: false });
  const disable = (id: string) =>
    ask('entry.set_enabled', { id, enabled: false }).catch((caught: Error) => caught);
  expect(await disable('graft-plan')).toMatchObject({
    exitCode: 2,
    message: expect.stringContaining('grove/pruning/graft-plan, orchard/pruning/graft-plan'),
  });
  expect(await disable('gardner')).toMatchObject({
    exitCode: 27,
    message: expect.stringContaining('did you mean grove/pruning/gardener, '),
  });
});

test('L-056 a glob without a match is usage for enable, disable and reindex', async () => {
  const { ask } = await startTwo();
  await expect(ask('plugin.enable', { tokens: ['zz*'] })).rejects.toMatchObject({ exitCode: 2 });
  await expect(ask('plugin.disable', { tokens: ['zz*'] })).rejects.toMatchObject({ exitCode: 2 });
  await expect(ask('reindex.run', { scopes: ['zz*'] })).rejects.toMatchObject({ exitCode: 2 });
});

test('L-057 a batch with one bad id does the good ones and tells the first failure', async () => {
  const { ask } = await startTwo();
  const answer = await ask('plugin.enable', {
    tokens: ['orchard/nope', 'orchard/grafting', 'no/thing'],
  });
  expect(answer.changed).toMatchObject([{ plugin: 'orchard/grafting' }]);
  expect(answer.failures.map((it: any) => it.exit_code)).toEqual([20, 3]);
});

test('L-059 plugin.list filters by words and tier', async () => {
  const { ask } = await startTwo();
  const ids = async (params: object) =>
    (await ask('plugin.list', params)).map((it: any) => it.id.plugin);
  expect(await ids({ filter: 'PRUN' })).toEqual(['pruning']);
  expect(await ids({ filter: 'ABOUT' })).toEqual(['grafting', 'pruning']);
  await expect(ask('plugin.list', { tier: 4 })).rejects.toMatchObject({ exitCode: 2 });
  expect(await ids({ tier: 3 })).toEqual([]);
  await ask('plugin.enable', { tokens: ['pruning'], tier: 1 });
  expect(await ids({ tier: 1 })).toEqual(['pruning']);
  expect(await ids({ tier: 3 })).toEqual([]);
  await expect(ask('plugin.list', { catalog: 'no' })).rejects.toMatchObject({ exitCode: 3 });
});

test('L-060 plugin.show resolves what was never enabled', async () => {
  const { ask } = await startTwo();
  const shown = await ask('plugin.show', { id: 'orchard/pruning', details: true });
  expect(shown).toMatchObject({
    status: 'disabled',
    version: '1.2.0',
    component_counts: { skills: 2, agents: 1, commands: 1, hooks: 0, mcp_servers: 0 },
    skills: [
      { name: 'graft-audit' },
      { name: 'graft-plan', when_to_use: 'Before any grafting work' },
    ],
    commands: [{ name: 'prune-tree', user_invocable: true }],
    agents: [{ name: 'gardener', user_invocable: false }],
    ships_hooks_json: false,
  });
  await expect(ask('plugin.show', { id: 'orchard/no' })).rejects.toMatchObject({ exitCode: 20 });
  await expect(ask('plugin.show', { id: 'no/no' })).rejects.toMatchObject({ exitCode: 3 });
});

test('L-011 a plugin whose manifest cannot be used is unindexable and cannot be enabled', async () => {
  const lectern = startLibrary();
  const root = await enrolOrchard(lectern, { pruning: PRUNING }, { enable: false });
  writeTree(root, { 'plugins/pruning/tome-plugin.toml': 'name = "pruning"\nsurprise = 1\n' });
  await lectern.indexer.reindex(null);
  expect(await lectern.ask('plugin.list')).toMatchObject([{ status: 'unindexable' }]);
  await expect(lectern.ask('plugin.enable', { tokens: ['orchard/pruning'] })).rejects.toMatchObject(
    { exitCode: 22, message: expect.stringContaining('tome-plugin.toml') },
  );
});

test('L-064 reindex tells nothing to do, unknown catalog, unknown plugin and bad id apart', async () => {
  const { ask } = await startTwo();
  expect(await ask('reindex.run', { scopes: ['orchard'] })).toMatchObject({ reindexed: null });
  await expect(ask('reindex.run', { scopes: ['nope'] })).rejects.toMatchObject({ exitCode: 3 });
  await expect(ask('reindex.run', { scopes: ['orchard/nope'] })).rejects.toMatchObject({
    exitCode: 20,
  });
  await expect(ask('reindex.run', { scopes: ['orchard/pruning'] })).rejects.toMatchObject({
    exitCode: 20,
  });
  await expect(ask('reindex.run', { scopes: ['a/b/c'] })).rejects.toMatchObject({ exitCode: 2 });
});

test('L-065 scopes together with --catalog or --plugin are usage', async () => {
  const { ask } = await startTwo(true);
  await expect(
    ask('reindex.run', { scopes: ['orchard'], catalog: ['orchard'] }),
  ).rejects.toMatchObject({ exitCode: 2 });
  await expect(
    ask('reindex.run', { scopes: ['orchard'], plugin: ['orchard/pruning'] }),
  ).rejects.toMatchObject({ exitCode: 2 });
});

test('L-063 reindex counts what it checked, changed and forced', async () => {
  const { ask, root } = await startTwo(true);
  expect((await ask('reindex.run', {})).reindexed).toMatchObject({
    scope: 'all',
    plugins_visited: 2,
    skills_checked: 5,
    skills_re_embedded: 0,
    skills_unchanged: 5,
  });
  writeTree(root, {
    'plugins/grafting/skills/cut/SKILL.md': entryText({ name: 'cut', description: 'Cut another.' }),
  });
  expect((await ask('reindex.run', { scopes: ['orchard/grafting'] })).reindexed).toMatchObject({
    scope: 'orchard/grafting (1 plugin)',
    skills_checked: 1,
    skills_re_embedded: 1,
  });
  expect((await ask('reindex.run', { force: true })).reindexed).toMatchObject({
    skills_re_embedded: 5,
    skills_unchanged: 0,
  });
});

test('L-067 tiers are set by entry, glob and plugin; agents never take one', async () => {
  const { ask } = await startTwo(true);
  expect(await ask('tier.set', { id: 'pruning/graft-plan', tier: 1 })).toEqual([
    { catalog: 'orchard', plugin: 'pruning', name: 'graft-plan', kind: 'skill', tier: 1 },
  ]);
  expect(await ask('tier.set', { id: 'pruning/graft*', tier: 2 })).toHaveLength(2);
  expect(await ask('tier.set', { plugin: ['grafting'], tier: 1 })).toMatchObject([{ name: 'cut' }]);
  await expect(ask('tier.set', { id: 'pruning/nope', tier: 1 })).rejects.toMatchObject({
    exitCode: 27,
  });
  await expect(ask('tier.set', { id: 'pruning/gardener', tier: 1 })).rejects.toMatchObject({
    exitCode: 27,
    message: '"pruning/gardener" is an agent, and agents take no tier',
  });
  await expect(ask('tier.set', { id: 'pruning/graft-plan', tier: 4 })).rejects.toMatchObject({
    exitCode: 2,
  });
  const listed = await ask('tier.list');
  expect(listed.map((it: any) => `${it.tier} ${it.name}`)).toEqual([
    '1 cut',
    '2 graft-audit',
    '2 graft-plan',
    '3 prune-tree',
  ]);
  expect(await ask('tier.clear', { all: true })).toHaveLength(4);
  expect((await ask('tier.list')).map((it: any) => it.tier)).toEqual([3, 3, 3, 3]);
});

test('L-067 an id that two entries answer to is usage', async () => {
  const lectern = startLibrary();
  await enrolOrchard(lectern, {
    p: {
      'skills/x/SKILL.md': entryText({ name: 'x', description: 'Skill.' }),
      'commands/x.md': entryText({ name: 'x', description: 'Command.' }),
    },
  });
  await expect(lectern.ask('tier.set', { id: 'p/x', tier: 1 })).rejects.toMatchObject({
    exitCode: 2,
  });
  expect(await lectern.ask('tier.set', { id: 'p/x', kind: 'command', tier: 1 })).toHaveLength(1);
});

test('L-028 a skill and a command of one name are two entries', async () => {
  const lectern = startLibrary();
  await enrolOrchard(lectern, {
    p: {
      'skills/x/SKILL.md': entryText({ name: 'x', description: 'Skill.' }),
      'commands/x.md': entryText({ name: 'x', description: 'Command.' }),
    },
  });
  const { plugins } = await lectern.library.listPlugins({}, lectern.session);
  expect(plugins[0]!.entries.map((it) => it.kind)).toEqual(['command', 'skill']);
});

test('L-140 list_plugins lists what is enabled, sorted; on request what is declared too', async () => {
  const { ask, library, session } = await startTwo();
  await ask('plugin.enable', { tokens: ['pruning'] });
  const enabled = await library.listPlugins({}, session);
  expect(enabled).toMatchObject({
    workspace: 'global',
    plugins: [{ catalog: 'orchard', plugin: 'pruning', version: '1.2.0', enabled_entries: 4 }],
  });
  expect(enabled.plugins[0]!.entries.map((it) => it.name)).toEqual([
    'gardener',
    'prune-tree',
    'graft-audit',
    'graft-plan',
  ]);
  expect(Object.keys(enabled.plugins[0]!.entries[0]!)).toEqual([
    'name',
    'kind',
    'description',
    'enabled',
    'searchable',
    'user_invocable',
    'indexed_at',
  ]);
  const all = await library.listPlugins({ enabled_only: false }, session);
  expect(all.plugins.map((it) => [it.plugin, it.enabled_entries])).toEqual([
    ['grafting', 0],
    ['pruning', 4],
  ]);
  expect(all.plugins[0]!.entries[0]).toMatchObject({ name: 'cut', enabled: false });
});

test('L-140 a plugin that lies elsewhere is declared without a version', async () => {
  const lectern = startLibrary();
  const root = `${lectern.home}/market`;
  writeTree(root, {
    '.claude-plugin/marketplace.json': JSON.stringify({
      name: 'market',
      owner: { name: 'o' },
      plugins: [{ name: 'far', source: { source: 'github', repo: 'fruit/far' } }],
    }),
  });
  await lectern.ask('catalog.add', { source: root });
  const { plugins } = await lectern.library.listPlugins({ enabled_only: false }, lectern.session);
  expect(plugins).toEqual([{ catalog: 'market', plugin: 'far', enabled_entries: 0, entries: [] }]);
  await expect(lectern.ask('plugin.enable', { tokens: ['market/far'] })).rejects.toMatchObject({
    exitCode: 20,
    next: expect.stringContaining('lectern catalog add'),
  });
});

test('L-141 kind restricts the entries, drops empty plugins and leaves the count alone', async () => {
  const { library, session } = await startTwo(true);
  const { plugins } = await library.listPlugins({ kind: 'command' }, session);
  expect(plugins).toMatchObject([
    { plugin: 'pruning', enabled_entries: 4, entries: [{ name: 'prune-tree' }] },
  ]);
});

test('L-142 an unknown catalog gives an empty list', async () => {
  const { library, session } = await startTwo(true);
  expect((await library.listPlugins({ catalog: 'no' }, session)).plugins).toEqual([]);
});

test('L-109 strict with nothing above the floor is 40', async () => {
  const { ask, search } = await startTwo(true);
  for (const name of ['graft-plan', 'graft-audit', 'prune-tree', 'cut'])
    search.scores.set(name, 0.49);
  await expect(ask('query.run', { text: 'x', strict: true })).rejects.toMatchObject({
    exitCode: 40,
  });
  await expect(ask('query.run', { text: 'x', strict: true, rerank: false })).rejects.toMatchObject({
    exitCode: 40,
  });
  search.scores.set('cut', 0.5);
  expect((await ask('query.run', { text: 'x', strict: true })).results).toMatchObject([
    { name: 'cut' },
  ]);
});

test('strict with nothing enabled says that, and not that the floor is high', async () => {
  const lectern = startLibrary();
  await expect(lectern.ask('query.run', { text: 'x', strict: true })).rejects.toMatchObject({
    exitCode: 40,
    message: 'nothing is enabled here to be searched',
    next: 'lectern plugin list',
  });
});

test('L-110 min_score without strict removes nothing but is told', async () => {
  const { ask, search } = await startTwo(true);
  for (const name of ['graft-plan', 'graft-audit', 'prune-tree', 'cut'])
    search.scores.set(name, 0.6);
  const low = await ask('query.run', { text: 'x', min_score: 0.5 });
  expect(low.threshold_passed).toBe(true);
  const high = await ask('query.run', { text: 'x', min_score: 0.7 });
  expect(high.threshold_passed).toBe(false);
  expect(high.results).toHaveLength(4);
});

test('a query repeats filter values with or, and checks them', async () => {
  const { ask } = await startTwo(true);
  const answer = await ask('query.run', {
    text: 'graft',
    plugin: ['grafting', 'pruning'],
    kind: ['skill'],
  });
  expect(answer.results).toHaveLength(3);
  expect(Object.keys(answer.results[0]).slice(0, 8)).toEqual([
    'catalog',
    'plugin',
    'skill',
    'plugin_version',
    'score',
    'path',
    'scoring',
    'name',
  ]);
  await expect(ask('query.run', { text: 'x', catalog: ['no'] })).rejects.toMatchObject({
    exitCode: 3,
  });
  await expect(ask('query.run', { text: 'x', plugin: ['no'] })).rejects.toMatchObject({
    exitCode: 20,
  });
  await expect(ask('query.run', { text: ' ' })).rejects.toMatchObject({ exitCode: 2 });
});
