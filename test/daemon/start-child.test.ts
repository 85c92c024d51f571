import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bootEmbedder } from '../../daemon/embedder/boot-child.ts';
import { startEmbedder } from '../../daemon/embedder/client.ts';
import { startChild } from '../../daemon/embedder/start-child.ts';
import { Scope } from '../../src/core/scope.ts';
import { EmbedderUnavailable } from '../../src/search/embed/embedder.ts';
import { eventually } from '../eventually.ts';

/** More than the kernel takes as one variable: Node throws of such a spawn, as where memory is short. */
function letSpawnsThrow(): void {
  process.env['LECTERN_TEST_HUGE'] = 'x'.repeat(3_000_000);
  onTestFinished(() => void delete process.env['LECTERN_TEST_HUGE']);
}

/** Of a program that is not there Node tells by an event. */
function letSpawnsFail(): void {
  const { execPath } = process;
  process.execPath = join(tmpdir(), 'no', 'node');
  onTestFinished(() => void (process.execPath = execPath));
}

test.each([
  ['throws', letSpawnsThrow],
  ['tells by an event', letSpawnsFail],
])('a spawn of which Node %s is told by an error event', async (_, prepare) => {
  prepare();
  const child = startChild({ script: '', isSource: false });
  await once(child, 'spawn').then(
    () => expect.unreachable('it was spawned'),
    (error: unknown) => expect(error).toBeInstanceOf(Error),
  );
  expect(child.pid).toBeUndefined();
});

test.each([
  ['throws', letSpawnsThrow],
  ['tells by an event', letSpawnsFail],
])(
  'where a spawn %s, words alone answer: a query is refused as unavailable',
  async (_, prepare) => {
    prepare();
    const dir = mkdtempSync(join(tmpdir(), 'lectern-child-'));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    const scope = new Scope('test');
    const booted = await bootEmbedder({ dir, isWritable: true });
    const log = { info: () => {}, warn: () => {} };
    const embedder = startEmbedder({ scope, log, booted, queryTimeoutMs: 300 });
    await expect(embedder.embedQuery('prune a tree')).rejects.toBeInstanceOf(EmbedderUnavailable);
    await scope.close();
  },
);

test.each(['exits', 'throws'])(
  'a child that heeds nothing does not outlive a daemon that %s',
  async (how) => {
    const script = join(import.meta.dirname, 'leave-a-child.ts');
    const args = ['--import', 'tsx', script, how];
    const { stdout, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    const pid = Number(stdout);
    expect(pid).toBeGreaterThan(0);
    expect(status).toBe(how === 'exits' ? 60 : 1);
    onTestFinished(() => {
      if (lives(pid)) process.kill(pid, 'SIGKILL');
    });
    await eventually(() => expect(lives(pid)).toBe(false));
  },
);

test('children that came and went leave nothing that waits for the end of this process', async () => {
  const before = process.listenerCount('exit');
  for (let n = 0; n < 3; n += 1) {
    await once(startChild({ script: '', isSource: false }), 'exit');
  }
  letSpawnsFail();
  await once(startChild({ script: '', isSource: false }), 'spawn').catch(() => {});
  expect(process.listenerCount('exit')).toBe(before);
});

function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
