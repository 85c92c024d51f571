import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const DEV = join(import.meta.dirname, '../../scripts/dev.mjs');

test('the proxy runs from source', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-dev-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  // No state root: nothing is started that would outlive the test.
  const home = join(folder, 'file');
  writeFileSync(home, '');
  const { stdout, stderr, status } = spawnSync(process.execPath, [DEV, 'mcp'], {
    input: '{"jsonrpc":"2.0","id":1,"method":"ping"}\n',
    env: { PATH: process.env['PATH'], HOME: folder, LECTERN_HOME: home },
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  expect(status).toBe(0);
});
