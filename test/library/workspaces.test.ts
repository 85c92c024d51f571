// biome-ignore-all lint/suspicious/noExplicitAny: answers are looked at by their JSON shape
import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isWorkspaceName } from '../../src/library/resolve-scope.ts';
import {
  enrolOrchard,
  makeDirectory,
  startLibrary,
  type TestLibrary,
  writeTree,
} from './fixture.ts';

async function resolved(lectern: TestLibrary, changes: object = {}): Promise<[string, string]> {
  const { scope } = await lectern.library.look({ ...lectern.session, ...changes });
  return [scope.workspace.name, scope.source];
}

async function startWith(...names: string[]): Promise<TestLibrary> {
  const lectern = startLibrary();
  for (const name of names) await lectern.ask('workspace.init', { name });
  return lectern;
}

test('L-069 flag beats environment beats config beats marker beats global', async () => {
  const lectern = await startWith('flagged', 'enved', 'configured', 'marked');
  const env = { ...lectern.session.env, LECTERN_WORKSPACE: 'enved' };
  expect(await resolved(lectern)).toEqual(['global', 'global_fallback']);
  writeTree(lectern.cwd, { '.lectern/config.toml': 'workspace = "marked"\n' });
  const cwd = join(lectern.cwd, 'below');
  mkdirSync(cwd);
  expect(await resolved(lectern, { cwd })).toEqual(['marked', 'project_marker']);
  writeFileSync(lectern.paths.config, '[workspace]\ndefault = "configured"\n');
  expect(await resolved(lectern, { cwd })).toEqual(['configured', 'config']);
  expect(await resolved(lectern, { cwd, env })).toEqual(['enved', 'env']);
  expect(await resolved(lectern, { cwd, env, workspaceFlag: 'flagged' })).toEqual([
    'flagged',
    'flag',
  ]);
});

test('L-070 an empty variable is ignored, an unknown one is 13, an invalid one 15', async () => {
  const lectern = startLibrary();
  const withEnv = (LECTERN_WORKSPACE: string) =>
    resolved(lectern, { env: { ...lectern.session.env, LECTERN_WORKSPACE } });
  expect(await withEnv('')).toEqual(['global', 'global_fallback']);
  await expect(withEnv('nope')).rejects.toMatchObject({ exitCode: 13 });
  await expect(withEnv('-bad-')).rejects.toMatchObject({ exitCode: 15 });
});

test('a workspace that is not there is told with who names it', async () => {
  const lectern = startLibrary();
  const env = (name: string) => ({ env: { ...lectern.session.env, LECTERN_WORKSPACE: name } });
  await expect(resolved(lectern, env('nope'))).rejects.toThrow(/"nope", which LECTERN_WORKSPACE/);
  await expect(resolved(lectern, env('a.b'))).rejects.toThrow(/"a\.b" \(LECTERN_WORKSPACE\) is no/);
  writeTree(dirname(lectern.paths.config), { 'config.toml': '[workspace]\ndefault = "gone"\n' });
  await expect(resolved(lectern, {})).rejects.toThrow(
    `"gone", which workspace.default of ${lectern.paths.config} names`,
  );
});

test('L-072 a malformed marker is 70, one that names an unknown workspace 13', async () => {
  const lectern = startLibrary();
  for (const [at, text] of [
    'workspace = ',
    'other = 1\n',
    'workspace = "global"\nx = 1\n',
  ].entries()) {
    const cwd = join(lectern.cwd, `p${at}`);
    writeTree(cwd, { '.lectern/config.toml': text });
    await expect(resolved(lectern, { cwd })).rejects.toMatchObject({ exitCode: 70 });
  }
  const cwd = join(lectern.cwd, 'unknown');
  writeTree(cwd, { '.lectern/config.toml': 'workspace = "nope"\n' });
  await expect(resolved(lectern, { cwd })).rejects.toMatchObject({ exitCode: 13 });
});

test('L-073 the configuration below home is never taken for a marker', async () => {
  const lectern = startLibrary();
  writeFileSync(lectern.paths.config, '[query]\ntop_k = 3\n');
  writeTree(lectern.home, { '.tome/config.toml': 'not = "a marker"\n' });
  expect(await resolved(lectern, { cwd: lectern.home })).toEqual(['global', 'global_fallback']);
  expect(await resolved(lectern)).toEqual(['global', 'global_fallback']);
});

test('a marker of Tome is read too, and says nothing where we lack the workspace', async () => {
  const lectern = await startWith('shared');
  writeTree(lectern.cwd, { '.tome/config.toml': 'workspace = "shared"\n' });
  expect(await resolved(lectern)).toEqual(['shared', 'project_marker']);
  const cwd = join(lectern.cwd, 'other');
  writeTree(cwd, { '.tome/config.toml': 'workspace = "only-in-tome"\n' });
  expect(await resolved(lectern, { cwd })).toEqual(['global', 'global_fallback']);
});

test('L-074 a malformed config.toml stops commands with 5, and status reports', async () => {
  const lectern = startLibrary();
  writeFileSync(lectern.paths.config, '[query]\ntop = 1\n');
  for (const method of ['catalog.list', 'plugin.list', 'workspace.list']) {
    await expect(lectern.ask(method)).rejects.toMatchObject({
      exitCode: 5,
      message: expect.stringMatching(/config\.toml: query\.top: unknown key/),
    });
  }
  expect(await lectern.ask('status.get')).toMatchObject({
    overall: 'unhealthy',
    config: { ok: false },
  });
});

test('L-075 names that are no workspace names are 15, 64 characters are accepted', async () => {
  const lectern = startLibrary();
  for (const name of ['-a', 'a-', '_a', 'a.b', '.', '..', 'x'.repeat(65), '', 'ä']) {
    await expect(lectern.ask('workspace.init', { name })).rejects.toMatchObject({ exitCode: 15 });
  }
  expect((await lectern.ask('workspace.init', { name: 'x'.repeat(64) })).name).toBe('x'.repeat(64));
});

test('a workspace name is always one safe path component', () => {
  fc.assert(
    fc.property(fc.string(), (name) => {
      if (isWorkspaceName(name)) expect(name).toMatch(/^[A-Za-z0-9][A-Za-z0-9_-]*$/);
    }),
  );
});

test('L-076 global is reserved, names are taken once, inheriting copies catalogs only', async () => {
  const lectern = startLibrary();
  await enrolOrchard(lectern);
  await expect(lectern.ask('workspace.init', { name: 'global' })).rejects.toMatchObject({
    exitCode: 15,
  });
  const made = await lectern.ask('workspace.init', { name: 'heir', inherit_global: true });
  expect(made).toMatchObject({ name: 'heir', catalogs_inherited: 1 });
  expect(made).not.toHaveProperty('bound');
  await expect(lectern.ask('workspace.init', { name: 'heir' })).rejects.toMatchObject({
    exitCode: 14,
  });
  expect(await lectern.ask('catalog.list', { workspace: 'heir' })).toMatchObject([
    { name: 'orchard' },
  ]);
  expect(await lectern.ask('plugin.list', { workspace: 'heir', enabled_only: true })).toEqual([]);
});

test('L-077 home and what is above it are not bound without force', async () => {
  const lectern = await startWith('site');
  for (const cwd of [lectern.home, '/']) {
    await expect(lectern.ask('workspace.use', { name: 'site' }, { cwd })).rejects.toMatchObject({
      exitCode: 2,
    });
  }
  expect(lectern.state.bindings.all()).toEqual([]);
  expect(existsSync('/.lectern')).toBe(false);
});

test('home is never bound where its marker would be the configuration', async () => {
  const lectern = await startWith('site');
  await expect(
    lectern.ask('workspace.use', { name: 'site', force: true }, { cwd: lectern.home }),
  ).rejects.toMatchObject({ exitCode: 2 });
  expect(existsSync(lectern.paths.config)).toBe(false);
});

test('L-078 rebinding changes the marker and the row, and says what it was', async () => {
  const lectern = await startWith('one', 'two');
  expect(await lectern.ask('workspace.use', { name: 'one' })).toEqual({
    workspace: 'one',
    project_root: lectern.cwd,
    created_marker: true,
    rebind_from: null,
  });
  const marker = join(lectern.cwd, '.lectern/config.toml');
  writeFileSync(marker, '# ours\nworkspace = "one"\nharnesses = ["codex"]\n');
  expect(await lectern.ask('workspace.use', { name: 'two' })).toMatchObject({
    created_marker: false,
    rebind_from: 'one',
  });
  expect(readFileSync(marker, 'utf8')).toBe('# ours\nworkspace = "two"\nharnesses = ["codex"]\n');
  expect(statSync(join(lectern.cwd, '.lectern')).mode & 0o777).toBe(0o700);
  expect(await resolved(lectern)).toEqual(['two', 'project_marker']);
});

test('use creates the workspace on request', async () => {
  const lectern = startLibrary();
  await expect(lectern.ask('workspace.use', { name: 'new' })).rejects.toMatchObject({
    exitCode: 13,
  });
  expect(await lectern.ask('workspace.use', { name: 'new', create: true })).toMatchObject({
    created: true,
  });
});

test('a marker is not written through a link that a project brings along', async () => {
  const lectern = await startWith('site');
  const outside = makeDirectory();
  symlinkSync(outside, join(lectern.cwd, '.lectern'));
  await expect(lectern.ask('workspace.use', { name: 'site' })).rejects.toMatchObject({
    exitCode: 7,
  });
  expect(existsSync(join(outside, 'config.toml'))).toBe(false);
});

test('L-080 a workspace with bound projects is kept, force takes the marker and leaves the rest', async () => {
  const lectern = await startWith('site');
  await lectern.ask('workspace.use', { name: 'site' });
  writeTree(lectern.cwd, { 'kept.txt': 'k' });
  await expect(lectern.ask('workspace.remove', { name: 'site' })).rejects.toMatchObject({
    exitCode: 16,
  });
  expect(await lectern.ask('workspace.remove', { name: 'site', force: true })).toMatchObject({
    removed: 'site',
    bound_projects_torn_down: 1,
  });
  expect(existsSync(join(lectern.cwd, '.lectern'))).toBe(false);
  expect(existsSync(join(lectern.cwd, 'kept.txt'))).toBe(true);
  await expect(lectern.ask('workspace.remove', { name: 'global' })).rejects.toMatchObject({
    exitCode: 15,
  });
  await expect(lectern.ask('workspace.remove', { name: 'nope' })).rejects.toMatchObject({
    exitCode: 13,
  });
});

test('removing a workspace deletes nothing behind a link that took the place of the marker', async () => {
  const lectern = await startWith('site');
  await lectern.ask('workspace.use', { name: 'site' });
  const outside = makeDirectory();
  writeTree(outside, { 'config.toml': 'mine = true\n' });
  rmSync(join(lectern.cwd, '.lectern'), { recursive: true });
  symlinkSync(outside, join(lectern.cwd, '.lectern'));
  const answer = await lectern.ask('workspace.remove', { name: 'site', force: true });
  expect(answer.orphaned_paths).toEqual([join(lectern.cwd, '.lectern/config.toml')]);
  expect(existsSync(join(outside, 'config.toml'))).toBe(true);
});

test('L-081 rename refuses what it must and keeps harnesses and plugin data', async () => {
  const lectern = await startWith('old', 'taken');
  await lectern.ask('workspace.use', { name: 'old' });
  const marker = join(lectern.cwd, '.lectern/config.toml');
  writeFileSync(marker, 'workspace = "old"\nharnesses = ["codex"]\n');
  writeTree(lectern.paths.workspaces, { 'old/plugin-data/c/p/x': 'data' });
  const rename = (old_name: string, new_name: string) =>
    lectern.ask('workspace.rename', { old_name, new_name });
  await expect(rename('old', 'old')).rejects.toMatchObject({ exitCode: 15 });
  await expect(rename('old', 'taken')).rejects.toMatchObject({ exitCode: 14 });
  await expect(rename('nope', 'new')).rejects.toMatchObject({ exitCode: 13 });
  await expect(rename('global', 'new')).rejects.toMatchObject({ exitCode: 15 });
  expect(await rename('old', 'new')).toMatchObject({ bound_projects_updated: 1 });
  expect(readFileSync(marker, 'utf8')).toBe('workspace = "new"\nharnesses = ["codex"]\n');
  expect(existsSync(join(lectern.paths.workspaces, 'new/plugin-data/c/p/x'))).toBe(true);
  rmSync(lectern.cwd, { recursive: true });
  await expect(rename('new', 'other')).rejects.toMatchObject({
    exitCode: 70,
    next: expect.stringMatching(/^mkdir .+ workspace remove new --force/),
  });
});

test('L-082 current is 12 under the global fallback, else it names the workspace', async () => {
  const lectern = await startWith('site');
  await expect(lectern.ask('workspace.current')).rejects.toMatchObject({ exitCode: 12 });
  await lectern.ask('workspace.use', { name: 'site' });
  expect(await lectern.ask('workspace.current')).toEqual({
    workspace: 'site',
    scope: 'workspace',
    source: 'project_marker',
    project_root: lectern.cwd,
  });
});

test('workspace list counts, and exactly one is current', async () => {
  const lectern = await startWith('b', 'a');
  await enrolOrchard(lectern);
  const rows = await lectern.ask('workspace.list', { workspace: 'b' });
  expect(rows.map((it: any) => [it.name, it.current])).toEqual([
    ['a', false],
    ['b', true],
    ['global', false],
  ]);
  expect(rows[2]).toMatchObject({ catalogs: 1, enabled_plugins: 1, indexed_skills: 4 });
});

test("workspace info counts a project's own folders to no workspace", async () => {
  const lectern = startLibrary();
  await enrolOrchard(lectern);
  writeTree(lectern.cwd, { '.claude/commands/fix.md': '---\ndescription: Fix.\n---\nDo it.\n' });
  const release = await lectern.library.holdProject(lectern.session);
  expect((await lectern.library.look(lectern.session)).view.catalogs).toHaveLength(2);
  expect(await lectern.ask('workspace.info')).toMatchObject({
    catalogs: 1,
    plugins_total: 1,
    plugins_enabled: 1,
  });
  release();
});

test('workspace info describes what is enrolled and enabled', async () => {
  const lectern = startLibrary();
  await enrolOrchard(lectern);
  expect(await lectern.ask('workspace.info', { details: true })).toMatchObject({
    name: 'global',
    scope: 'global',
    plugins_enabled: 1,
    enrolled_catalogs: [{ name: 'orchard', pinned_ref: 'main' }],
    enabled_plugins: [{ catalog: 'orchard', plugin: 'pruning', skill_count: 4 }],
    plugin_details: [{ plugin: 'pruning', version: '1.2.0' }],
  });
});
