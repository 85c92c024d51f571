import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pickQueries, taskOf } from '../../src/cli/quickstart/demo-queries.ts';
import { openLineClient } from '../../src/cli/quickstart/line-client.ts';
import { describeWiring } from '../../src/cli/quickstart/wiring.ts';
import { NATIVE_SKILL_HOSTS } from '../../src/library/native-skills.ts';

const entry = (description: string, when_to_use: string | null = null, name = 'prune-tree') => ({
  name,
  description,
  when_to_use,
});

test('a demonstration asks for when an entry is used, else for the middle of what it says', () => {
  expect(taskOf(entry('Prune a tree.', 'Use when branches cross each other.'))).toBe(
    'branches cross each other',
  );
  expect(
    taskOf(entry('Cut wood well. This skill should be used when the user asks to "thin a crown".')),
  ).toBe('thin a crown');
  expect(taskOf(entry('Take out dead wood after a hard winter'))).toBe('wood after a hard winter');
});

test('it is short, ends with a word that stands alone, and never holds the name', () => {
  expect(taskOf(entry('x', 'one two three four five six seven of nine ten'))).toBe(
    'one two three four five six seven',
  );
  expect(taskOf(entry('Helps you to prune tree after tree'))).toBeUndefined();
  expect(taskOf(entry('Prune.'))).toBeUndefined();
});

test('queries are spread over the entries; entries that say nothing are passed over', () => {
  const told = ['a', 'b', 'c', 'd', 'e'].map((word) => entry('x', `${word} b c`));
  expect(pickQueries([told[0]!, entry(''), ...told.slice(1)], 3)).toEqual([
    'a b c',
    'c b c',
    'e b c',
  ]);
  expect(pickQueries([told[0]!, told[0]!], 3)).toEqual(['a b c']);
  expect(pickQueries([], 3)).toEqual([]);
});

test('the wiring is the command as given, in each form', () => {
  const text = describeWiring(['/opt/my node/node', '/x/lectern.js', 'mcp']);
  expect(text).toContain("-- '/opt/my node/node' /x/lectern.js mcp");
  expect(text).toContain('command = "/opt/my node/node"');
  expect(text).toContain('"args": [');
});

test('README and the tour tell each host with a skills folder which it is, or meta cannot install', () => {
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
  for (const text of [readme, describeWiring(['lectern', 'mcp'])]) {
    const named = [...text.matchAll(/--harness[", ]+([a-z-]+)/g)].map(([, host]) => host!);
    expect(named).toEqual(expect.arrayContaining(['claude-code', 'codex', 'cursor']));
    for (const host of named) expect(NATIVE_SKILL_HOSTS).toContain(host);
  }
});

test('a server that ends before it answers is an error, not a hang', async () => {
  await expect(
    openLineClient([process.execPath, '-e', 'process.exit(3)'], { cwd: '/', env: process.env }),
  ).rejects.toMatchObject({ category: 'mcp_startup' });
});

test('a server that speaks is shaken hands with, asked, and closed', async () => {
  const server = `
    require('readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method, params } = JSON.parse(line);
      if (id === undefined) return;
      const result = method === 'tools/call' ? { structuredContent: { said: params.arguments.text } } : {};
      console.log(JSON.stringify(params?.name === 'bad' ? { jsonrpc: '2.0', id, error: { code: 1, message: 'no' } } : { jsonrpc: '2.0', id, result }));
    });`;
  const client = await openLineClient([process.execPath, '-e', server], {
    cwd: '/',
    env: process.env,
  });
  expect((await client.callTool('echo', { text: 'hi' })).result).toEqual({ said: 'hi' });
  await expect(client.callTool('bad', {})).rejects.toThrow('no');
  await client.close();
  expect(spawnSync('kill', ['-0', String(client.pid)]).status).not.toBe(0);
});
