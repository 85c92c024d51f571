// biome-ignore-all lint/suspicious/noExplicitAny: answers are looked at by their JSON shape
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { LocatedSession } from '../../src/library/parts.ts';
import { enrolOrchard, makeDirectory, PRUNING, startLibrary, writeTree } from './fixture.ts';

test('L-144 status has a doctor only when asked, and asking changes nothing on disk', async () => {
  const lectern = startLibrary();
  await enrolOrchard(lectern);
  const status = (includeDoctor: boolean) =>
    lectern.library.status(lectern.session, { includeDoctor });
  expect(Object.keys(await status(false))).toEqual(['status']);
  const before = listTree(lectern.home);
  expect(Object.keys(await status(true))).toEqual(['status', 'doctor']);
  expect(listTree(lectern.home)).toEqual(before);
});

test('status has the members of the contract in their order', async () => {
  const lectern = startLibrary();
  await enrolOrchard(lectern);
  const status = await lectern.ask('status.get');
  expect(Object.keys(status).slice(0, 16)).toEqual([
    'lectern',
    'embedder',
    'reranker',
    'summariser',
    'index',
    'drift',
    'overall',
    'workspaces_total',
    'current_workspace',
    'current_scope',
    'entries',
    'catalogs_enrolled',
    'reindexed_at',
    'models_on_disk_bytes',
    'unrepresented_agents',
    'hook_translation_harnesses',
  ]);
  expect(status).toMatchObject({
    overall: 'ok',
    entries: { skills: 2, commands: 1, agents: 1 },
    catalogs_enrolled: 1,
  });
});

test('doctor says of a polled root why it is polled, and what helps against just that', async () => {
  const lectern = startLibrary();
  const polled = { root: '/srv/skills', reason: 'nfs tells nothing', remedy: 'lectern reindex' };
  lectern.indexer.polled.push(polled);
  const { doctor } = await lectern.library.status(lectern.session, { includeDoctor: true });
  expect((doctor as any).suggested_fixes).toContainEqual({
    subsystem: 'watcher',
    diagnosis: '/srv/skills is polled every few seconds: nfs tells nothing',
    command: 'lectern reindex',
    auto_fixable: false,
  });
});

test('while an enrolled catalog is still to be read, the verdict is degraded and says which', async () => {
  const lectern = startLibrary();
  await enrolOrchard(lectern);
  for (const root of [...lectern.indexer.roots.keys()]) await lectern.indexer.removeRoot(root);
  const status = await lectern.ask('status.get');
  expect(status.overall).toBe('degraded');
  expect(status.notes).toContainEqual(expect.stringContaining('"orchard" has not been read'));
});

test('a catalog that is still to be read is not called broken, and nobody is told to remove it', async () => {
  const lectern = startLibrary();
  await enrolOrchard(lectern);
  for (const root of [...lectern.indexer.roots.keys()]) await lectern.indexer.removeRoot(root);
  const report = await lectern.library.status(lectern.session, { includeDoctor: true });
  const doctor = report.doctor as any;
  expect(doctor.overall).toBe('degraded');
  expect(doctor.catalogs).toMatchObject([{ name: 'orchard', state: 'ok' }]);
  const fixes = doctor.suggested_fixes.filter((it: any) => it.subsystem === 'catalog:orchard');
  expect(fixes).toMatchObject([
    {
      diagnosis: expect.stringMatching(/has not been read yet$/),
      command: expect.stringContaining('lectern status'),
    },
  ]);
  expect(JSON.stringify(doctor.suggested_fixes)).not.toContain('catalog remove');
});

test('status says what was found, what was dropped and why', async () => {
  const lectern = startLibrary();
  await enrolOrchard(lectern, {
    pruning: { ...PRUNING, 'commands/giant.md': 'x'.repeat(256 * 1024 + 1) },
  });
  const status = await lectern.ask('status.get');
  expect(status.catalogs[0].entries).toEqual({ found: 5, loaded: 4, dropped: 1 });
  expect(status.problems).toContainEqual(
    expect.objectContaining({ severity: 'error', file: expect.stringContaining('giant.md') }),
  );
  const problems = await lectern.ask('problems.list', { catalog: 'orchard' });
  expect(problems).toContainEqual(
    expect.objectContaining({ catalog: 'orchard', file: expect.stringContaining('giant.md') }),
  );
  await expect(lectern.ask('problems.list', { catalog: 'no' })).rejects.toMatchObject({
    exitCode: 3,
  });
});

test('an unknown workspace is 13 for status', async () => {
  const lectern = startLibrary();
  await expect(lectern.ask('status.get', { workspace: 'nope' })).rejects.toMatchObject({
    exitCode: 13,
  });
});

test('without a model the verdict is degraded and search is said to be lexical', async () => {
  const lectern = startLibrary();
  lectern.search.model = () =>
    ({ name: null, version: null, state: 'missing', detail: 'not downloaded' }) as any;
  const status = await lectern.ask('status.get');
  expect(status.overall).toBe('degraded');
  expect(status.notes.join()).toContain('lexical');
});

function withHost(session: LocatedSession, harness: string | null): LocatedSession {
  return { ...session, harness };
}

test('L-145 an unknown skill id is told even when no host is known', async () => {
  const lectern = startLibrary();
  await expect(
    lectern.library.installMeta({ skill_id: 'nope' }, withHost(lectern.session, null)),
  ).rejects.toMatchObject({
    category: 'meta_skill_not_found',
    details: { extras: { skill_id: 'nope' } },
  });
});

test('L-146 no host, an unknown host and one without native skills are no_harness_detected', async () => {
  const lectern = startLibrary();
  const install = (harness: string | null) =>
    lectern.library.installMeta(
      { skill_id: 'convert-marketplace' },
      withHost(lectern.session, harness),
    );
  const none = await install(null).catch((error: any) => error);
  expect(none.category).toBe('no_harness_detected');
  expect(none.details.extras).toBeUndefined();
  for (const harness of ['nobody', 'zed']) {
    await expect(install(harness)).rejects.toMatchObject({
      category: 'no_harness_detected',
      details: { extras: { harness } },
    });
  }
});

test('L-147 on claude-code the skill is written with its revision', async () => {
  const lectern = startLibrary();
  const answer: any = await lectern.library.installMeta(
    { skill_id: 'convert-marketplace' },
    withHost(lectern.session, 'claude-code'),
  );
  const dir = join(lectern.cwd, '.claude/skills');
  expect(answer).toEqual({
    skill_id: 'convert-marketplace',
    installed_at: {
      harness: 'claude-code',
      scope: 'project',
      dir,
      revision: expect.stringMatching(/^[0-9a-f]{16}$/),
    },
  });
  const text = readFileSync(join(dir, 'convert-marketplace/SKILL.md'), 'utf8');
  expect(text).toContain(`tome_skill_revision: "${answer.installed_at.revision}"`);
  expect(text).toContain('add-tome-conversion-skill');
  expect(
    existsSync(join(dir, 'convert-marketplace/references/unsupported-component-rubric.md')),
  ).toBe(true);
  expect(readdirSync(dir)).toEqual(['convert-marketplace']);
});

test('installing again replaces the copy, global goes below home', async () => {
  const lectern = startLibrary();
  const session = withHost(lectern.session, 'opencode');
  const input = { skill_id: 'convert-marketplace', scope: 'global' } as const;
  await lectern.library.installMeta(input, session);
  const dir = join(lectern.home, '.config/opencode/skills');
  writeTree(dir, { 'convert-marketplace/old.md': 'old', 'mine/SKILL.md': 'mine' });
  const answer: any = await lectern.library.installMeta(input, session);
  expect(answer.installed_at.dir).toBe(dir);
  expect(existsSync(join(dir, 'convert-marketplace/old.md'))).toBe(false);
  expect(existsSync(join(dir, 'mine/SKILL.md'))).toBe(true);
});

test('L-148 a skills directory behind a link is refused and nothing is written', async () => {
  const lectern = startLibrary();
  const outside = makeDirectory();
  mkdirSync(join(lectern.cwd, '.claude'));
  symlinkSync(outside, join(lectern.cwd, '.claude/skills'));
  await expect(
    lectern.library.installMeta(
      { skill_id: 'convert-marketplace' },
      withHost(lectern.session, 'claude-code'),
    ),
  ).rejects.toMatchObject({ category: 'meta_install_failed' });
  expect(readdirSync(outside)).toEqual([]);
});

/** Every file with its size, the database's own bookkeeping left out. */
function listTree(root: string): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => !/\.db-(wal|shm)$/.test(path))
    .map((path) => `${path} ${statSync(join(root, path)).size}`)
    .sort();
}
