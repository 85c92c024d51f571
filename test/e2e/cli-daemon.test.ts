import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Cli, openCli } from './run-cli.ts';

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
