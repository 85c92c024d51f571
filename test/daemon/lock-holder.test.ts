import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { mayBeHeldInSight, readHolders } from '../../daemon/lock-holder.ts';
import { takeOwnerLock } from '../../daemon/owner-lock.ts';
import { lastBirthAt } from '../../src/protocol/link/births.ts';
import { readLastWords } from '../../src/protocol/link/spawn-daemon.ts';
import { statePaths } from '../../src/protocol/link/state-paths.ts';
import { eventually } from '../eventually.ts';
import { openBench } from '../wire/bench.ts';

/** Another pid namespace, whose processes see each other alone. */
const APART = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc'];
const canPart = spawnSync(APART[0]!, [...APART.slice(1), 'true']).status === 0;

const hasLocks = existsSync('/proc/locks');

test.skipIf(!hasLocks)('the holder of a lock is seen, whoever asks for it', async () => {
  const root = mkdtempSync(join(tmpdir(), 'lectern-holder-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const path = join(root, 'owner.db');
  const script = `
    const Database = require(${JSON.stringify(createRequire(import.meta.url).resolve('libsql'))});
    new Database(${JSON.stringify(path)}).exec('BEGIN EXCLUSIVE');
    require('node:fs').writeFileSync(${JSON.stringify(`${path}.held`)}, '');
    setInterval(() => {}, 1000);
  `;
  const holder: ChildProcess = spawn(process.execPath, ['-e', script]);
  onTestFinished(() => void holder.kill('SIGKILL'));
  await eventually(() => expect(existsSync(`${path}.held`)).toBe(true));
  expect(readHolders()).toContain(holder.pid);
  expect(mayBeHeldInSight(path, () => true)).toBe(true);
  // Stopped, it holds the lock all the same.
  holder.kill('SIGSTOP');
  expect(mayBeHeldInSight(path, () => true)).toBe(true);
  const other = join(root, 'other.db');
  writeFileSync(other, '');
  expect(mayBeHeldInSight(other, () => true)).toBe(false);
  // Where the kernel lists none of ours, that others are missing proves nothing.
  expect(mayBeHeldInSight(other, () => false)).toBe(true);
});

test('a state root owned from out of sight: one birth, then a read-only session that says why', async ({
  skip,
}) => {
  if (!canPart || !hasLocks) {
    console.warn('SKIPPED: no pid namespace can be made here, so no owner is out of sight');
    skip();
  }
  const bench = await openBench();
  const lock = await takeOwnerLock(bench.paths);
  onTestFinished(() => lock!.release());
  const proxy = bench.start([], {}, undefined, APART);
  expect((await proxy.call('session')).result.value.readOnly).toBe(true);
  expect(readLastWords(bench.paths)).toMatch(/is owned by a daemon out of sight/);
  expect(readFileSync(bench.paths.lastWords, 'utf8').match(/did not start/g)).toHaveLength(1);
  // None that keeps dying: agents there do not wait for each other's.
  expect(lastBirthAt(bench.paths)).toBeUndefined();
}, 60_000);

test.skipIf(!hasLocks)('of a file that is not there nothing is proved', () => {
  expect(mayBeHeldInSight(statePaths('/nonexistent').ownerDb, () => true)).toBe(true);
});
