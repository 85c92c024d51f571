import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { LecternError } from '../../src/core/errors.ts';
import { daemonStatus } from '../../src/protocol/admin/daemon-status.ts';
import { drainDaemon } from '../../src/protocol/admin/drain-daemon.ts';
import { listSessions } from '../../src/protocol/admin/list-sessions.ts';
import { readLogs } from '../../src/protocol/admin/read-logs.ts';
import { reloadDaemon } from '../../src/protocol/admin/reload-daemon.ts';
import { stopDaemon } from '../../src/protocol/admin/stop-daemon.ts';
import { connectAdmin } from '../../src/protocol/client.ts';
import { identifySelf } from '../../src/protocol/link/process-identity.ts';
import { eventually } from '../eventually.ts';
import { openBench } from '../wire/bench.ts';

const method = <P extends z.ZodType, R extends z.ZodType>(name: string, params: P, result: R) => ({
  method: name,
  params,
  result,
});

/** A running echo daemon and an admin client on it. */
async function openAdmin() {
  const bench = await openBench();
  const proxy = bench.start(['--harness', 'cursor']);
  await proxy.call('pid');
  const admin = await connectAdmin({ env: bench.env, autostart: false, cwd: bench.root });
  return { bench, proxy, admin };
}

test('sessions are listed, oldest first', async () => {
  const { admin, proxy } = await openAdmin();
  const sessions = await admin.call(listSessions, {});
  admin.close();
  expect(sessions).toMatchObject([
    { role: 'mcp', surface: 'library', harness: 'cursor', pid: proxy.child.pid, calls: 1 },
    { role: 'admin', pid: process.pid, inFlight: 1 },
  ]);
});

test('the daemon tells what it is', async () => {
  const { admin, bench } = await openAdmin();
  const status = await admin.call(daemonStatus, {});
  admin.close();
  expect(status).toMatchObject({
    pid: (await bench.daemon()).pid,
    mode: 'socket',
    sessions: 2,
    idleExitMs: 1_800_000,
    startupFailure: null,
    isRetiring: false,
  });
});

test('L-181 every log record has ts, level, target, msg', async () => {
  const { admin } = await openAdmin();
  const { records } = await admin.call(readLogs, {});
  admin.close();
  expect(records.length).toBeGreaterThan(0);
  for (const record of records) {
    expect(record).toMatchObject({ target: expect.any(String), msg: expect.any(String) });
    expect(record['level']).toMatch(/^[a-z]+$/);
    expect(new Date(String(record['ts'])).toISOString()).toBe(record['ts']);
  }
});

test('a method that the daemon does not know is told with its version and what to do', async () => {
  const { admin } = await openAdmin();
  for (const name of ['no.such', '__proto__', 'constructor', 'rpc.discover']) {
    const error = await admin.call(method(name, z.any(), z.any()), {}).catch((e) => e);
    expect(error).toMatchObject({
      message: `the daemon that runs, version ${admin.version}, does not know ${name}`,
      next: 'lectern daemon restart',
    });
  }
  admin.close();
});

test('an error arrives with its category, code and next step', async () => {
  const { admin } = await openAdmin();
  const failing = method('echo.fail', z.object({}), z.null());
  const error = await admin.call(failing, {}).catch((e) => e);
  admin.close();
  expect(error).toBeInstanceOf(LecternError);
  expect(error).toMatchObject({
    category: 'catalog_not_found',
    exitCode: 3,
    message: 'no catalog named "pear"',
    details: { code: 'unknown_catalog', extras: { catalog: 'pear' } },
  });
});

test('a fault in a handler arrives as internal', async () => {
  const { admin } = await openAdmin();
  const error = await admin.call(method('echo.break', z.object({}), z.null()), {}).catch((e) => e);
  admin.close();
  expect(error).toMatchObject({ category: 'internal', message: 'a fault' });
});

test('progress comes while a call runs, to the call it belongs to', async () => {
  const { admin } = await openAdmin();
  const steps = method(
    'echo.steps',
    z.object({ steps: z.number() }),
    z.object({ steps: z.number() }),
  );
  const seen: [string, number][] = [];
  const onProgress =
    (name: string) =>
    ({ done }: { done: number }) =>
      seen.push([name, done]);
  await Promise.all([
    admin.call(steps, { steps: 2 }, { onProgress: onProgress('a') }),
    admin.call(steps, { steps: 3 }, { onProgress: onProgress('b') }),
  ]);
  admin.close();
  expect(seen.filter(([name]) => name === 'a').map(([, done]) => done)).toEqual([1, 2]);
  expect(seen.filter(([name]) => name === 'b').map(([, done]) => done)).toEqual([1, 2, 3]);
});

test('parameters are checked by the daemon too', async () => {
  const { admin } = await openAdmin();
  const loose = method('logs', z.object({ lines: z.any() }), z.any());
  const error = await admin.call(loose, { lines: 'many' }).catch((e) => e);
  admin.close();
  expect(error).toMatchObject({ category: 'usage' });
  expect(error.message).toMatch(/^logs: lines: /);
});

test('an unknown method is an error, not a hang', async () => {
  const { admin } = await openAdmin();
  const error = await admin.call(method('no.such', z.object({}), z.any()), {}).catch((e) => e);
  admin.close();
  expect(error.category).toBe('internal');
});

test('the daemon reads files through the command that asked', async () => {
  const { admin, bench } = await openAdmin();
  writeFileSync(join(bench.root, 'note'), 'read by the client');
  const read = method('echo.read', z.object({ path: z.string() }), z.object({ text: z.string() }));
  const answer = await admin.call(read, { path: join(bench.root, 'note') });
  admin.close();
  expect(answer.text).toBe('read by the client');
});

test('stop answers, drains and ends the daemon', async () => {
  const { admin, bench } = await openAdmin();
  const { pid } = await admin.call(stopDaemon, {});
  admin.close();
  expect(pid).toBeGreaterThan(0);
  await eventually(() => expect(bench.daemonPids()).not.toContain(pid));
});

test('drain tells whether everything is answered', async () => {
  const { admin, bench, proxy } = await openAdmin();
  expect(await admin.call(drainDaemon, { timeoutMs: 1000 })).toEqual({ isIdle: true, inFlight: 0 });
  void proxy.call('wait_for', { started: join(bench.root, 's'), file: join(bench.root, 'never') });
  await eventually(async () => {
    expect((await admin.call(listSessions, {}))[0]!.inFlight).toBe(1);
  });
  expect(await admin.call(drainDaemon, { timeoutMs: 1 })).toEqual({ isIdle: false, inFlight: 1 });
  admin.close();
});

test('the configuration is read again on request and on SIGHUP', async () => {
  const { admin, bench } = await openAdmin();
  const reloads = () => readFileSync(join(bench.root, 'reloaded'), 'utf8');
  expect(await admin.call(reloadDaemon, {})).toEqual({ reloaded: true });
  expect(reloads()).toBe('.');
  process.kill((await bench.daemon()).pid, 'SIGHUP');
  await eventually(() => expect(reloads()).toBe('..'));
  admin.close();
});

test('sessions are logged to mcp.log', async () => {
  const { admin, bench } = await openAdmin();
  admin.close();
  const records = readFileSync(bench.paths.mcpLog, 'utf8').trim().split('\n');
  expect(JSON.parse(records[0]!)).toMatchObject({ target: 'session', msg: 'session opened' });
});

test('logging.level says how much the logs tell; LECTERN_LOG wins over it', async () => {
  const quiet = await openBench();
  writeFileSync(quiet.paths.config, '[logging]\nlevel = "off"\n', { mode: 0o600 });
  await quiet.start().call('pid');
  expect(readFileSync(quiet.paths.daemonLog, 'utf8')).toBe('');
  const told = await openBench();
  writeFileSync(told.paths.config, '[logging]\nlevel = "off"\n', { mode: 0o600 });
  await told.start([], { LECTERN_LOG: 'trace' }).call('pid');
  await eventually(() =>
    expect(readFileSync(told.paths.mcpLog, 'utf8')).toContain('"msg":"received"'),
  );
});

test('LECTERN_MCP_LOG names another file, or none', async () => {
  const bench = await openBench();
  const elsewhere = join(bench.root, 'elsewhere.log');
  await bench.start([], { LECTERN_MCP_LOG: elsewhere }).call('pid');
  expect(readFileSync(elsewhere, 'utf8')).toContain('session opened');
  expect(existsSync(bench.paths.mcpLog)).toBe(false);
  const silent = await openBench();
  await silent.start([], { LECTERN_MCP_LOG: 'off' }).call('pid');
  expect(existsSync(silent.paths.mcpLog)).toBe(false);
});

test('a call whose daemon dies fails as mcp_io, and says where to look', async () => {
  const { admin, bench } = await openAdmin();
  const call = admin.call(method('echo.hang', z.object({}), z.any()), {});
  process.kill((await bench.daemon()).pid, 'SIGKILL');
  await expect(call).rejects.toMatchObject({
    category: 'mcp_io',
    details: { next: expect.stringContaining('lectern status') },
  });
});

test('without autostart an absent daemon is mcp_startup', async () => {
  const bench = await openBench();
  const connect = connectAdmin({ env: bench.env, autostart: false });
  await expect(connect).rejects.toMatchObject({
    category: 'mcp_startup',
    details: { extras: { verdict: 'absent' } },
  });
});

test('a daemon that lives but cannot be reached from here is not called dead', async () => {
  const bench = await openBench();
  const socket = join(bench.root, 'elsewhere.sock');
  const record = { ...identifySelf(), socket, tokenFile: bench.paths.tokenFile };
  writeFileSync(bench.paths.daemonFile, JSON.stringify(record));
  const connect = connectAdmin({ env: bench.env, autostart: false });
  await expect(connect).rejects.toThrow(
    `the daemon (pid ${process.pid}) cannot be reached from here: connect ENOENT ${socket}`,
  );
});

test('an unusable state root is a usage error', async () => {
  await expect(connectAdmin({ env: { LECTERN_HOME: 'x' } })).rejects.toMatchObject({ exitCode: 2 });
});
