import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { takeOwnerLock } from '../../daemon/owner-lock.ts';
import { forgiveBirths, noteBirth } from '../../src/protocol/link/births.ts';
import { readDaemonRecord } from '../../src/protocol/link/daemon-file.ts';
import { isAlive } from '../../src/protocol/link/process-identity.ts';
import { eventually } from '../eventually.ts';
import { type Bench, openBench } from '../wire/bench.ts';

const entryOf = (bench: Bench) => join(bench.product, 'dist/daemon/main.cjs');

/** The daemon's entry run by something like a service manager; killed with the test. */
function runDaemon(
  bench: Bench,
  args: string[],
  env: Record<string, string> = bench.env,
  entry = entryOf(bench),
) {
  const child: ChildProcess = spawn(process.execPath, [entry, 'run', ...args], {
    env: { PATH: process.env['PATH'], HOME: bench.root, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const run = { child, stderr: '' };
  child.stderr!.on('data', (chunk) => (run.stderr += chunk));
  const exited = new Promise((resolve) => child.once('exit', resolve));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  return run;
}

test('a service waits while another daemon owns the state root, and takes over at its end', async () => {
  const bench = await openBench();
  const proxy = bench.start();
  const first = (await proxy.call('pid')).result.value;
  const service = runDaemon(bench, ['--service']);
  await eventually(() => expect(service.stderr).toContain('waiting for its end'));
  expect((await bench.daemon()).pid).toBe(first);
  // Without the proxy: it would start a daemon of its own and might be first.
  proxy.child.kill('SIGKILL');
  await proxy.exited;
  process.kill(first, 'SIGKILL');
  await eventually(() =>
    expect(readDaemonRecord(bench.paths.daemonFile)?.pid).toBe(service.child.pid),
  );
  expect(service.child.exitCode).toBeNull();
  expect((await bench.start().call('pid')).result.value).toBe(service.child.pid);
});

test('a service waits for an owner that it cannot see, and takes over at its end', async () => {
  const bench = await openBench();
  // As a daemon in a container that shares the state root: it holds the lock, its pid is nobody's here.
  const owner = await takeOwnerLock(bench.paths);
  const service = runDaemon(bench, ['--service']);
  await eventually(() => expect(service.stderr).toContain('waiting for its end'), 30_000);
  expect(service.child.exitCode).toBeNull();
  owner!.release();
  await eventually(async () => expect((await bench.daemon()).pid).toBe(service.child.pid));
  expect(service.stderr.match(/waiting/g)).toHaveLength(1);
}, 60_000);

test('a service that is upgraded while it waits leaves the old beginning of itself behind', async () => {
  const bench = await openBench();
  const owner = (await bench.start().call('pid')).result.value;
  // As a package is replaced: gone for a moment, then another file.
  const entry = join(bench.root, 'main.cjs');
  const install = () => writeFileSync(entry, `require(${JSON.stringify(entryOf(bench))});`);
  install();
  const service = runDaemon(bench, ['--service'], bench.env, entry);
  await eventually(() => expect(service.stderr).toContain('waiting for its end'));
  rmSync(entry);
  // Takes the inode that was freed.
  writeFileSync(`${entry}.other`, '');
  install();
  await eventually(() => expect(service.child.exitCode).toBe(75));
  expect(service.stderr).toContain('was upgraded');
  expect((await bench.daemon()).pid).toBe(owner);
});

test('a second daemon that is no service ends at once and well', async () => {
  const bench = await openBench();
  await bench.start().call('pid');
  const second = runDaemon(bench, []);
  await eventually(() => expect(second.child.exitCode).toBe(0));
  expect(second.stderr).toContain('another daemon owns');
});

test('a service that keeps dying comes back ever more slowly, until it is released or ordered', async () => {
  const bench = await openBench();
  const births = () => JSON.parse(readFileSync(join(bench.root, 'births.json'), 'utf8')).length;
  const startRestarted = async () => {
    rmSync(join(bench.root, 'births.json'), { force: true });
    // Dead for as long as a manager rests, so that nobody seems to have ordered it.
    for (let n = 0; n < 12; n += 1) noteBirth(bench.paths, Date.now() - 5_000);
    const service = runDaemon(bench, ['--service']);
    await eventually(() => expect(service.stderr).toMatch(/started 12 times.*waits \d+ s/));
    expect(readDaemonRecord(bench.paths.daemonFile)).toBeUndefined();
    return service;
  };
  const released = await startRestarted();
  forgiveBirths(bench.paths);
  await eventually(async () => expect((await bench.daemon()).pid).toBe(released.child.pid));
  expect(births()).toBe(1);
  released.child.kill('SIGTERM');
  await eventually(() => expect(released.child.exitCode).toBe(0));

  const ordered = await startRestarted();
  // A client that has waited for its turn.
  noteBirth(bench.paths);
  await eventually(async () => expect((await bench.daemon()).pid).toBe(ordered.child.pid));
  expect(births()).toBe(13);
});

test('the first births of a service wait for nothing', async () => {
  const bench = await openBench();
  const service = runDaemon(bench, ['--service']);
  await eventually(async () => expect((await bench.daemon()).pid).toBe(service.child.pid));
  expect(service.stderr).toBe('');
});

test('SIGTERM ends a daemon although a call never ends, and its client is told', async () => {
  const bench = await openBench();
  const proxy = bench.start();
  const [started, file] = [join(bench.root, 'started'), join(bench.root, 'never')];
  const answer = proxy.call('hold', { started, file });
  await eventually(() => readFileSync(started));
  const record = await bench.daemon();
  process.kill(record.pid, 'SIGTERM');
  // The five seconds that what is in flight gets, and as many again for a busy machine.
  await eventually(() => expect(isAlive(record)).toBe(false), 20_000);
  expect((await answer).error?.data).toMatchObject({ code: 'outcome_unknown' });
});

test('a waiting service ends when it is told to', async () => {
  const bench = await openBench();
  await bench.start().call('pid');
  const service = runDaemon(bench, ['--service']);
  await eventually(() => expect(service.stderr).toContain('waiting for its end'));
  service.child.kill('SIGTERM');
  await eventually(() => expect(service.child.signalCode).toBe('SIGTERM'));
});

test('--state-root wins over LECTERN_HOME', async () => {
  const bench = await openBench();
  const other = mkdtempSync(join(tmpdir(), 'lectern-elsewhere-'));
  onTestFinished(() => rmSync(other, { recursive: true, force: true }));
  const daemon = runDaemon(bench, ['--state-root', bench.root], { LECTERN_HOME: other });
  await eventually(() =>
    expect(readDaemonRecord(bench.paths.daemonFile)?.pid).toBe(daemon.child.pid),
  );
  expect(readDaemonRecord(join(other, 'daemon.json'))).toBeUndefined();
});

test('an installed service is what a client starts: the daemon is born under it', async () => {
  const bench = await openBench();
  const entry = join(bench.product, 'dist/daemon/main.cjs');
  const script = join(bench.root, 'start-service');
  // As a service manager: takes the order, answers at once, and starts it in its own environment.
  writeFileSync(
    script,
    `#!/bin/sh\nLECTERN_BORN_BY=manager setsid ${process.execPath} ${entry} run --service </dev/null >/dev/null 2>&1 &\n`,
  );
  chmodSync(script, 0o700);
  writeFileSync(join(bench.root, 'service.json'), JSON.stringify({ start: [script] }));
  const pid = (await bench.start().call('pid')).result.value;
  expect(readFileSync(`/proc/${pid}/environ`, 'latin1')).toContain('LECTERN_BORN_BY=manager');
  expect(bench.daemonPids()).toEqual([pid]);
});
