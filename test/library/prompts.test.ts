// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the tokens under test are written so
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { enrolOrchard, entryText, PRUNING, startLibrary, writeTree } from './fixture.ts';

const COMMAND = (fields: object, body?: string) =>
  entryText({ name: 'go', description: 'Go somewhere.', ...fields }, body);

async function startWith(files: Record<string, string>) {
  const lectern = startLibrary();
  const root = await enrolOrchard(lectern, { p: files });
  return {
    ...lectern,
    root,
    list: () => lectern.library.listPrompts(lectern.session),
    get: (name: string, supplied?: Record<string, unknown>) =>
      lectern.library.getPrompt(name, supplied, lectern.session),
  };
}

test('L-164 an empty workspace lists exactly the conversion prompt', async () => {
  const lectern = startLibrary();
  const prompts = await lectern.library.listPrompts(lectern.session);
  expect(prompts.map((it) => it.name)).toEqual(['add-tome-conversion-skill']);
  expect(prompts[0]).not.toHaveProperty('arguments');
});

test('the conversion prompt asks for the meta call', async () => {
  const { get } = await startWith({});
  const { messages } = await get('add-tome-conversion-skill');
  expect(messages[0]!.content.text).toContain(
    '{"action":"install","skill_id":"convert-marketplace"}',
  );
});

test('L-170 declared arguments are required, in order, with authored descriptions only', async () => {
  const { list } = await startWith({
    'commands/go.md': COMMAND({ arguments: ['from', { name: 'to', description: 'Where to' }] }),
  });
  expect((await list())[1]).toEqual({
    name: 'p__go',
    description: 'Go somewhere.',
    arguments: [
      { name: 'from', required: true },
      { name: 'to', description: 'Where to', required: true },
    ],
  });
});

test('L-171 a body with $ARGUMENTS lists one optional args, without it none', async () => {
  const { list } = await startWith({
    'commands/a.md': COMMAND({ name: 'a' }, 'Do $ARGUMENTS'),
    'commands/b.md': COMMAND({ name: 'b', 'argument-hint': '[place]' }, 'Do $ARGUMENTS'),
    'commands/c.md': COMMAND({ name: 'c' }, 'Do it'),
  });
  const [, a, b, c] = await list();
  expect(a!.arguments).toEqual([
    { name: 'args', description: expect.stringContaining('args'), required: false },
  ]);
  expect(b!.arguments).toEqual([{ name: 'args', description: '[place]', required: false }]);
  expect(c).not.toHaveProperty('arguments');
});

test('L-172 a description is at most 300 characters with its mark', async () => {
  const { list } = await startWith({
    'commands/a.md': COMMAND({ name: 'a', description: 'd'.repeat(301) }),
    'commands/b.md': COMMAND({ name: 'b', description: 'd'.repeat(300) }),
  });
  const [, a, b] = await list();
  expect(a!.description).toBe(`${'d'.repeat(299)}…`);
  expect(b!.description).toBe('d'.repeat(300));
});

test('L-173 one user message and a description are returned', async () => {
  const { get } = await startWith({ 'commands/go.md': COMMAND({}, 'Go to $ARGUMENTS.\n') });
  expect(await get('p__go', { args: 'Rome' })).toEqual({
    description: 'Go somewhere.',
    messages: [{ role: 'user', content: { type: 'text', text: 'Go to Rome.\n' } }],
  });
});

test('a required argument that is left out becomes empty', async () => {
  const { get } = await startWith({
    'commands/go.md': COMMAND({ arguments: ['from', 'to'] }, '[$from][$to]'),
  });
  expect((await get('p__go', { to: 'x' })).messages[0]!.content.text).toBe('[][x]');
});

test('L-174 a file that is gone, or no longer fits, carries name and file', async () => {
  const { get, root } = await startWith({ 'commands/go.md': COMMAND({}) });
  const file = join(root, 'plugins/p/commands/go.md');
  writeFileSync(file, 'x'.repeat(256 * 1024 + 1));
  const unreadable = expect.objectContaining({
    category: 'skill_frontmatter_parse_error',
    details: expect.objectContaining({ rpc: -32602, extras: { name: 'p__go', file } }),
  });
  await expect(get('p__go')).rejects.toEqual(unreadable);
  rmSync(file);
  await expect(get('p__go')).rejects.toEqual(unreadable);
});

test('L-175 an entry whose file is gone is left out without failing the list', async () => {
  const { list, root, indexer } = await startWith({
    'commands/go.md': COMMAND({}),
    'commands/stay.md': COMMAND({ name: 'stay' }),
  });
  rmSync(join(root, 'plugins/p/commands/go.md'));
  await indexer.reindex(null);
  expect((await list()).map((it) => it.name)).toEqual(['add-tome-conversion-skill', 'p__stay']);
});

test('L-027 a skill has a prompt only when it opts in, an agent never', async () => {
  const { list } = await startWith({
    'skills/a/SKILL.md': entryText({ name: 'a', description: 'A.' }),
    'skills/b/SKILL.md': entryText({ name: 'b', description: 'B.', 'user-invocable': true }),
    'commands/c.md': COMMAND({ name: 'c', 'user-invocable': false }),
    'agents/d.md': entryText({ name: 'd', description: 'D.', 'user-invocable': true }),
  });
  expect((await list()).map((it) => it.name)).toEqual(['add-tome-conversion-skill', 'p__b']);
});

test('L-176 personas are absent until they are switched on', async () => {
  const lectern = startLibrary();
  await enrolOrchard(lectern, { pruning: PRUNING });
  const names = async () =>
    (await lectern.library.listPrompts(lectern.session)).map((it) => it.name);
  expect(await names()).not.toContain('gardener-persona');
  writeFileSync(lectern.paths.config, '[harness]\nexpose_agents_as_personas = true\n');
  expect(await names()).toEqual([
    'add-tome-conversion-skill',
    'drop-persona',
    'gardener-persona',
    'pruning__prune-tree',
  ]);
  const { messages } = await lectern.library.getPrompt(
    'gardener-persona',
    { args: 'begin' },
    lectern.session,
  );
  expect(messages[0]!.content.text).toMatch(
    /<gardener-persona>\nBody\.\n<\/gardener-persona>[\s\S]*begin$/,
  );
});

test('a marker decides about personas for its project', async () => {
  const lectern = startLibrary();
  await enrolOrchard(lectern, { pruning: PRUNING });
  writeTree(lectern.cwd, {
    '.lectern/config.toml': 'workspace = "global"\nexpose_agents_as_personas = true\n',
  });
  expect((await lectern.library.listPrompts(lectern.session)).map((it) => it.name)).toContain(
    'drop-persona',
  );
});

test('a native command counts from one and keeps what only looks like an argument', async () => {
  const lectern = startLibrary();
  writeTree(lectern.cwd, {
    '.claude/commands/fix.md':
      '---\ndescription: Fix it.\n---\nFix $1 then $2. !`git log $file` @src/x\n',
  });
  const release = await lectern.library.holdProject(lectern.session);
  const { messages } = await lectern.library.getPrompt(
    'project__fix',
    { args: 'bug "all tests"' },
    lectern.session,
  );
  expect(messages[0]!.content.text).toBe('Fix bug then all tests. !`git log $file` @src/x\n');
  release();
});
