import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { takeOwnerLock } from '../../daemon/owner-lock.ts';
import { readDaemonRecord } from '../../src/protocol/link/daemon-file.ts';
import { identifySelf, isAlive } from '../../src/protocol/link/process-identity.ts';
import { eventually } from '../eventually.ts';
import { faultOf, type LibraryBench, openLibraryBench } from '../wire/library-bench.ts';
import type { McpProcess } from '../wire/mcp-process.ts';

const MINUTES = 60_000;

/** Ask the `number`-th question through a proxy; undefined when the answer is right. */
async function ask(bench: LibraryBench, proxy: McpProcess, number = 0) {
  const question = bench.question(number);
  return faultOf(question, await proxy.call(question.tool, question.args));
}

async function openEnrolled(skills = 6): Promise<LibraryBench> {
  const bench = openLibraryBench({ skills });
  await bench.enrol();
  return bench;
}

test(
  '50 proxies racing on an enrolled library give birth to one daemon, and all are answered',
  async () => {
    const bench = await openEnrolled();
    const { pid } = await bench.daemon();
    process.kill(pid, 'SIGKILL');
    const proxies = Array.from({ length: 50 }, () => bench.start());
    const faults = await Promise.all(proxies.map((proxy, number) => ask(bench, proxy, number)));
    expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
    expect(bench.daemonPids()).toEqual([(await bench.daemon()).pid]);
    expect(existsSync(bench.paths.spawnTicket)).toBe(false);
  },
  3 * MINUTES,
);

test(
  'a daemon stopped for 30 seconds is judged alive by proxies and commands, and goes on',
  async () => {
    const bench = await openEnrolled();
    const proxy = bench.start();
    await proxy.handshake();
    // The handshake is answered before the daemon has welcomed the proxy; this one is in its hands.
    expect(await ask(bench, proxy)).toBeUndefined();
    const { pid } = await bench.daemon();
    process.kill(pid, 'SIGSTOP');
    const stoppedAt = performance.now();
    onTestFinished(() => {
      if (bench.daemonPids().includes(pid)) process.kill(pid, 'SIGCONT');
    });
    const waiting = ask(bench, proxy);
    const late = bench.start();
    expect((await late.handshake()).result.serverInfo.name).toBe('lectern');
    // Hosts give up after a minute: this one is told before that, and told what stands in the way.
    const refused = await late.call('list_catalogs');
    expect(refused.error?.message).toMatch(/nothing was done.*no welcome within 5000 ms/s);
    const left = 30_000 - (performance.now() - stoppedAt);
    await new Promise((resolve) => setTimeout(resolve, left));
    expect(bench.daemonPids()).toEqual([pid]);
    process.kill(pid, 'SIGCONT');
    expect(await waiting).toBeUndefined();
    expect(await ask(bench, late, 1)).toBeUndefined();
    expect(bench.daemonPids()).toEqual([pid]);
  },
  2 * MINUTES,
);

test(
  'a starter that is stopped with the spawn ticket delays one birth, and the next not at all',
  async () => {
    const bench = await openEnrolled();
    await bench.cli('daemon', 'stop');
    const stopped = spawn('sleep', ['600']);
    onTestFinished(() => void stopped.kill('SIGKILL'));
    process.kill(stopped.pid!, 'SIGSTOP');
    writeFileSync(
      bench.paths.spawnTicket,
      JSON.stringify({ ...identifySelf(), pid: stopped.pid, startTime: null }),
    );
    const proxies = Array.from({ length: 10 }, () => bench.start());
    const faults = await Promise.all(proxies.map((proxy, number) => ask(bench, proxy, number)));
    expect(faults.filter((fault) => fault !== undefined)).toEqual([]);
    expect(bench.daemonPids()).toEqual([(await bench.daemon()).pid]);
    // Nobody has to wait for the stopped one again.
    await eventually(() => expect(existsSync(bench.paths.spawnTicket)).toBe(false));
  },
  2 * MINUTES,
);

test('a socket file deleted under a live daemon: the daemon ends, one successor serves', async () => {
  const bench = await openEnrolled();
  const proxy = bench.start();
  expect(await ask(bench, proxy)).toBeUndefined();
  const { pid, socket } = await bench.daemon();
  unlinkSync(socket);
  const late = bench.start();
  expect(await ask(bench, late, 1)).toBeUndefined();
  expect(await ask(bench, proxy, 2)).toBeUndefined();
  expect((await bench.daemon()).pid).not.toBe(pid);
  await eventually(() => expect(bench.daemonPids()).toHaveLength(1));
});

test('a state root removed under a running daemon: the daemon ends, the next one serves it empty', async () => {
  const bench = await openEnrolled();
  const proxy = bench.start();
  expect(await ask(bench, proxy)).toBeUndefined();
  const { pid } = await bench.daemon();
  rmSync(bench.paths.root, { recursive: true });
  await eventually(() => expect(bench.daemonPids()).not.toContain(pid));
  const catalogs = await proxy.call('list_catalogs');
  expect(catalogs.result?.structuredContent.catalogs).toEqual([]);
  await bench.enrol();
  expect(await ask(bench, proxy, 1)).toBeUndefined();
  expect(bench.daemonPids()).toEqual([(await bench.daemon()).pid]);
});

test('a runtime directory and a temp directory other than the daemon’s lead to the same daemon', async () => {
  const bench = await openEnrolled();
  const { pid } = await bench.daemon();
  const elsewhere = join(bench.home, 'elsewhere');
  mkdirSync(elsewhere, { mode: 0o700 });
  for (const env of [
    { XDG_RUNTIME_DIR: elsewhere, TMPDIR: elsewhere },
    { XDG_RUNTIME_DIR: '/nonexistent', TMPDIR: '/nonexistent' },
  ]) {
    expect(await ask(bench, bench.start([], { env }))).toBeUndefined();
  }
  expect(bench.daemonPids()).toEqual([pid]);
});

test('a state root too deep for a socket is served all the same', async () => {
  const bench = openLibraryBench({ skills: 3 });
  const deep = join(bench.home, 'd'.repeat(110));
  mkdirSync(deep, { mode: 0o700 });
  const proxy = bench.start([], { env: { LECTERN_HOME: deep } });
  expect((await proxy.call('list_catalogs')).error).toBeUndefined();
  const record = readDaemonRecord(join(deep, 'daemon.json'))!;
  const hash = createHash('sha256').update(deep).digest('hex').slice(0, 12);
  expect(record.socket).toContain(hash);
  expect(Buffer.byteLength(record.socket)).toBeLessThanOrEqual(103);
  process.kill(record.pid, 'SIGKILL');
  await eventually(() => expect(isAlive(record)).toBe(false));
  rmSync(dirname(record.socket), { recursive: true, force: true });
});

test('files of another boot, and of a process whose pid another one has now, stop nobody', async () => {
  const bench = await openEnrolled();
  const { pid } = await bench.daemon();
  const record = JSON.parse(readFileSync(bench.paths.daemonFile, 'utf8'));
  process.kill(pid, 'SIGKILL');
  await eventually(() => expect(bench.daemonPids()).toEqual([]));
  for (const stale of [
    { ...identifySelf(), bootId: 'another-boot' },
    { ...identifySelf(), startTime: '1' },
    { ...identifySelf(), pid: 2 ** 22 - 1 },
  ]) {
    writeFileSync(bench.paths.daemonFile, JSON.stringify({ ...record, ...stale }));
    writeFileSync(bench.paths.spawnTicket, JSON.stringify(stale));
    rmSync(join(bench.paths.root, 'births.json'), { force: true });
    const proxy = bench.start();
    expect(await ask(bench, proxy)).toBeUndefined();
    expect(bench.daemonPids()).toHaveLength(1);
    process.kill(bench.daemonPids()[0]!, 'SIGKILL');
    proxy.child.kill('SIGKILL');
    await proxy.exited;
    await eventually(() => {
      for (const late of bench.daemonPids()) process.kill(late, 'SIGKILL');
      expect(bench.daemonPids()).toEqual([]);
    });
  }
});

test(
  'a state root that is owned from where we cannot see: sessions only read, and go over once it is free',
  async () => {
    const bench = await openEnrolled();
    await bench.cli('daemon', 'stop');
    // As a daemon on another machine does, on a disk that both share.
    const lock = await takeOwnerLock(bench.paths);
    writeFileSync(
      bench.paths.daemonFile,
      JSON.stringify({
        pid: process.pid,
        bootId: 'another machine',
        startTime: '1',
        socket: join(bench.paths.root, 'lectern-elsewhere.sock'),
        tokenFile: bench.paths.tokenFile,
      }),
    );
    const proxy = bench.start();
    await proxy.handshake();
    // Two births wait for the lock first; on a busy machine the first call gives up before that.
    await eventually(async () => expect(await ask(bench, proxy)).toBeUndefined(), MINUTES);
    const [standIn] = bench.daemonPids();
    expect(readFileSync(`/proc/${standIn}/cmdline`, 'latin1')).toContain('--stdio');
    lock!.release();
    expect((await bench.cli('daemon', 'start')).code).toBe(0);
    const born = await bench.daemon();
    await eventually(() => expect(bench.daemonPids()).toEqual([born.pid]), 30_000);
    expect(await ask(bench, proxy, 1)).toBeUndefined();
  },
  2 * MINUTES,
);

test('a daemon that we may not signal is alive: it is waited for, and none is started beside it', async (context) => {
  const bench = openLibraryBench({ skills: 3 });
  const drop = ['--reuid=65534', '--regid=65534', '--clear-groups'];
  if (spawnSync('setpriv', [...drop, 'true']).status !== 0) {
    console.warn('SKIPPED: setpriv cannot change the uid here, so EPERM is not tested');
    context.skip();
    return;
  }
  const { bootId, startTime } = identifySelf();
  const script = `
    import { isAlive } from ${JSON.stringify(join(import.meta.dirname, '../../src/protocol/link/process-identity.ts'))};
    const ours = ${JSON.stringify({ pid: process.pid, bootId, startTime })};
    try { process.kill(ours.pid, 0); } catch (error) { console.log(error.code); }
    console.log(isAlive(ours), isAlive({ ...ours, startTime: '1' }));
  `;
  const said = spawnSync(
    'setpriv',
    [
      ...drop,
      process.execPath,
      '--import',
      import.meta.resolve('tsx'),
      '--input-type=module',
      '-e',
      script,
    ],
    { encoding: 'utf8', cwd: '/', env: { PATH: process.env['PATH'], HOME: '/nonexistent' } },
  );
  expect(said.stdout).toBe('EPERM\ntrue false\n');
  expect(bench.daemonPids()).toEqual([]);
});
