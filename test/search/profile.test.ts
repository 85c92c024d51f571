import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { BUNDLED_MODEL, bundledModelDir } from '../../src/search/embed/profile.ts';

test('the model of a package that is uninstalled meanwhile is still said to be where it was', () => {
  const root = mkdtempSync(join(tmpdir(), 'lectern-profile-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const directory = join(root, 'models', BUNDLED_MODEL.id);
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(root, 'package.json'), '{}');
  const module = pathToFileURL(join(root, 'dist', 'daemon', 'daemon.cjs')).href;
  expect(bundledModelDir(module)).toBe(directory);
  rmSync(root, { recursive: true });
  expect(bundledModelDir(module)).toBe(directory);
});

test('of a package without its model the place is named where it belongs', () => {
  const root = mkdtempSync(join(tmpdir(), 'lectern-profile-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  writeFileSync(join(root, 'package.json'), '{}');
  const module = pathToFileURL(join(root, 'dist', 'daemon.cjs')).href;
  expect(bundledModelDir(module)).toBe(join(root, 'models', BUNDLED_MODEL.id));
});
