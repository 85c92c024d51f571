import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { noteBirth } from '../../src/protocol/link/births.ts';
import { statePaths } from '../../src/protocol/link/state-paths.ts';
import { eventually } from '../eventually.ts';
import { type Cli, openCli } from './run-cli.ts';
import { startLectern } from './start-lectern.ts';

let cli: Cli;
beforeAll(async () => {
  cli = await openCli();
});
afterAll(() => cli.close());

test('the daemon starts once, tells its status, restarts as another process and stops', async () => {
  const before = await cli.run(['daemon', 'status', '--json']);
  expect(before.code).toBe(10);
  expect(before.records()).toMatchObject([{ running: false }]);

  const [started] = (await cli.run(['daemon', 'start', '--json'])).records();
  expect(started).toMatchObject({ started: true });
  const [again] = (await cli.run(['daemon', 'start', '--json'])).records();
  expect(again).toMatchObject({ started: false, pid: started!['pid'] });

  const status = await cli.run(['daemon', 'status', '--json']);
  expect(status.code).toBe(0);
  expect(status.records()).toMatchObject([{ running: true, pid: started!['pid'] }]);

  const [restarted] = (await cli.run(['daemon', 'restart', '--json'])).records();
  expect(restarted).toMatchObject({ restarted: true });
  expect(restarted!['pid']).not.toBe(started!['pid']);

  const [stopped] = (await cli.run(['daemon', 'stop', '--json'])).records();
  expect(stopped).toEqual({ stopped: true, pid: restarted!['pid'] });
  expect((await cli.run(['daemon', 'stop', '--json'])).records()).toEqual([{ stopped: false }]);
});

test('a stopped daemon is not called dead, and every command about it says how to wake it', async () => {
  const [started] = (await cli.run(['daemon', 'start', '--json'])).records();
  const pid = started!['pid'] as number;
  process.kill(pid, 'SIGSTOP');
  onTestFinished(() => void process.kill(pid, 'SIGCONT'));
  const asked = await Promise.all(
    ['status', 'stop', 'reload'].map((word) => cli.run(['daemon', word, '--json'])),
  );
  for (const each of asked) {
    expect(each.code).toBe(60);
    expect(each.error().message).toContain(`pid ${pid}`);
    expect(each.error()).toMatchObject({ next: expect.stringContaining(`kill -CONT ${pid}`) });
  }
}, 30_000);

test('its log can be read while it is not running, from a level upwards', async () => {
  const all = await cli.run(['daemon', 'logs', '--json']);
  expect(all.records().length).toBeGreaterThan(0);
  for (const record of all.records()) {
    expect(Object.keys(record)).toEqual(expect.arrayContaining(['ts', 'level', 'target', 'msg']));
  }
  const fatal = await cli.run(['daemon', 'logs', '--level', 'fatal', '--json']);
  expect(fatal.stdout).toBe('');
  const one = await cli.run(['daemon', 'logs', '--lines', '1']);
  expect(one.stdout.trimEnd().split('\n')).toHaveLength(1);
});

test('its log can be followed, until Ctrl-C', async () => {
  await cli.run(['daemon', 'start']);
  const args = [cli.bin, 'daemon', 'logs', '--follow', '--lines', '0', '--json'];
  const following = spawn(process.execPath, args, {
    cwd: cli.cwd,
    env: {
      PATH: process.env['PATH'],
      HOME: join(cli.root, 'home'),
      LECTERN_HOME: join(cli.root, 'state'),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void following.kill('SIGKILL'));
  let lines = '';
  following.stdout.on('data', (chunk) => (lines += chunk));
  // Again and again, since nobody tells when it has begun to follow.
  await eventually(async () => {
    await cli.run(['daemon', 'reload']);
    expect(lines).toContain('configuration read again');
  }, 20_000);
  for (const line of lines.trimEnd().split('\n')) expect(JSON.parse(line)).toHaveProperty('ts');
  const exited = once(following, 'exit');
  following.kill('SIGINT');
  expect(await exited).toEqual([0, null]);
});

test('a session is listed with pid, harness, workspace, directory, calls and age', async () => {
  await cli.run(['workspace', 'init', 'orchard']);
  const agent = await startLectern({ cli, workspace: 'orchard', harness: 'claude-code' });
  onTestFinished(() => agent.close());
  const unbound = await startLectern({ cli, harness: 'cursor' });
  onTestFinished(() => unbound.close());
  await agent.call('list_plugins');
  const [status] = (await cli.run(['daemon', 'status', '--json'])).records();
  const sessions = status!['sessionList'] as Record<string, unknown>[];
  expect(sessions.find(({ harness }) => harness === 'cursor')).toMatchObject({
    workspace: null,
    resolvedWorkspace: 'global',
  });
  expect(sessions.find(({ harness }) => harness === 'claude-code')).toMatchObject({
    pid: agent.pid,
    harness: 'claude-code',
    workspace: 'orchard',
    resolvedWorkspace: 'orchard',
    cwd: expect.stringContaining(cli.root),
    // The handshake is a call, too.
    calls: 2,
    ageMs: expect.any(Number),
  });
  const { stdout } = await cli.run(['daemon', 'status']);
  const row = stdout.split('\n').find((line) => line.includes('claude-code'))!;
  expect(row.split(/ {2,}/).map((cell) => cell.trim())).toEqual(
    expect.arrayContaining([String(agent.pid), 'claude-code', 'orchard']),
  );
  expect(row).toContain(cli.root);
  const listed = (await cli.run(['daemon', 'sessions', '--json'])).records();
  expect(listed.map(({ harness, role }) => [harness, role])).toEqual([
    ['claude-code', 'mcp'],
    ['cursor', 'mcp'],
  ]);
  expect((await cli.run(['daemon', 'sessions'])).stdout).toContain('claude-code');
});

test('without a daemon nobody is connected and nothing is in flight', async () => {
  await cli.run(['daemon', 'stop']);
  expect(await cli.run(['daemon', 'sessions'])).toMatchObject({
    code: 0,
    stdout: 'the daemon is not running\n',
  });
  expect((await cli.run(['daemon', 'sessions', '--json'])).records()).toEqual([]);
  expect((await cli.run(['daemon', 'drain', '--json'])).records()).toEqual([
    { isIdle: true, inFlight: 0 },
  ]);
  const [status] = (await cli.run(['daemon', 'status', '--json'])).records();
  expect(status).toMatchObject({ running: false });
});

test('a daemon that was born too often is named by daemon status, status and doctor, and daemon start releases it', async () => {
  const paths = statePaths(join(cli.root, 'state'));
  const fill = () => {
    for (let n = 0; n < 12; n += 1) noteBirth(paths);
  };
  const named = /started \d+ times within a minute/;
  await cli.run(['daemon', 'stop']);
  fill();
  const stopped = await cli.run(['daemon', 'status']);
  expect(stopped.code).toBe(10);
  expect(stopped.stdout).toMatch(/waits \d+ s \(at once: lectern daemon start\)/);
  const [record] = (await cli.run(['daemon', 'status', '--json'])).records();
  expect(record!['births']).toEqual({
    births: expect.any(Number),
    waitMs: expect.any(Number),
  });

  const [started] = (await cli.run(['daemon', 'start', '--json'])).records();
  expect(started).toMatchObject({ started: true });
  fill();
  expect((await cli.run(['daemon', 'status'])).stdout).toMatch(named);
  const [status] = (await cli.run(['status', '--json'])).records();
  expect(status!['notes']).toContainEqual(
    expect.stringMatching(/started.*\(lectern daemon start\)/),
  );
  const [doctor] = (await cli.run(['doctor', '--json'])).records();
  expect(doctor!['suggested_fixes']).toContainEqual({
    subsystem: 'daemon',
    diagnosis: expect.stringMatching(named),
    command: 'lectern daemon start',
    auto_fixable: false,
  });
  await cli.run(['daemon', 'start']);
  expect((await cli.run(['daemon', 'status'])).stdout).not.toMatch(named);
  expect((await cli.run(['doctor'])).stdout).not.toMatch(named);
});
