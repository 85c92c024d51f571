import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { daemonStatus } from '../../src/protocol/admin/daemon-status.ts';
import { connectAdmin } from '../../src/protocol/client.ts';
import { forgiveBirths, noteBirth } from '../../src/protocol/link/births.ts';
import { readDaemonRecord } from '../../src/protocol/link/daemon-file.ts';
import { identifySelf } from '../../src/protocol/link/process-identity.ts';
import { reachDaemon } from '../../src/protocol/link/reach-daemon.ts';
import { readLastWords } from '../../src/protocol/link/spawn-daemon.ts';
import type { StatePaths } from '../../src/protocol/link/state-paths.ts';
import { eventually } from '../eventually.ts';
import { openBench } from '../wire/bench.ts';
import { plainHello } from './raw-client.ts';

test('20 proxies started at once without a daemon give birth to one', async () => {
  const bench = await openBench();
  const proxies = Array.from({ length: 20 }, () => bench.start());
  const pids = await Promise.all(proxies.map(async (p) => (await p.call('pid')).result.value));
  expect(new Set(pids).size).toBe(1);
  expect(bench.daemonPids()).toEqual([pids[0]]);
  expect(existsSync(bench.paths.spawnTicket)).toBe(false);
}, 60_000);

test('20 proxies that lose their daemon give birth to one', async () => {
  const bench = await openBench();
  const proxies = Array.from({ length: 20 }, () => bench.start());
  const first = (await Promise.all(proxies.map((p) => p.call('pid'))))[0]!.result.value;
  process.kill(first, 'SIGKILL');
  const pids = await Promise.all(proxies.map(async (p) => (await p.call('pid')).result.value));
  expect(new Set(pids).size).toBe(1);
  expect(pids[0]).not.toBe(first);
  expect(bench.daemonPids()).toEqual([pids[0]]);
}, 60_000);

test('a socket and a record left by a dead daemon do not stop the next birth', async () => {
  const bench = await openBench();
  await bench.start().call('pid');
  const { pid, socket } = await bench.daemon();
  process.kill(pid, 'SIGKILL');
  await eventually(() => expect(bench.daemonPids()).toEqual([]));
  expect(existsSync(socket)).toBe(true);
  expect((await bench.start().call('echo', { text: 'born' })).result.value).toBe('born');
  expect(existsSync(socket)).toBe(false);
});

test('a record whose pid now belongs to another process is stale', async () => {
  const bench = await openBench();
  writeFileSync(
    bench.paths.daemonFile,
    JSON.stringify({
      ...identifySelf(),
      startTime: '1',
      socket: join(bench.root, 'none.sock'),
      tokenFile: bench.paths.tokenFile,
    }),
  );
  expect((await bench.start().call('echo', { text: 'born' })).result.value).toBe('born');
});

test('a record with a wrong token is refused by the daemon and explained to the client', async () => {
  const bench = await openBench();
  await bench.start().call('pid');
  const record = await bench.daemon();
  const forged = join(bench.root, 'forged');
  mkdirSync(forged, { mode: 0o700 });
  const tokenFile = join(forged, 'token');
  writeFileSync(tokenFile, 'guess');
  writeFileSync(join(forged, 'daemon.json'), JSON.stringify({ ...record, tokenFile }));
  const connect = connectAdmin({ env: { LECTERN_HOME: forged }, autostart: false });
  await expect(connect).rejects.toThrow(/refuses: the token is not that of this daemon/);
  expect((await bench.daemon()).pid).toBe(record.pid);
});

test.each([
  ['removed', (file: string) => rmSync(file)],
  ['overwritten', (file: string) => writeFileSync(file, 'guess')],
])(
  'a token %s under a live daemon: it lets go, and a successor serves',
  async (_what, spoil) => {
    const bench = await openBench();
    const proxy = bench.start();
    const first = (await proxy.call('pid')).result.value;
    spoil(bench.paths.tokenFile);
    const late = bench.start();
    const second = (await late.call('pid')).result.value;
    expect(second).not.toBe(first);
    expect((await proxy.call('pid')).result.value).toBe(second);
    expect(bench.daemonPids()).toEqual([second]);
  },
  60_000,
);

test('a stopped daemon is alive: no second one is started, and calls go on when it goes on', async () => {
  const bench = await openBench();
  await bench.start().call('pid');
  const { pid } = await bench.daemon();
  process.kill(pid, 'SIGSTOP');
  const proxy = bench.start();
  // Held for the daemon, answered from the snapshot: the socket takes connections all the while.
  expect((await proxy.handshake()).result.serverInfo.name).toBe('snapshot');
  const answer = proxy.call('pid');
  await eventually(() => expect(bench.daemonPids()).toEqual([pid]));
  process.kill(pid, 'SIGCONT');
  expect((await answer).result.value).toBe(pid);
});

test('a client of a newer version replaces the daemon, once; its sessions go over', async () => {
  const bench = await openBench();
  const proxy = bench.start();
  await proxy.handshake();
  const first = (await proxy.call('pid')).result.value;
  const connection = await reachDaemon({
    paths: bench.paths,
    env: { PATH: process.env['PATH'], ...bench.env },
    introduction: { ...plainHello, version: '999.0.0', role: 'admin' },
    events: { onFrame: () => {}, onClose: () => {} },
    autostart: true,
  });
  connection.close();
  // The successor is not of version 999 either; it is taken as it is.
  expect(connection.welcome.pid).not.toBe(first);
  expect((await bench.daemon()).pid).toBe(connection.welcome.pid);
  await proxy.request('ping');
  expect(bench.daemonPids()).toEqual([connection.welcome.pid]);
}, 60_000);

test('a state root that cannot be written is served read-only over stdio', async () => {
  const bench = await openBench();
  // A file where the log directory should be: every birth fails.
  writeFileSync(bench.paths.logs, '');
  const proxy = bench.start();
  expect((await proxy.call('session')).result.value.readOnly).toBe(true);
  expect(readDaemonRecord(bench.paths.daemonFile)).toBeUndefined();
});

test('pipes in place of every file of ours hold nobody: the daemon is born and replaces them', async () => {
  const bench = await openBench();
  mkdirSync(bench.paths.logs, { mode: 0o700 });
  const { daemonFile, tokenFile, newestDaemon, spawnTicket, breadcrumb, config, daemonLog } =
    bench.paths;
  const own = ['births.json', 'service.json', 'ground.json', 'logs/daemon.out', 'logs/mcp.log'];
  execFileSync('mkfifo', [
    ...[daemonFile, tokenFile, newestDaemon, spawnTicket, breadcrumb, config, daemonLog],
    ...own.map((name) => join(bench.root, name)),
  ]);
  expect((await bench.start().call('echo', { text: 'born' })).result.value).toBe('born');
  expect((await bench.daemon()).pid).toBe(bench.daemonPids()[0]);
});

test('a directory in place of the record: the session is read-only, and its reason names it', async () => {
  const bench = await openBench();
  mkdirSync(bench.paths.daemonFile);
  const proxy = bench.start();
  expect((await proxy.call('session')).result.value.readOnly).toBe(true);
  const connect = connectAdmin({ env: bench.env, autostart: false });
  await expect(connect).rejects.toThrow(/no daemon is running/);
  expect(readLastWords(bench.paths)).toContain('daemon.json is a directory, where a file belongs');
}, 60_000);

test('a state root removed under a running daemon: the next call gets a new one', async () => {
  const bench = await openBench();
  const proxy = bench.start();
  const first = (await proxy.call('pid')).result.value;
  rmSync(bench.root, { recursive: true });
  await eventually(() => expect(bench.daemonPids()).not.toContain(first));
  const second = (await proxy.call('pid')).result.value;
  expect(second).not.toBe(first);
  expect(readdirSync(bench.root)).toContain('daemon.json');
});

test('a service file says how to start the daemon; when that fails it is started directly', async () => {
  const bench = await openBench();
  writeFileSync(
    join(bench.root, 'service.json'),
    JSON.stringify({ start: ['/bin/sh', '-c', `touch ${bench.root}/asked; exit 1`] }),
  );
  expect((await bench.start().call('echo', { text: 'born' })).result.value).toBe('born');
  expect(existsSync(join(bench.root, 'asked'))).toBe(true);
});

test('a service manager that takes the order and starts nothing is passed over', async () => {
  const bench = await openBench();
  const start = ['/bin/sh', '-c', `echo asked >> ${bench.root}/asked`];
  writeFileSync(join(bench.root, 'service.json'), JSON.stringify({ start }));
  expect((await bench.start().call('echo', { text: 'born' })).result.value).toBe('born');
  expect(readFileSync(join(bench.root, 'asked'), 'utf8')).toBe('asked\n');
});

/** As many births as slow the next one down to the longest wait. */
function noteManyBirths(paths: StatePaths): void {
  for (let n = 0; n < 12; n += 1) noteBirth(paths, Date.now());
}

test('a client that the limiter of births holds back is told so, and goes on when it is released', async () => {
  const bench = await openBench();
  noteManyBirths(bench.paths);
  // Else this process would start the daemon from source.
  const start = [process.execPath, join(bench.product, 'dist/daemon/main.cjs'), 'run'];
  writeFileSync(join(bench.root, 'service.json'), JSON.stringify({ start }));
  const told: string[] = [];
  const reached = reachDaemon({
    paths: bench.paths,
    env: { PATH: process.env['PATH'], ...bench.env },
    // No newer than the daemon, which would be replaced.
    introduction: { ...plainHello, version: '0.0.1', role: 'admin' },
    events: { onFrame: () => {}, onClose: () => {} },
    autostart: true,
    onAbsent: (why) => void told.push(why),
  });
  await eventually(() =>
    expect(told.at(-1)).toMatch(
      /started 12 times within a minute.*waits \d+ s \(at once: lectern daemon start\)/,
    ),
  );
  expect(bench.daemonPids()).toEqual([]);
  forgiveBirths(bench.paths);
  const connection = await reached;
  connection.close();
  expect(bench.daemonPids()).toEqual([connection.welcome.pid]);
});

test('something that listens but never welcomes is not taken for a daemon', async () => {
  const bench = await openBench();
  const socket = join(bench.root, 'mute.sock');
  const server = createServer(() => {}).listen(socket);
  onTestFinished(() => void server.close());
  writeFileSync(
    bench.paths.daemonFile,
    JSON.stringify({ ...identifySelf(), socket, tokenFile: bench.paths.tokenFile }),
  );
  const connect = connectAdmin({ env: bench.env, autostart: false });
  await expect(connect).rejects.toThrow(/does not answer: no welcome within 5000 ms/);
}, 20_000);

test('where state root and TMPDIR are too deep for a socket, /tmp serves', async () => {
  const bench = await openBench();
  const deep = join(bench.root, 'd'.repeat(100));
  mkdirSync(deep, { mode: 0o700 });
  const env = { LECTERN_HOME: deep, TMPDIR: deep };
  const proxy = bench.start([], env);
  expect((await proxy.call('session')).result.value.readOnly).toBe(false);
  const record = readDaemonRecord(join(deep, 'daemon.json'))!;
  expect(record.socket).toMatch(/^\/tmp\/lectern-\d+-[0-9a-f]{12}\/lectern-/);
  process.kill(record.pid, 'SIGTERM');
  await eventually(() => expect(existsSync(dirname(record.socket))).toBe(false));
});

test('autostart gives birth for a command as for a proxy', async () => {
  const bench = await openBench();
  const proxy = bench.start();
  await proxy.call('pid');
  const admin = await connectAdmin({ env: bench.env });
  const status = await admin.call(daemonStatus, {});
  admin.close();
  expect(status.stateRoot).toBe(bench.root);
});
