import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { eventually } from '../eventually.ts';
import { entryText, startLibrary, type TestLibrary, writeTree } from './fixture.ts';

const PLAN = { '.claude/skills/plan/SKILL.md': entryText({ name: 'plan', description: 'Plan.' }) };

afterEach(() => void vi.restoreAllMocks());

/** What a session has found out about its directory is found out anew. */
function forgetScopes(): void {
  const later = performance.now() + 60_000;
  vi.spyOn(performance, 'now').mockImplementation(() => later);
}

async function rootsInView(lectern: TestLibrary, cwd = lectern.cwd): Promise<string[]> {
  const { view } = await lectern.library.look({ ...lectern.session, cwd });
  return view.catalogs.map((catalog) => catalog.root);
}

test('a directory that becomes a project while its session lasts is read and held', async () => {
  const lectern = startLibrary();
  const letGo = await lectern.library.holdProject(lectern.session);
  expect(await rootsInView(lectern)).toEqual([]);
  writeTree(lectern.cwd, PLAN);
  forgetScopes();
  expect(await rootsInView(lectern)).toEqual([lectern.cwd]);
  letGo();
  await eventually(() => expect([...lectern.indexer.roots.keys()]).toEqual([]));
});

test('a project that comes to lie within the first takes its place', async () => {
  const lectern = startLibrary();
  writeTree(lectern.cwd, PLAN);
  const cwd = join(lectern.cwd, 'packages/site');
  mkdirSync(cwd, { recursive: true });
  const letGo = await lectern.library.holdProject({ ...lectern.session, cwd });
  expect(await rootsInView(lectern, cwd)).toEqual([lectern.cwd]);
  writeTree(cwd, PLAN);
  forgetScopes();
  expect(await rootsInView(lectern, cwd)).toEqual([cwd]);
  await eventually(() => expect([...lectern.indexer.roots.keys()]).toEqual([cwd]));
  letGo();
});

test('a directory that is no project any more is let go of, once', async () => {
  const lectern = startLibrary();
  writeTree(lectern.cwd, PLAN);
  const letGo = await lectern.library.holdProject(lectern.session);
  rmSync(join(lectern.cwd, '.claude'), { recursive: true });
  forgetScopes();
  await rootsInView(lectern);
  await eventually(() => expect([...lectern.indexer.roots.keys()]).toEqual([]));
  letGo();
  letGo();
});

test('a session that has ended holds nothing, whatever its directory becomes', async () => {
  const lectern = startLibrary();
  (await lectern.library.holdProject(lectern.session))();
  writeTree(lectern.cwd, PLAN);
  forgetScopes();
  expect(await rootsInView(lectern)).toEqual([]);
  expect([...lectern.indexer.roots.keys()]).toEqual([]);
});
