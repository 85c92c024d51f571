import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { startLibrary, type TestLibrary } from './fixture.ts';

const CORPUS = resolve(import.meta.dirname, '../../../shared/corpus');
const isHere = existsSync(CORPUS);

beforeAll(() => {
  if (!isHere)
    console.warn(`SKIPPED: the corpus is not at ${CORPUS}; its tests prove nothing here`);
});

async function enrolCorpus(): Promise<TestLibrary> {
  const lectern = startLibrary();
  await lectern.ask('catalog.add', { source: CORPUS, name: 'corpus', enable: true });
  return lectern;
}

test.skipIf(!isHere)(
  'every entry of the corpus is loaded by its triple',
  { timeout: 120_000 },
  async () => {
    const lectern = await enrolCorpus();
    const { entries } = (await lectern.ask('catalog.list'))[0];
    expect(entries).toEqual({ found: 951, loaded: 951, dropped: 0 });
    const { plugins } = await lectern.library.listPlugins({}, lectern.session);
    const paths = new Set<string>();
    for (const { catalog, plugin, entries: listed } of plugins) {
      for (const { name, kind } of listed) {
        const answer = (await lectern.library.getSkill(
          { catalog, plugin, name, kind, metadata_only: true },
          lectern.session,
        )) as { path: string; kind: string };
        expect(answer.kind).toBe(kind);
        paths.add(answer.path);
      }
    }
    expect(paths.size).toBe(951);
  },
);

test.skipIf(!isHere)(
  'every prompt of the corpus has a name of its own and renders',
  { timeout: 120_000 },
  async () => {
    const lectern = await enrolCorpus();
    const prompts = await lectern.library.listPrompts(lectern.session);
    expect(new Set(prompts.map((it) => it.name)).size).toBe(prompts.length);
    for (const { name, arguments: takes } of prompts) {
      const supplied = takes?.some((it) => it.name === 'args') ? { args: 'x' } : {};
      const { messages } = await lectern.library.getPrompt(name, supplied, lectern.session);
      expect(messages[0]!.content.text).not.toBe('');
    }
  },
);

test.skipIf(!isHere)('a path below the corpus finds its entry', async () => {
  const lectern = await enrolCorpus();
  const { plugins } = await lectern.library.listPlugins({ kind: 'skill' }, lectern.session);
  const { catalog, plugin, entries } = plugins[0]!;
  const { path } = (await lectern.library.getSkill(
    { catalog, plugin, name: entries[0]!.name },
    lectern.session,
  )) as { path: string };
  expect(await lectern.library.getSkill({ uri: join(path, '..') }, lectern.session)).toMatchObject({
    path,
  });
});
