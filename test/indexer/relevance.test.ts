import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { isRelevant } from '../../daemon/indexer/relevance.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'lectern-relevance-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

test('entry files and manifests matter, whether they exist or not', () => {
  for (const name of ['SKILL.md', 'plugin.json', 'tome-catalog.toml', 'Prune.MD']) {
    expect(isRelevant(join(dir, name), false)).toBe(true);
  }
});

test('what editors and git leave beside a file does not', () => {
  for (const name of ['SKILL.md~', '.SKILL.md.swp', '4913', '.#SKILL.md', '#SKILL.md#', 'a.lock']) {
    expect(isRelevant(join(dir, name), false)).toBe(false);
  }
});

test('a source file does not matter, a directory and a link do', () => {
  writeFileSync(join(dir, 'run.py'), '');
  writeFileSync(join(dir, 'LICENSE'), '');
  mkdirSync(join(dir, 'pruning'));
  symlinkSync(join(dir, 'pruning'), join(dir, 'link'));
  expect(isRelevant(join(dir, 'run.py'), false)).toBe(false);
  expect(isRelevant(join(dir, 'LICENSE'), false)).toBe(false);
  expect(isRelevant(join(dir, 'pruning'), false)).toBe(true);
  expect(isRelevant(join(dir, 'link'), false)).toBe(true);
});

test('a directory that is gone matters', () => {
  expect(isRelevant(join(dir, 'pruning'), false)).toBe(true);
  expect(isRelevant(join(dir, 'v1.2'), true)).toBe(true);
});
