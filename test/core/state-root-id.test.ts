import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { identifyStateRoot } from '../../src/core/state-root-id.ts';

test('a state root has one name by whatever path, before it is made and after', () => {
  const dir = mkdtempSync(join(tmpdir(), 'lectern-id-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  mkdirSync(join(dir, 'real'));
  symlinkSync(join(dir, 'real'), join(dir, 'link'));
  const ways = [
    join(dir, 'real', 'deep', 'state'),
    join(dir, 'link', 'deep', 'state'),
    `${dir}/real//deep/x/../state/`,
  ];
  const before = ways.map(identifyStateRoot);
  mkdirSync(ways[0]!, { recursive: true });
  expect(new Set([...before, ...ways.map(identifyStateRoot)]).size).toBe(1);
  expect(before[0]).toMatch(/^[0-9a-f]{12}$/);
  expect(identifyStateRoot(join(dir, 'real', 'deep', 'other'))).not.toBe(before[0]);
});
