import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { spawnDaemon } from '../../src/protocol/link/spawn-daemon.ts';
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
