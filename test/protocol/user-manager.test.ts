import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { reachUserManager } from '../../src/protocol/link/user-manager.ts';

test('the runtime directory of a user is found without its variable, and only where it is', () => {
  const runtimes = mkdtempSync(join(tmpdir(), 'lectern-runtimes-'));
  onTestFinished(() => rmSync(runtimes, { recursive: true }));
  mkdirSync(join(runtimes, '501'));
  const found = { A: '1', XDG_RUNTIME_DIR: join(runtimes, '501') };
  expect(reachUserManager({ A: '1' }, 501, runtimes)).toEqual(found);
  expect(reachUserManager({ A: '1', XDG_RUNTIME_DIR: '' }, 501, runtimes)).toEqual(found);
  expect(reachUserManager({ A: '1' }, 502, runtimes)).toEqual({ A: '1' });
  expect(reachUserManager({ XDG_RUNTIME_DIR: '/mine' }, 501, runtimes)).toEqual({
    XDG_RUNTIME_DIR: '/mine',
  });
});
