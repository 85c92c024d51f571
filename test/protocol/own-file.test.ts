import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { replaceFile } from '../../src/core/atomic-file.ts';
import { replaceOwnFile } from '../../src/protocol/link/own-file.ts';

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'lectern-own-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
});

test('a link in place of a file of our own is replaced, and where it leads is left alone', () => {
  const [foreign, own] = [join(directory, 'foreign'), join(directory, 'token')];
  writeFileSync(foreign, 'theirs');
  symlinkSync(foreign, own);
  replaceOwnFile(own, 'ours');
  expect(readFileSync(foreign, 'utf8')).toBe('theirs');
  expect(readFileSync(own, 'utf8')).toBe('ours');
  expect(statSync(own).mode & 0o777).toBe(0o600);
});

test('a file of our own that cannot be replaced leaves nothing beside it', () => {
  const own = join(directory, 'taken');
  writeFileSync(join(directory, 'below'), '');
  expect(() => replaceOwnFile(join(directory, 'below', 'x'), 'ours')).toThrow();
  replaceOwnFile(own, 'ours');
  expect(readdirSync(directory).sort()).toEqual(['below', 'taken']);
});

test('what is no file, such as a device, is never replaced by one', async () => {
  const link = join(directory, 'RULES.md');
  // A directory stands for it: no device of the machine is put at risk.
  symlinkSync(directory, link);
  await expect(replaceFile(link, 'text')).rejects.toThrow(/it is not a file/);
  expect(readdirSync(directory)).toEqual(['RULES.md']);
});
