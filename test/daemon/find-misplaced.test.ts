import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findMisplaced } from '../../daemon/find-misplaced.ts';
import { statePaths } from '../../src/protocol/link/state-paths.ts';

test('what stands in the place of a file or directory that can be done without is named, with what mends it', () => {
  const root = mkdtempSync(join(tmpdir(), 'lectern-misplaced-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const paths = statePaths(root);
  writeFileSync(paths.breadcrumb, '{}');
  mkdirSync(paths.models);
  expect(findMisplaced(paths)).toEqual([]);
  mkdirSync(paths.daemonLog, { recursive: true });
  writeFileSync(paths.backups, '');
  expect(findMisplaced(paths)).toEqual([
    {
      subsystem: 'state root',
      diagnosis: `${paths.daemonLog} is a directory, where a file belongs`,
      command: `mv ${paths.daemonLog} ${paths.daemonLog}.moved, then: lectern daemon restart`,
    },
    expect.objectContaining({
      diagnosis: `${paths.backups} is a file, where a directory belongs`,
    }),
  ]);
});
