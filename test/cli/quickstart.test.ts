import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { pickQueries, queryFrom } from '../../src/cli/quickstart/demo-queries.ts';
import { openLineClient } from '../../src/cli/quickstart/line-client.ts';
import { describeWiring } from '../../src/cli/quickstart/wiring.ts';

test('a query is the first sentence of a description, a dozen words at most', () => {
  expect(queryFrom('Prune a tree.  Use when…')).toBe('prune a tree');
  expect(queryFrom('word '.repeat(40)).split(' ')).toHaveLength(12);
  expect(queryFrom('  ')).toBe('');
});

test('how a description addresses an agent is no part of a task', () => {
  expect(queryFrom('Use when encountering a bug')).toBe('encountering a bug');
  expect(queryFrom('This skill should be used when the user asks to "fix it".')).toBe('"fix it"');
  expect(queryFrom('Useful for planting.')).toBe('useful for planting');
});

test('queries are spread over the entries; entries that say nothing are passed over', () => {
  expect(pickQueries(['a.', '', 'b.', 'c.', 'd.', 'e.'], 3)).toEqual(['a', 'c', 'e']);
  expect(pickQueries(['a.'], 3)).toEqual(['a']);
  expect(pickQueries([], 3)).toEqual([]);
});

test('the wiring is the command as given, in each form', () => {
  const text = describeWiring(['/opt/my node/node', '/x/lectern.js', 'mcp']);
  expect(text).toContain("-- '/opt/my node/node' /x/lectern.js mcp");
  expect(text).toContain('command = "/opt/my node/node"');
  expect(text).toContain('"args": [');
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
