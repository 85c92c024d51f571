import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  checkNative,
  checkNode,
  checkStateRoot,
  runtimeFor,
} from '../../src/cli/examine-machine.ts';
import { PLAIN } from '../../src/cli/paint.ts';
import { formatExamination, overallOf } from '../../src/cli/print/doctor.ts';

async function tempDir(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'lectern-doctor-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

test('Node older than 20.19 is an error', () => {
  expect(
    ['18.20.0', '20.18.9', '20.19.0', '22.0.0'].map((version) => checkNode(version).state),
  ).toEqual(['error', 'error', 'ok', 'ok']);
});

test('a state root open to others is a warning with the command that closes it', async () => {
  const path = await tempDir();
  await chmod(path, 0o755);
  expect(await checkStateRoot(path)).toMatchObject({ state: 'warning', fix: `chmod 700 ${path}` });
  await chmod(path, 0o700);
  expect(await checkStateRoot(path)).toMatchObject({ state: 'ok' });
});

test('a state root that is a file is an error; an absent one is fine', async () => {
  const path = join(await tempDir(), 'x');
  expect(await checkStateRoot(path)).toMatchObject({ state: 'ok' });
  await writeFile(path, '');
  expect(await checkStateRoot(path)).toMatchObject({ state: 'error' });
});

test('a native package that does not load is a warning that says what is lost', async () => {
  const advice = { without: 'nothing works', install: 'npm install it; needs a compiler' };
  expect(await checkNative('no-such-package-at-all', { state: 'warning', ...advice })).toEqual({
    check: 'no-such-package-at-all',
    state: 'warning',
    detail: 'nothing works (not installed)',
    fix: 'npm install it; needs a compiler',
  });
});

test('an Intel Mac is pointed to the last runtime that was built for it', () => {
  expect(runtimeFor({ platform: 'darwin', arch: 'x64' })).toBe('1.23');
  expect(runtimeFor({ platform: 'darwin', arch: 'arm64' })).toBe('1.30');
  expect(runtimeFor({ platform: 'linux', arch: 'x64' })).toBe('1.30');
});

test('the verdict is the worst of daemon and machine, and each fix is printed', () => {
  const report = {
    overall: 'ok' as const,
    catalogs: [],
    suggested_fixes: [
      {
        subsystem: 'index',
        diagnosis: 'it is damaged',
        command: 'lectern reindex --force',
        auto_fixable: true,
      },
    ],
  };
  const fine = { check: 'node', state: 'ok' as const, detail: '20' };
  const less = { check: 'git', state: 'warning' as const, detail: 'gone', fix: 'install git' };
  const told = { report, unreachable: null, mend: null, isDaemonForbidden: false };
  expect(overallOf({ ...told, machine: [fine] })).toBe('ok');
  expect(overallOf({ ...told, machine: [less] })).toBe('degraded');
  expect(overallOf({ ...told, machine: [{ ...less, state: 'note' }] })).toBe('ok');
  const silent = { ...told, report: null, unreachable: 'no socket' };
  expect(overallOf({ ...silent, machine: [fine] })).toBe('unhealthy');
  const look = { paint: PLAIN, width: 100, nowMs: 0 };
  const text = formatExamination({ ...told, machine: [fine, less] }, look);
  expect(text).toContain('daemon: answers');
  const alone = formatExamination({ ...told, machine: [], isDaemonForbidden: true }, look);
  expect(alone).toMatch(/daemon: not used: LECTERN_NO_DAEMON is set.*\n +fix: unset/);
  const unanswered = formatExamination({ ...silent, machine: [] }, look);
  expect(unanswered).toMatch(/daemon: no socket\n +fix: lectern daemon logs/);
  const mended = formatExamination({ ...silent, mend: 'kill -CONT 7', machine: [] }, look);
  expect(mended).toMatch(/daemon: no socket\n +fix: kill -CONT 7/);
  expect(text).toContain('fix: install git');
  expect(text).toContain('fix: lectern reindex --force');
});

test('of a native package that was not built the reason is said, without the list of places', async () => {
  const unbuilt = join(await tempDir(), 'unbuilt.cjs');
  const message = 'Could not locate the bindings file. Tried:\n → build/addon.node';
  await writeFile(unbuilt, `throw new Error(${JSON.stringify(message)});`);
  const advice = { state: 'note' as const, without: 'slower', install: 'npm install it' };
  expect(await checkNative(unbuilt, advice)).toMatchObject({
    detail: 'slower (Could not locate the bindings file)',
    fix: `npm rebuild ${unbuilt}, where lectern is installed`,
  });
});
