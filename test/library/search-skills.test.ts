import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { truncate } from '../../src/library/search-skills.ts';
import { enrolOrchard, entryText, PRUNING, startLibrary, type TestLibrary } from './fixture.ts';

async function startOrchard(): Promise<TestLibrary> {
  const lectern = startLibrary();
  await enrolOrchard(lectern);
  return lectern;
}

/** A plugin with that many skills, `skill-0` first. */
function manySkills(count: number, word = 'skill'): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => [
      `skills/${word}-${at}/SKILL.md`,
      entryText({ name: `${word}-${at}`, description: `The ${word} of number ${at}.` }),
    ]),
  );
}

function failsWith(code: string, extras: object = {}) {
  return expect.objectContaining({
    details: expect.objectContaining({
      code,
      ...(Object.keys(extras).length > 0 ? { extras } : {}),
    }),
  });
}

const bare = expect.objectContaining({ details: expect.objectContaining({ bare: true }) });

test('L-084 top_k is 10, the configuration overrides it, a call overrides that', async () => {
  const lectern = startLibrary();
  await enrolOrchard(lectern, { many: manySkills(12) });
  const ask = (top_k?: number) =>
    lectern.library.searchSkills({ query: 'skill', top_k }, lectern.session);
  expect((await ask()).matches).toHaveLength(10);
  writeFileSync(lectern.paths.config, '[query]\ntop_k = 4\n');
  expect((await ask()).matches).toHaveLength(4);
  expect((await ask(7)).matches).toHaveLength(7);
});

test('L-085 top_k outside 1 to 100 fails without data, configured values too', async () => {
  const lectern = await startOrchard();
  const ask = (top_k?: number) =>
    lectern.library.searchSkills({ query: 'tree', top_k }, lectern.session);
  await expect(ask(0)).rejects.toEqual(bare);
  await expect(ask(101)).rejects.toEqual(bare);
  expect((await ask(1)).matches).toHaveLength(1);
  expect((await ask(100)).matches).toHaveLength(3);
  writeFileSync(lectern.paths.config, '[query]\ntop_k = 101\n');
  await expect(ask()).rejects.toEqual(bare);
  await expect(ask()).rejects.toThrow('query.top_k of config.toml must be between 1 and 100');
});

test('L-086 a blank query fails without data', async () => {
  const lectern = await startOrchard();
  await expect(lectern.library.searchSkills({ query: ' \n\t' }, lectern.session)).rejects.toEqual(
    bare,
  );
});

test('L-087 a query of 4096 characters passes and one of 4097 does not', async () => {
  const lectern = await startOrchard();
  const ask = (query: string) => lectern.library.searchSkills({ query }, lectern.session);
  await ask('x'.repeat(4096));
  await ask('🌳'.repeat(4096));
  await expect(ask('x'.repeat(4097))).rejects.toEqual(
    failsWith('query_too_long', { max_chars: 4096 }),
  );
  await expect(ask('🌳'.repeat(4097))).rejects.toEqual(failsWith('query_too_long'));
});

test('L-088 a plugin without a catalog is refused', async () => {
  const lectern = await startOrchard();
  await expect(
    lectern.library.searchSkills({ query: 'x', plugin: 'pruning' }, lectern.session),
  ).rejects.toEqual(failsWith('plugin_without_catalog'));
});

test('L-089 a catalog that is not enrolled is named in the data', async () => {
  const lectern = await startOrchard();
  await expect(
    lectern.library.searchSkills({ query: 'x', catalog: 'orchid' }, lectern.session),
  ).rejects.toEqual(failsWith('unknown_catalog', { catalog: 'orchid' }));
});

test('L-090 an undeclared plugin fails, a declared but disabled one yields nothing', async () => {
  const lectern = startLibrary();
  await enrolOrchard(lectern, { pruning: PRUNING, grafting: manySkills(1) }, { enable: false });
  await lectern.ask('plugin.enable', { tokens: ['orchard/pruning'] });
  const ask = (plugin: string) =>
    lectern.library.searchSkills({ query: 'tree', catalog: 'orchard', plugin }, lectern.session);
  await expect(ask('nope')).rejects.toEqual(
    failsWith('unknown_plugin', { catalog: 'orchard', plugin: 'nope' }),
  );
  expect(await ask('grafting')).toMatchObject({ matches: [], no_results_reason: 'no_match' });
});

test('L-091 kind returns only that kind', async () => {
  const lectern = await startOrchard();
  const kinds = async (kind: 'skill' | 'command' | 'agent') =>
    (await lectern.library.searchSkills({ query: 'tree', kind }, lectern.session)).matches.map(
      (it) => it.kind,
    );
  expect(await kinds('command')).toEqual(['command']);
  expect(await kinds('skill')).toEqual(['skill', 'skill']);
  expect(await kinds('agent')).toEqual(['agent']);
});

test('L-032 agents are no part of a search without a kind, unless search.kinds says so', async () => {
  const lectern = await startOrchard();
  const ask = () => lectern.library.searchSkills({ query: 'orchard' }, lectern.session);
  const before = await ask();
  expect(before.matches.map((it) => it.kind)).not.toContain('agent');
  expect(before.corpus_size).toBe(3);
  writeFileSync(lectern.paths.config, '[search]\nkinds = ["skill", "command", "agent"]\n');
  const after = await ask();
  expect(after.matches.map((it) => it.kind)).toContain('agent');
  expect(after.corpus_size).toBe(4);
});

test('L-092 filters apply before the limit', async () => {
  const lectern = startLibrary();
  await enrolOrchard(lectern, {
    many: manySkills(30, 'prune'),
    few: { 'commands/other.md': entryText({ name: 'other', description: 'Something else.' }) },
  });
  const answer = await lectern.library.searchSkills(
    { query: 'prune', top_k: 2, kind: 'command' },
    lectern.session,
  );
  expect(answer.matches.map((it) => it.name)).toEqual(['other']);
});

test('L-093 a floor under every score keeps all, one above every score keeps none', async () => {
  const lectern = await startOrchard();
  const ask = (min_score: number) =>
    lectern.library.searchSkills({ query: 'graft', min_score }, lectern.session);
  expect((await ask(-5)).matches).toHaveLength(3);
  expect(await ask(5)).toMatchObject({ matches: [], no_results_reason: 'no_match' });
});

test('a score is shown with four decimals, and a floor is compared with what is shown', async () => {
  const lectern = await startOrchard();
  const { matches } = await lectern.library.searchSkills({ query: 'graft' }, lectern.session);
  const { name } = matches[0]!;
  lectern.search.scores.set(name, 6.3021057845717645e-9);
  const ask = (min_score?: number) =>
    lectern.library.searchSkills({ query: 'graft', min_score }, lectern.session);
  const shown = (await ask()).matches.find((it) => it.name === name);
  expect(shown?.score).toBe(0);
  lectern.search.scores.set(name, 0.49996);
  expect((await ask(0.5)).matches).toContainEqual(expect.objectContaining({ name, score: 0.5 }));
});

test('L-094 a floor beyond 32-bit floats is refused', async () => {
  const lectern = await startOrchard();
  for (const min_score of [Number.NaN, Number.POSITIVE_INFINITY, 1e39]) {
    await expect(
      lectern.library.searchSkills({ query: 'graft', min_score }, lectern.session),
    ).rejects.toEqual(failsWith('invalid_min_score'));
  }
});

test('L-095 without a floor nothing is removed, however low it scores', async () => {
  const lectern = await startOrchard();
  for (const name of ['graft-plan', 'graft-audit', 'prune-tree'])
    lectern.search.scores.set(name, -3);
  const answer = await lectern.library.searchSkills({ query: 'x' }, lectern.session);
  expect(answer.matches).toHaveLength(3);
});

test('L-096 the floor is applied after the cut to top_k', async () => {
  const lectern = await startOrchard();
  lectern.search.scores.set('graft-plan', 0.4).set('graft-audit', 0.9).set('prune-tree', 0.8);
  const answer = await lectern.library.searchSkills(
    { query: 'x', top_k: 2, min_score: 0.85 },
    lectern.session,
  );
  expect(answer.matches.map((it) => it.name)).toEqual(['graft-audit']);
});

test('L-096 scores are compared as 32-bit floats', async () => {
  const lectern = await startOrchard();
  lectern.search.scores.set('graft-plan', Math.fround(0.7));
  const answer = await lectern.library.searchSkills(
    { query: 'x', min_score: 0.7 },
    lectern.session,
  );
  expect(answer.matches.map((it) => it.name)).toContain('graft-plan');
});

test('L-097 rerank of the call and of the configuration reach the ranking', async () => {
  const lectern = await startOrchard();
  const scoring = async (rerank?: boolean) =>
    (await lectern.library.searchSkills({ query: 'graft', rerank }, lectern.session)).scoring;
  expect(await scoring(false)).toBe('embedding-similarity');
  expect(await scoring(true)).toBe('reranked');
  expect(await scoring()).toBe('reranked');
  writeFileSync(lectern.paths.config, '[query]\nrerank = false\n');
  expect(await scoring()).toBe('embedding-similarity');
});

test('L-098 without a model a search needs none: it is lexical and says so', async () => {
  const lectern = await startOrchard();
  lectern.search.answer = { scoring: 'lexical', relevance: null, degraded: 'no model' };
  const answer = await lectern.library.searchSkills({ query: 'graft' }, lectern.session);
  expect(Object.keys(answer)).toEqual(['matches', 'corpus_size', 'scoring', 'degraded']);
  expect(answer).toMatchObject({ scoring: 'lexical', degraded: 'no model' });
});

test('L-058 enabling needs no model', async () => {
  const lectern = startLibrary();
  lectern.search.model = () => ({ name: null, version: null, state: 'missing', detail: null });
  await enrolOrchard(lectern, { pruning: PRUNING }, { enable: false });
  expect((await lectern.ask('plugin.enable', { tokens: ['pruning'] })).changed).toHaveLength(1);
});

test('L-100 corpus_size and scoring are in every answer', async () => {
  const lectern = startLibrary();
  expect(await lectern.library.searchSkills({ query: 'x' }, lectern.session)).toMatchObject({
    corpus_size: 0,
    scoring: 'reranked',
  });
});

test('L-101 corpus_size counts the scope, not the filter', async () => {
  const lectern = startLibrary();
  await enrolOrchard(lectern, {
    pruning: {
      ...PRUNING,
      'skills/hidden/SKILL.md': entryText({
        name: 'hidden',
        description: 'Not for search.',
        'disable-model-invocation': true,
      }),
    },
  });
  const answer = await lectern.library.searchSkills(
    { query: 'prune a tree', kind: 'command' },
    lectern.session,
  );
  expect(answer.corpus_size).toBe(3);
});

test('L-026 an entry hidden from the model is loaded but not found', async () => {
  const lectern = startLibrary();
  await enrolOrchard(lectern, {
    pruning: {
      'skills/hidden/SKILL.md': entryText({
        name: 'hidden',
        description: 'Hidden.',
        'disable-model-invocation': true,
      }),
    },
  });
  expect(
    (await lectern.library.searchSkills({ query: 'hidden' }, lectern.session)).matches,
  ).toEqual([]);
  expect(await lectern.library.getSkill({ uri: 'hidden' }, lectern.session)).toMatchObject({
    name: 'hidden',
  });
});

test('L-102 a catalog that is still to be read is not to be enrolled again', async () => {
  const lectern = startLibrary();
  await enrolOrchard(lectern);
  const ask = () => lectern.library.searchSkills({ query: 'graft' }, lectern.session);
  for (const root of [...lectern.indexer.roots.keys()]) await lectern.indexer.removeRoot(root);
  const unread = await ask();
  expect(unread).toMatchObject({ corpus_size: 0, no_results_reason: 'index_empty' });
  expect(unread.hint).toContain('still to be read');
  expect(unread.hint).not.toContain('catalog add');
  const floored = await lectern.library.searchSkills(
    { query: 'graft', min_score: 0.5 },
    lectern.session,
  );
  expect(floored.hint).toBe(unread.hint);
});

test('an answer names what it was searched without: catalogs in use that are still to be read', async () => {
  const lectern = startLibrary();
  await enrolOrchard(lectern);
  const shed = await enrolOrchard(lectern, { saws: PRUNING }, { name: 'shed' });
  const attic = await enrolOrchard(lectern, { axes: PRUNING }, { name: 'attic', enable: false });
  const ask = async (filter = {}) => {
    const answer = await lectern.library.searchSkills(
      { query: 'graft', ...filter },
      lectern.session,
    );
    expect(answer.matches.length).toBeGreaterThan(0);
    return answer.degraded ?? '';
  };
  const whole = await ask();
  await lectern.indexer.removeRoot(attic);
  expect(await ask()).toBe(whole);
  await lectern.indexer.removeRoot(shed);
  expect(await ask()).toBe(
    `${whole === '' ? '' : `${whole}; `}searched without shed: still to be read`,
  );
  expect(await ask({ catalog: 'orchard' })).toBe(whole);
});

test('L-102 content that only another workspace enabled counts for nothing', async () => {
  const lectern = startLibrary();
  await enrolOrchard(lectern);
  await lectern.ask('workspace.init', { name: 'other' });
  expect(
    await lectern.library.searchSkills(
      { query: 'graft' },
      { ...lectern.session, workspaceFlag: 'other' },
    ),
  ).toMatchObject({ matches: [], corpus_size: 0, no_results_reason: 'index_empty' });
});

test('L-103 there is neither reason nor hint beside strong matches', async () => {
  const lectern = await startOrchard();
  const answer = await lectern.library.searchSkills({ query: 'graft' }, lectern.session);
  expect(Object.keys(answer)).toEqual(['matches', 'corpus_size', 'scoring', 'relevance']);
});

test('a weak best match is said to be weak, with a hint', async () => {
  const lectern = await startOrchard();
  lectern.search.answer = { relevance: 'weak' };
  const answer = await lectern.library.searchSkills({ query: 'cook soup' }, lectern.session);
  expect(answer).toMatchObject({ relevance: 'weak', hint: expect.stringContaining('fit') });
  expect(answer.matches).not.toEqual([]);
});

test('L-104 a longer description is cut and marked', () => {
  expect(truncate('abcdef', 5)).toBe('abcde…');
  expect(truncate('abcde', 5)).toBe('abcde');
  expect(truncate('abc', 0)).toBe('');
});

test('L-105 multi-byte characters are not split, and the limit has a limit', async () => {
  expect(truncate('🌳🌳🌳', 2)).toBe('🌳🌳…');
  expect(truncate('🌳🌳', 2)).toBe('🌳🌳');
  const lectern = await startOrchard();
  const ask = (description_max_chars: number) =>
    lectern.library.searchSkills({ query: 'graft', description_max_chars }, lectern.session);
  await ask(100_000);
  await expect(ask(100_001)).rejects.toEqual(
    failsWith('invalid_description_max_chars', { max: 100_000 }),
  );
});

test('L-106 the description limit is 150, then configured, then the call', async () => {
  const lectern = startLibrary();
  await enrolOrchard(lectern, {
    long: { 'skills/long/SKILL.md': entryText({ name: 'long', description: 'd'.repeat(300) }) },
  });
  const length = async (description_max_chars?: number) =>
    (await lectern.library.searchSkills({ query: 'd', description_max_chars }, lectern.session))
      .matches[0]!.description.length;
  expect(await length()).toBe(151);
  writeFileSync(lectern.paths.config, '[mcp]\ndescription_max_chars = 20\n');
  expect(await length()).toBe(21);
  expect(await length(5)).toBe(6);
});

test('L-107 prompt_name is on a command and an opted-in skill, and nowhere else', async () => {
  const lectern = startLibrary();
  await enrolOrchard(lectern, {
    pruning: {
      ...PRUNING,
      'skills/open/SKILL.md': entryText({
        name: 'open',
        description: 'An opted-in skill.',
        'user-invocable': true,
      }),
    },
  });
  const { matches } = await lectern.library.searchSkills({ query: 'x' }, lectern.session);
  const named = Object.fromEntries(matches.map((it) => [it.name, it.prompt_name]));
  expect(named).toEqual({
    'graft-audit': undefined,
    'graft-plan': undefined,
    open: 'pruning__open',
    'prune-tree': 'pruning__prune-tree',
  });
});

test('entries of identical text are one result that says where else', async () => {
  const lectern = startLibrary();
  const same = { 'skills/same/SKILL.md': entryText({ name: 'same', description: 'The same.' }) };
  await enrolOrchard(lectern, { one: same, two: same });
  const { matches } = await lectern.library.searchSkills({ query: 'same' }, lectern.session);
  expect(matches).toHaveLength(1);
  expect(matches[0]!.also_in).toEqual([
    { catalog: 'orchard', plugin: 'two', name: 'same', kind: 'skill' },
  ]);
});

test('a directory enrolled under two names is found under either', async () => {
  const lectern = startLibrary();
  const root = await enrolOrchard(lectern);
  await lectern.ask('catalog.add', { source: root, name: 'twin', enable: true });
  const both = await lectern.library.searchSkills({ query: 'graft plan' }, lectern.session);
  expect(both.corpus_size).toBe(6);
  expect(both.matches[0]).toMatchObject({ catalog: 'orchard', also_in: [{ catalog: 'twin' }] });
  const one = await lectern.library.searchSkills(
    { query: 'graft plan', catalog: 'twin' },
    lectern.session,
  );
  expect(one.matches[0]).toMatchObject({ catalog: 'twin', name: 'graft-plan' });
  expect(one.matches[0]).not.toHaveProperty('also_in');
});

test('an answer that may miss a change says stale', async () => {
  const lectern = await startOrchard();
  lectern.indexer.isCaughtUp = false;
  expect(await lectern.library.searchSkills({ query: 'graft' }, lectern.session)).toMatchObject({
    stale: true,
  });
});

test('a malformed config.toml counts as defaults for a search', async () => {
  const lectern = await startOrchard();
  writeFileSync(lectern.paths.config, 'nonsense = [');
  expect(
    (await lectern.library.searchSkills({ query: 'graft' }, lectern.session)).matches,
  ).toHaveLength(3);
});
