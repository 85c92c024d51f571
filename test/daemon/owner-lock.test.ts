import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { takeOwnerLock } from '../../daemon/owner-lock.ts';
import { statePaths } from '../../src/protocol/link/state-paths.ts';

const opened = vi.hoisted(() => [] as string[]);
vi.mock('libsql', async (original) => {
  const { default: Database } = await original<{ default: typeof import('libsql') }>();
  return {
    default: class extends Database {
      constructor(path: string, options: object) {
        opened.push(path);
        super(path, options);
      }
    },
  };
});

test('whoever waits for a lock out of sight looks once each time', async () => {
  const root = mkdtempSync(join(tmpdir(), 'lectern-lock-'));
  const paths = statePaths(root);
  const held = await takeOwnerLock(paths);
  onTestFinished(() => {
    held?.release();
    rmSync(root, { recursive: true });
  });
  expect(held).toBeDefined();
  opened.length = 0;
  // Nobody is on record here: by default it would be tried again for seconds.
  expect(await takeOwnerLock(paths, 0)).toBeUndefined();
  expect(opened).toEqual([paths.ownerDb]);
});
