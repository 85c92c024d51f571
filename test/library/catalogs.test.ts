// biome-ignore-all lint/suspicious/noExplicitAny: answers are looked at by their JSON shape
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { systemGit } from '../../src/catalog/git.ts';
import { LecternError } from '../../src/core/errors.ts';
import {
  enrolOrchard,
  entryText,
  makeDirectory,
  PRUNING,
  startLibrary,
  type TestLibrary,
  writeCatalog,
  writeTree,
} from './fixture.ts';

/** A git repository that holds an orchard catalog with one commit on `main`. */
function makeRepository(
  plugins: Parameters<typeof writeCatalog>[2] = { pruning: PRUNING },
): string {
  const root = join(makeDirectory(), 'orchard-source');
  writeCatalog(root, 'orchard', plugins);
  git(root, 'init', '--quiet', '--initial-branch=main');
  commit(root, 'first');
  return root;
}

function git(root: string, ...args: string[]): string {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.org'];
  return execFileSync('git', ['-C', root, ...identity, ...args], { encoding: 'utf8' }).trim();
}

function commit(root: string, message: string): string {
  git(root, 'add', '-A');
  git(root, 'commit', '--quiet', '-m', message);
  return git(root, 'rev-parse', 'HEAD');
}

function startWithGit(): TestLibrary {
  return startLibrary({ git: systemGit });
}

function clones(lectern: TestLibrary): string[] {
  return existsSync(lectern.paths.catalogs) ? readdirSync(lectern.paths.catalogs) : [];
}

test('L-035 a relative path is stored as a canonical file URL', async () => {
  const lectern = startLibrary();
  const real = join(lectern.home, 'real');
  writeCatalog(real, 'orchard', { pruning: PRUNING });
  symlinkSync(real, join(lectern.cwd, 'linked'));
  const { added, in_place } = await lectern.ask('catalog.add', { source: './linked' });
  expect(added).toMatchObject({ name: 'orchard', url: `file://${real}`, plugin_count: 1 });
  expect(in_place).toBe(true);
});

test('adding says how many entries were found and loaded, and enables nothing unasked', async () => {
  const lectern = startLibrary();
  const root = join(lectern.home, 'c');
  writeCatalog(root, 'orchard', { pruning: PRUNING });
  const answer = await lectern.ask('catalog.add', { source: root });
  expect(answer).toMatchObject({
    format: 'tome',
    entries: { found: 4, loaded: 4, dropped: 0 },
    problems: [],
    enabled: [],
  });
  expect(Object.keys(answer.added)).toEqual(['name', 'url', 'ref', 'plugin_count', 'last_synced']);
  expect((await lectern.library.listPlugins({}, lectern.session)).plugins).toEqual([]);
});

test('enable at once makes what was added findable in one command', async () => {
  const lectern = startLibrary();
  const root = join(lectern.home, 'skills-of-mine');
  writeTree(root, {
    'skills/sow/SKILL.md': entryText({ name: 'sow', description: 'Sow seeds.' }),
  });
  const answer = await lectern.ask('catalog.add', { source: root, enable: true });
  expect(answer.added.name).toBe('skills-of-mine');
  expect(answer.enabled).toMatchObject([{ status: 'enabled', skills_indexed: 1 }]);
  const found = await lectern.library.searchSkills({ query: 'sow' }, lectern.session);
  expect(found.matches[0]).toMatchObject({ catalog: 'skills-of-mine', name: 'sow' });
});

test('L-037 a display name that is taken fails and leaves nothing', async () => {
  const lectern = startWithGit();
  await enrolOrchard(lectern);
  const source = `file://${makeRepository()}`;
  await expect(lectern.ask('catalog.add', { source })).rejects.toMatchObject({
    category: 'catalog_already_exists',
  });
  expect(clones(lectern)).toEqual([]);
  expect(lectern.indexer.roots.size).toBe(1);
});

test('the same directory twice is refused, under another name it is taken', async () => {
  const lectern = startLibrary();
  const root = await enrolOrchard(lectern);
  await expect(lectern.ask('catalog.add', { source: root })).rejects.toMatchObject({
    category: 'catalog_already_exists',
  });
  expect((await lectern.ask('catalog.add', { source: root, name: 'again' })).added.name).toBe(
    'again',
  );
});

test('a name derived from a folder is made unique', async () => {
  const lectern = startLibrary();
  for (const parent of ['a', 'b']) {
    const root = join(lectern.home, parent, 'skills-pack');
    writeTree(root, {
      'skills/x/SKILL.md': entryText({ name: `x-${parent}`, description: 'X.' }),
    });
    await lectern.ask('catalog.add', { source: root });
  }
  const rows = await lectern.ask('catalog.list');
  expect(rows.map((it: any) => it.name)).toEqual(['skills-pack', 'skills-pack-2']);
});

test('L-012 a display name that no id could hold is usage', async () => {
  const lectern = startLibrary();
  const root = join(lectern.home, 'c');
  writeCatalog(root, 'orchard', {});
  for (const name of ['a/b', '..', '.hidden', '', 'project']) {
    await expect(lectern.ask('catalog.add', { source: root, name })).rejects.toMatchObject({
      category: 'usage',
    });
  }
});

test('L-038 one URL in two workspaces is one clone, which goes with the last enrolment', async () => {
  const lectern = startWithGit();
  const source = `file://${makeRepository()}`;
  await lectern.ask('workspace.init', { name: 'other' });
  await lectern.ask('catalog.add', { source });
  await lectern.ask('catalog.add', { source, workspace: 'other' });
  expect(clones(lectern)).toHaveLength(1);
  await lectern.ask('catalog.remove', { name: 'orchard' });
  expect(clones(lectern)).toHaveLength(1);
  const { deleted } = await lectern.ask('catalog.remove', { name: 'orchard', workspace: 'other' });
  expect(deleted).toBe(true);
  expect(clones(lectern)).toEqual([]);
  expect(lectern.indexer.roots.size).toBe(0);
});

test('another ref of one URL is a clone of its own', async () => {
  const lectern = startWithGit();
  const repository = makeRepository();
  git(repository, 'branch', 'next');
  const source = `file://${repository}`;
  await lectern.ask('catalog.add', { source });
  await lectern.ask('catalog.add', { source, name: 'next', ref: 'next' });
  expect(clones(lectern)).toHaveLength(2);
});

test('L-039 a clone whose manifest is invalid leaves neither clone nor rows', async () => {
  const lectern = startWithGit();
  const repository = makeRepository();
  writeTree(repository, { 'tome-catalog.toml': 'surprise = 1\n' });
  commit(repository, 'break it');
  await expect(
    lectern.ask('catalog.add', { source: `file://${repository}` }),
  ).rejects.toMatchObject({ category: 'manifest_invalid' });
  expect(clones(lectern)).toEqual([]);
  expect(await lectern.ask('catalog.list')).toEqual([]);
  expect(lectern.indexer.roots.size).toBe(0);
});

test('L-040 the answer echoes ref and commit', async () => {
  const lectern = startWithGit();
  const repository = makeRepository();
  const head = git(repository, 'rev-parse', 'HEAD');
  git(repository, 'tag', 'v1');
  const { added } = await lectern.ask('catalog.add', { source: `file://${repository}`, ref: 'v1' });
  expect(added).toMatchObject({ ref: 'v1', commit: head });
});

test('a ref for a directory is refused with the way to get a clone', async () => {
  const lectern = startLibrary();
  const root = join(lectern.home, 'c');
  writeCatalog(root, 'orchard', {});
  await expect(lectern.ask('catalog.add', { source: root, ref: 'v1' })).rejects.toMatchObject({
    category: 'usage',
    next: `lectern catalog add file://${root} --ref v1`,
  });
});

test('the home directory and what holds it are not enrolled', async () => {
  const lectern = startLibrary();
  for (const source of [lectern.home, '/']) {
    await expect(lectern.ask('catalog.add', { source })).rejects.toMatchObject({
      category: 'usage',
    });
  }
});

test('a directory that does not exist is io', async () => {
  const lectern = startLibrary();
  await expect(lectern.ask('catalog.add', { source: './nowhere' })).rejects.toMatchObject({
    category: 'io',
  });
});

test('L-041 catalog.list is sorted, and empty without catalogs', async () => {
  const lectern = startLibrary();
  expect(await lectern.ask('catalog.list')).toEqual([]);
  for (const name of ['b', 'a']) await enrolOrchard(lectern, {}, { name, enable: false });
  const rows = await lectern.ask('catalog.list');
  expect(rows.map((it: any) => it.name)).toEqual(['a', 'b']);
  expect(Object.keys(rows[0]).slice(0, 5)).toEqual([
    'name',
    'url',
    'ref',
    'plugin_count',
    'last_synced',
  ]);
});

test('L-042 catalog.show of an unknown name is 3, of a directory that is gone 7', async () => {
  const lectern = startLibrary();
  const root = await enrolOrchard(lectern);
  expect(await lectern.ask('catalog.show', { name: 'orchard' })).toMatchObject({
    name: 'orchard',
    description: 'The catalog orchard',
    version: '1.0.0',
    owner: { name: 'Owner', email: 'owner@example.org' },
    plugins: [{ name: 'pruning', source: 'plugins/pruning' }],
  });
  await expect(lectern.ask('catalog.show', { name: 'no' })).rejects.toMatchObject({ exitCode: 3 });
  rmSync(root, { recursive: true });
  await expect(lectern.ask('catalog.show', { name: 'orchard' })).rejects.toMatchObject({
    exitCode: 7,
  });
});

test('L-044 enabled plugins keep a catalog, force disables and removes', async () => {
  const lectern = startLibrary();
  const root = await enrolOrchard(lectern);
  await expect(lectern.ask('catalog.remove', { name: 'orchard' })).rejects.toMatchObject({
    exitCode: 53,
    message: expect.stringContaining('orchard/pruning'),
  });
  const answer = await lectern.ask('catalog.remove', { name: 'orchard', force: true });
  expect(answer.removed).toMatchObject({
    name: 'orchard',
    cascade: [{ plugin: 'pruning', skills_dropped: 4 }],
  });
  expect(await lectern.ask('catalog.list')).toEqual([]);
  expect(existsSync(join(root, 'tome-catalog.toml'))).toBe(true);
});

test('a directory that was read in place survives its removal', async () => {
  const lectern = startLibrary();
  const root = await enrolOrchard(lectern, { pruning: PRUNING }, { enable: false });
  const answer = await lectern.ask('catalog.remove', { name: 'orchard' });
  expect(answer.deleted).toBe(false);
  expect(existsSync(root)).toBe(true);
});

test('a dry run of remove checks and removes nothing', async () => {
  const lectern = startLibrary();
  await enrolOrchard(lectern, { pruning: PRUNING }, { enable: false });
  expect(await lectern.ask('catalog.remove', { name: 'orchard', dry_run: true })).toMatchObject({
    deleted: false,
    dry_run: true,
  });
  expect(await lectern.ask('catalog.list')).toHaveLength(1);
});

test('L-045 remove succeeds when the clone is gone already', async () => {
  const lectern = startWithGit();
  const repository = makeRepository();
  await lectern.ask('catalog.add', { source: `file://${repository}` });
  rmSync(lectern.paths.catalogs, { recursive: true });
  await lectern.ask('catalog.remove', { name: 'orchard' });
  expect(await lectern.ask('catalog.list')).toEqual([]);
});

test('L-046 a catalog pinned to a commit is reported and not fetched', async () => {
  const lectern = startWithGit();
  const repository = makeRepository();
  const head = git(repository, 'rev-parse', 'HEAD');
  git(repository, 'config', 'uploadpack.allowAnySHA1InWant', 'true');
  await lectern.ask('catalog.add', { source: `file://${repository}`, ref: head });
  rmSync(repository, { recursive: true });
  expect(await lectern.ask('catalog.update', { name: 'orchard' })).toEqual({
    records: [{ pinned: { name: 'orchard', ref: head } }],
    failures: [],
    in_place: [],
  });
});

test('L-047 update reports what changed in each enabled plugin', async () => {
  const lectern = startWithGit();
  const repository = makeRepository();
  await lectern.ask('catalog.add', { source: `file://${repository}`, enable: true });
  writeTree(repository, {
    'plugins/pruning/skills/graft-audit/SKILL.md': entryText({
      name: 'graft-audit',
      description: 'Audit grafts anew.',
    }),
    'plugins/pruning/skills/new/SKILL.md': entryText({ name: 'new', description: 'New.' }),
    'plugins/pruning/commands/prune-tree.md': entryText(
      { name: 'prune-tree', description: 'Prune one tree safely.' },
      'Only the body changed.\n',
    ),
  });
  rmSync(join(repository, 'plugins/pruning/agents/gardener.md'));
  commit(repository, 'second');
  const { records, failures } = await lectern.ask('catalog.update', { name: 'orchard' });
  expect(failures).toEqual([]);
  expect(records).toEqual([
    {
      refreshed: {
        name: 'orchard',
        ref: 'main',
        plugin_count: 1,
        advanced_commits: 1,
        last_synced: expect.any(String),
      },
    },
    {
      plugin_change: {
        catalog: 'orchard',
        plugin: 'pruning',
        skills_added: 1,
        skills_modified: 1,
        skills_removed: 1,
        skills_unchanged: 2,
      },
    },
  ]);
});

test('L-048 update disables a plugin that is gone, in every workspace', async () => {
  const lectern = startWithGit();
  const repository = makeRepository({ pruning: PRUNING, grafting: PRUNING });
  const source = `file://${repository}`;
  await lectern.ask('workspace.init', { name: 'other' });
  await lectern.ask('catalog.add', { source, enable: true });
  await lectern.ask('catalog.add', { source, enable: true, workspace: 'other' });
  rmSync(join(repository, 'plugins/grafting'), { recursive: true });
  writeCatalog(repository, 'orchard', { pruning: PRUNING });
  commit(repository, 'drop grafting');
  const { records } = await lectern.ask('catalog.update', {});
  expect(records).toContainEqual({
    plugin_change: {
      catalog: 'orchard',
      plugin: 'grafting',
      auto_disabled_reason: expect.any(String),
    },
  });
  for (const workspace of lectern.state.workspaces.all()) {
    expect(lectern.state.enablement.pluginsOf(workspace.id).map((it) => it.plugin)).toEqual([
      'pruning',
    ]);
  }
});

test('update of a directory reads it again and leaves its files alone', async () => {
  const lectern = startWithGit();
  const repository = makeRepository();
  await lectern.ask('catalog.add', { source: repository, enable: true });
  writeTree(repository, {
    'plugins/pruning/skills/mine/SKILL.md': entryText({
      name: 'mine',
      description: 'Not committed.',
    }),
  });
  await lectern.ask('catalog.update', { name: 'orchard' });
  expect(existsSync(join(repository, 'plugins/pruning/skills/mine/SKILL.md'))).toBe(true);
  expect((await lectern.library.getSkill({ uri: 'mine' }, lectern.session)) as any).toMatchObject({
    name: 'mine',
  });
});

test('update makes a clone again that is gone', async () => {
  const lectern = startWithGit();
  const repository = makeRepository();
  await lectern.ask('catalog.add', { source: `file://${repository}`, enable: true });
  rmSync(lectern.paths.catalogs, { recursive: true });
  const { records, failures } = await lectern.ask('catalog.update', { name: 'orchard' });
  expect(failures).toEqual([]);
  expect(records[0].refreshed).toMatchObject({ advanced_commits: null, plugin_count: 1 });
  expect(await lectern.library.getSkill({ uri: 'graft-plan' }, lectern.session)).toMatchObject({
    name: 'graft-plan',
  });
});

test('an index that was made anew gets back what is enrolled, and loses what is not', async () => {
  const lectern = startLibrary();
  const root = await enrolOrchard(lectern);
  const stray = join(lectern.home, 'stray');
  writeTree(stray, { 'skills/s/SKILL.md': entryText({ name: 's', description: 'S.' }) });
  await lectern.indexer.removeRoot(root);
  await lectern.indexer.addRoot({ root: stray, kind: 'catalog' });
  await lectern.library.reconcile();
  expect([...lectern.indexer.roots.keys()]).toEqual([root]);
  expect(await lectern.library.getSkill({ uri: 'graft-plan' }, lectern.session)).toMatchObject({
    name: 'graft-plan',
  });
});

test('one catalog that cannot be fetched does not keep the others from it', async () => {
  const lectern = startWithGit();
  const gone = makeRepository();
  await lectern.ask('catalog.add', { source: `file://${gone}`, name: 'a-gone' });
  rmSync(gone, { recursive: true });
  await enrolOrchard(lectern, {}, { name: 'here' });
  const { records, failures } = await lectern.ask('catalog.update', {});
  expect(failures).toMatchObject([{ subject: 'a-gone', exit_code: 6, retryable: true }]);
  expect(records).toMatchObject([{ refreshed: { name: 'here' } }]);
});

test('L-036 credentials are neither stored nor shown', async () => {
  const asked: string[] = [];
  const lectern = startLibrary({
    git: {
      ...systemGit,
      clone: async (url, _ref, directory) => {
        asked.push(url);
        writeCatalog(directory, 'orchard', { pruning: PRUNING });
        return { branch: 'main', commit: null };
      },
    },
  });
  const { added } = await lectern.ask('catalog.add', {
    source: 'https://user:secret@host.example/x',
  });
  expect(asked).toEqual(['https://user:secret@host.example/x']);
  expect(added.url).toBe('https://host.example/x');
  expect(JSON.stringify(await lectern.ask('state.export'))).not.toContain('secret');
});

test('L-143 list_catalogs has ref, is sorted, and omits last_synced of what is gone', async () => {
  const lectern = startLibrary();
  const root = await enrolOrchard(lectern, {}, { name: 'b', enable: false });
  const other = await enrolOrchard(lectern, {}, { name: 'a', enable: false });
  utimesSync(other, 1_767_603_600, 1_767_603_600);
  rmSync(root, { recursive: true });
  expect(await lectern.library.listCatalogs(lectern.session)).toEqual({
    workspace: 'global',
    catalogs: [
      {
        name: 'a',
        url: `file://${other}`,
        ref: 'main',
        plugin_count: 0,
        last_synced: '2026-01-05T09:00:00Z',
      },
      { name: 'b', url: `file://${root}`, ref: 'main', plugin_count: 0 },
    ],
  });
});

test('L-039 a directory without manifest and entries is no catalog, and nothing of it stays', async () => {
  const lectern = startLibrary();
  const root = join(lectern.home, 'photos');
  writeTree(root, { 'readme.txt': 'holidays' });
  await expect(lectern.ask('catalog.add', { source: root })).rejects.toMatchObject({
    category: 'manifest_invalid',
    exitCode: 5,
    message: expect.stringContaining(root),
    next: expect.stringContaining('skills/'),
  });
  expect(await lectern.ask('catalog.list')).toEqual([]);
  expect(lectern.indexer.roots.size).toBe(0);
});

test('an empty repository is no catalog, and its clone goes', async () => {
  const lectern = startWithGit();
  const root = makeDirectory();
  git(root, 'init', '--quiet', '--bare');
  await expect(lectern.ask('catalog.add', { source: `file://${root}` })).rejects.toMatchObject({
    category: 'manifest_invalid',
  });
  expect(clones(lectern)).toEqual([]);
});

test('the state root, what it holds and what holds it are no catalogs', async () => {
  const lectern = startLibrary();
  const { root, catalogs } = lectern.paths;
  writeTree(root, { 'catalogs/x/SKILL.md': entryText({ name: 'x', description: 'X.' }) });
  for (const source of [root, catalogs, join(root, '..')]) {
    await expect(lectern.ask('catalog.add', { source })).rejects.toMatchObject({
      category: 'usage',
    });
  }
});

test('owner/repo that is also a path here is cloned, and the failure names the path form', async () => {
  const clone = () => Promise.reject(new LecternError('git_failed', 'no network'));
  const lectern = startLibrary({ git: { ...systemGit, clone } });
  writeTree(join(lectern.cwd, 'mine/skills'), {
    'x/SKILL.md': entryText({ name: 'x', description: 'X.' }),
  });
  await expect(lectern.ask('catalog.add', { source: 'mine/skills' })).rejects.toMatchObject({
    category: 'git_failed',
    next: 'lectern catalog add ./mine/skills',
  });
});

test('a directory that a file replaced is missing in catalog.list', async () => {
  const lectern = startLibrary();
  const root = await enrolOrchard(lectern);
  rmSync(root, { recursive: true });
  writeTree(join(root, '..'), { [basename(root)]: 'a file' });
  const [row] = await lectern.ask('catalog.list');
  expect(row.last_synced).toBeUndefined();
});

test('a source that is neither a repository nor a directory is told in words', async () => {
  const lectern = startLibrary();
  const add = (source: string) =>
    lectern.ask('catalog.add', { source }).catch((caught: Error) => caught);
  expect(await add('/no/such/place')).toMatchObject({
    category: 'io',
    message: 'no such directory: /no/such/place',
  });
  expect(await add('gh:foo')).toMatchObject({
    category: 'io',
    message: '"gh:foo" is not of the form gh:OWNER/REPO, and no directory of that name is here',
    next: 'lectern catalog add gh:OWNER/REPO',
  });
});
