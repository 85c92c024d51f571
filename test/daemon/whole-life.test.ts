import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ORCHARD } from '../e2e/run-cli.ts';

test('a closed daemon leaves no timer, watcher, socket, child or thread, and its process ends', async () => {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'lectern-life-')));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const root = join(directory, 'state');
  const catalog = join(directory, 'orchard');
  mkdirSync(root, { mode: 0o700 });
  for (const [name, content] of Object.entries(ORCHARD)) {
    mkdirSync(dirname(join(catalog, name)), { recursive: true });
    writeFileSync(join(catalog, name), content);
  }
  const life = join(import.meta.dirname, 'whole-life.ts');
  const child = spawn(process.execPath, ['--import', 'tsx', life, root, catalog], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  // Ends by itself: nothing calls process.exit, and what is left open would keep it.
  const [code] = await once(child, 'close');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const report = JSON.parse(stdout);
  expect(report.owned).toEqual(
    expect.arrayContaining(['HTTP endpoint', 'indexer thread', 'socket']),
  );
  expect(report.during).toEqual(expect.arrayContaining(['Timeout', 'PIPESERVERWRAP', 'WORKER']));
  expect(report.stillOwned).toEqual([]);
  expect(report.left).toEqual([]);
  expect(report.resources.filter((what: string) => !/^(Pipe|TTY|FS)/.test(what))).toEqual([]);
});
