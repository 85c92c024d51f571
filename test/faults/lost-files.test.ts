import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '../eventually.ts';
import { faultOf, type LibraryBench, openLibraryBench } from '../wire/library-bench.ts';

async function openEnrolled(): Promise<LibraryBench> {
  const bench = openLibraryBench({ skills: 3 });
  await bench.enrol();
  return bench;
}

async function countCatalogs(bench: LibraryBench): Promise<number> {
  const { code, stdout, stderr } = await bench.cli('catalog', 'list', '--json');
  if (code !== 0) throw new Error(stderr);
  return stdout.split('\n').filter((line) => line !== '').length;
}

test('state.db removed under a running daemon is written back, told of, and there after its end', async () => {
  const bench = await openEnrolled();
  const { stateDb } = bench.paths;
  for (const suffix of ['', '-wal', '-shm']) rmSync(stateDb + suffix, { force: true });
  await eventually(() => expect(existsSync(stateDb)).toBe(true), 10_000);
  const told = /state\.db was removed while the daemon ran; what was decided was written back/;
  expect((await bench.cli('status')).stdout).toMatch(told);
  expect((await bench.cli('doctor')).stdout).toMatch(told);
  process.kill((await bench.daemon()).pid, 'SIGKILL');
  expect(await countCatalogs(bench)).toBe(1);
});

test('state.db removed right before the daemon is told to stop loses nothing', async () => {
  const bench = await openEnrolled();
  rmSync(bench.paths.stateDb);
  expect((await bench.cli('daemon', 'stop')).code).toBe(0);
  expect(await countCatalogs(bench)).toBe(1);
});

test('another state.db put in its place holds; what was decided before is among the backups', async () => {
  const bench = await openEnrolled();
  const fresh = openLibraryBench({ skills: 1 });
  expect((await fresh.cli('workspace', 'init', 'fresh')).code).toBe(0);
  await fresh.cli('daemon', 'stop');
  renameSync(fresh.paths.stateDb, bench.paths.stateDb);
  await eventually(async () => {
    expect(await countCatalogs(bench)).toBe(0);
    expect((await bench.cli('workspace', 'list')).stdout).toContain('fresh');
  }, 10_000);
  expect(readdirSync(bench.paths.backups).join()).toContain('replaced');
  expect((await bench.cli('status')).stdout).toMatch(/was replaced while the daemon ran/);
});

test('index.db removed under a running daemon is made anew, and answers are right again', async () => {
  const bench = await openEnrolled();
  const proxy = bench.start();
  for (const suffix of ['', '-wal', '-shm']) rmSync(bench.paths.indexDb + suffix, { force: true });
  await eventually(() => expect(existsSync(bench.paths.indexDb)).toBe(true), 10_000);
  await eventually(async () => {
    const question = bench.question(0);
    expect(faultOf(question, await proxy.call(question.tool, question.args))).toBeUndefined();
  }, 20_000);
  const { pid } = await bench.daemon();
  expect(bench.daemonPids()).toEqual([pid]);
});

test('owner.db removed under a running daemon: it lets go, since nobody is kept out any more', async () => {
  const bench = await openEnrolled();
  const { pid } = await bench.daemon();
  rmSync(bench.paths.ownerDb);
  await eventually(() => expect(bench.daemonPids()).not.toContain(pid), 15_000);
  expect(await countCatalogs(bench)).toBe(1);
  expect(bench.daemonPids()).toHaveLength(1);
});

test('a log removed under a running daemon is begun anew', async () => {
  const bench = await openEnrolled();
  rmSync(bench.paths.daemonLog);
  await eventually(async () => {
    await bench.cli('daemon', 'reload');
    expect(existsSync(bench.paths.daemonLog)).toBe(true);
  }, 10_000);
  expect(readFileSync(bench.paths.daemonLog, 'utf8')).toContain('configuration read again');
  expect(existsSync(join(bench.paths.logs, 'daemon.log.1'))).toBe(false);
});
