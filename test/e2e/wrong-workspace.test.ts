import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openLibraryBench } from '../wire/library-bench.ts';

const TOO_LONG = 'w'.repeat(65);

test('a workspace that can never be: the handshake is answered, every request has the contract’s error (15)', async () => {
  const bench = openLibraryBench({ skills: 1 });
  const proxy = bench.start(['--workspace', 'a.b']);
  expect((await proxy.handshake()).result.serverInfo.name).toBe('lectern');
  for (const request of [
    proxy.call('search_skills', { query: 'anything' }),
    proxy.call('status'),
    proxy.request('prompts/list'),
  ]) {
    const { error } = await request;
    expect(error).toEqual({
      code: -32603,
      message:
        '"a.b" is no workspace name: 1 to 64 of A-Z a-z 0-9 - _, with a letter or digit at both ends',
      data: { code: 'workspace_name_invalid', retryable: false },
    });
  }
  // Refused once, and not asked again for each request.
  const log = readFileSync(bench.paths.mcpLog, 'utf8');
  expect(log.match(/"code":"wrong_workspace"/g)).toHaveLength(1);
  expect(proxy.child.exitCode).toBeNull();
});

test('L-070 L-075 the same for the variable, for names of any length, and without a daemon; an empty variable is unset', async () => {
  const bench = openLibraryBench({ skills: 1 });
  const codeOf = async (args: string[], env: Record<string, string> = {}) =>
    (await bench.start(args, { env }).call('list_catalogs')).error?.data?.['code'];
  expect(await codeOf([], { LECTERN_WORKSPACE: '-a' })).toBe('workspace_name_invalid');
  expect(await codeOf(['--workspace', TOO_LONG])).toBe('workspace_name_invalid');
  expect(await codeOf(['--workspace', 'w'.repeat(2000)])).toBe('workspace_name_invalid');
  expect(await codeOf([], { LECTERN_WORKSPACE: '' })).toBeUndefined();
  // The flag wins over the variable.
  const flagged = await codeOf(['--workspace', 'global'], { LECTERN_WORKSPACE: 'a.b' });
  expect(flagged).toBeUndefined();
  const alone = await codeOf(['--workspace', 'a.b'], { LECTERN_NO_DAEMON: '1' });
  expect(alone).toBe('workspace_name_invalid');
});

test('a workspace that does not exist yet is told by each call, and works as soon as it is made', async () => {
  const bench = openLibraryBench({ skills: 1 });
  const proxy = bench.start(['--workspace', 'later']);
  await proxy.handshake();
  expect((await proxy.call('list_catalogs')).error?.data?.['code']).toBe('workspace_not_found');
  expect((await bench.cli('workspace', 'init', 'later')).code).toBe(0);
  const { result } = await proxy.call('list_catalogs');
  expect(result.structuredContent.workspace).toBe('later');
});

test('the tui surface, which has no workspaces, is served whatever the variable says', async () => {
  const bench = openLibraryBench({ skills: 1 });
  const proxy = bench.start(['--surface', 'tui'], { env: { LECTERN_WORKSPACE: 'a.b' } });
  const { result } = await proxy.request('tools/list');
  expect(result.tools.length).toBeGreaterThan(0);
});
