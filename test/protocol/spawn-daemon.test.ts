import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { readLastWords, spawnDaemon } from '../../src/protocol/link/spawn-daemon.ts';
import { statePaths } from '../../src/protocol/link/state-paths.ts';

// Whether this machine has a runtime directory for its user is not for a test to decide.
vi.mock('../../src/protocol/link/user-manager.ts', () => ({
  reachUserManager: (env: NodeJS.ProcessEnv) => ({ ...env, XDG_RUNTIME_DIR: '/found' }),
}));

test('a service is ordered where its manager is found, also from a host that passes little on', async () => {
  const root = mkdtempSync(join(tmpdir(), 'lectern-order-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const start = ['/bin/sh', '-c', `echo "$XDG_RUNTIME_DIR $LECTERN_HOME" > '${root}/order'`];
  writeFileSync(join(root, 'service.json'), JSON.stringify({ start }));
  const child = await spawnDaemon(statePaths(root), { PATH: process.env['PATH'] }, '0.0.0');
  await once(child, 'exit');
  expect(readFileSync(join(root, 'order'), 'utf8')).toBe(`/found ${root}\n`);
});

const OUT_OF_HEAP = [
  '<--- JS stacktrace --->',
  '',
  'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory',
  '----- Native stack trace -----',
  '',
  ' 1: 0xb78db3 node::OOMErrorHandler(char const*, v8::OOMDetails const&) [node]',
  '10: 0x195e476  [node]',
  '',
];
const THROWN = ['lectern: uncaught error: TypeError: x', '    at f (node:internal/errors:9:1)', ''];

test.each([
  [
    'of a process without address space',
    ['', '', '#', '# Fatal process OOM in V8', '#', ''],
    /^Fatal process OOM in V8$/,
  ],
  ['of a full heap', OUT_OF_HEAP, /^FATAL ERROR: Reached heap limit/],
  [
    'of an assertion',
    ['  #  node[1]: void f()', '  #  Assertion failed: (0) == (1)', '', ' 1: 0xcb [node]'],
    /^Assertion failed/,
  ],
  ['of a thrown error', THROWN, /TypeError: x$/],
  ['of the last birth', ['lectern: first', 'lectern: second', ''], /^lectern: second$/],
  ['of something else', ['sh: 1: node: not found', ''], /^sh: 1: node: not found$/],
  ['of nothing', ['', '#', ''], /^$/],
])('the last words %s are the line that says why', (_, lines, said) => {
  const root = mkdtempSync(join(tmpdir(), 'lectern-words-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const paths = statePaths(root);
  mkdirSync(paths.logs);
  writeFileSync(join(paths.logs, 'daemon.out'), lines.join('\n'));
  expect(readLastWords(paths)).toMatch(said);
});
