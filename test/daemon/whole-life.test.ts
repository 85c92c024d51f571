import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ORCHARD } from '../e2e/run-cli.ts';

/** Run a life as a process of its own, and read what it printed at its end. */
async function live(script: string, ...args: string[]) {
  const life = join(import.meta.dirname, script);
  const child = spawn(process.execPath, ['--import', 'tsx', life, ...args], {
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
  expect(report.stillOwned).toEqual([]);
  expect(report.left).toEqual([]);
  expect(report.resources.filter((what: string) => !/^(Pipe|TTY|FS)/.test(what))).toEqual([]);
  return report as { owned: string[]; during: string[] };
}

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
  const { owned, during } = await live('whole-life.ts', root, catalog);
  expect(owned).toEqual(expect.arrayContaining(['HTTP endpoint', 'indexer thread', 'socket']));
  expect(during).toEqual(expect.arrayContaining(['Timeout', 'PIPESERVERWRAP', 'WORKER']));

  // On the index that this life has left, one that only reads.
  const reading = await live('read-only-life.ts', root);
  expect(reading.owned).toEqual(expect.arrayContaining(['hang watch', 'index (reading)']));
  expect(reading.during).toEqual(expect.arrayContaining(['Timeout', 'WORKER', 'PROCESSWRAP']));
});
