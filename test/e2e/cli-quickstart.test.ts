import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readDaemonRecord } from '../../src/protocol/link/daemon-file.ts';
import { isAlive } from '../../src/protocol/link/process-identity.ts';
import { type Cli, ORCHARD, openCli } from './run-cli.ts';

const BIN = join(import.meta.dirname, '..', '..', 'bin', 'lectern.js');

let cli: Cli;
beforeAll(async () => {
  cli = await openCli();
  await cli.write('orchard', ORCHARD);
});
afterAll(() => cli.close());

const privateRoot = (stdout: string): string => /private library in (\S+);/.exec(stdout)![1]!;

test('the tour of own folders enrols, searches, loads and leaves nothing behind', async () => {
  const { stdout, stderr, code } = await cli.run(
    ['quickstart', '../orchard', '--query', 'plan a whip graft'],
    { env: { LECTERN_HOME: undefined } },
  );
  expect(stderr).toBe('');
  expect(code).toBe(0);
  expect(stdout).toMatch(/\(orchard\): 2 plugins, 4 entries, searchable after/);
  expect(stdout).toMatch(/ {2}1 {2}[\d.]+ {2}graft-plan/);
  expect(stdout).toMatch(/characters in [\d.]+ ms, beginning:\n {2}\| # graft-plan/);
  expect(stdout).toContain(`claude mcp add --scope user lectern -- ${process.execPath} ${BIN} mcp`);
  expect(existsSync(privateRoot(stdout))).toBe(false);
  expect(await readdir(join(cli.root, 'home'))).toEqual([]);
});

test('--json is one object with the steps, their times and what was found', async () => {
  const { stdout, records, code } = await cli.run(['quickstart', '../orchard', '--json'], {
    env: { LECTERN_HOME: undefined },
  });
  expect(code).toBe(0);
  expect(stdout.trimEnd().split('\n')).toHaveLength(1);
  expect(records()[0]).toMatchObject({
    catalogs: [{ name: 'orchard', plugins: 2, searchable_ms: expect.any(Number) }],
    initialize_ms: expect.any(Number),
    searches: expect.arrayContaining([expect.objectContaining({ query: expect.any(String) })]),
    command: [process.execPath, BIN, 'mcp'],
  });
  const times = [...stdout.matchAll(/ms":([\d.]+)/g)].map(([, ms]) => ms);
  expect(times.length).toBeGreaterThan(3);
  for (const ms of times) expect(ms).toMatch(/^\d+(\.\d)?$/);
});

test('the tour of a clone ends with commands that work there', async () => {
  const { stdout } = await cli.run(['quickstart', '../orchard'], {
    env: { LECTERN_HOME: undefined },
  });
  expect(stdout).toContain('--query "…"');
  expect(stdout).not.toContain('lectern problems');
  expect(stdout).toContain(`npm install --global ${join(BIN, '..', '..')}\n`);
});

test('the starter catalog answers tasks put in other words than its own', async () => {
  const { stdout, code } = await cli.run(['quickstart'], { env: { LECTERN_HOME: undefined } });
  expect(code).toBe(0);
  expect(stdout).toContain('14 entries');
  expect(stdout).toContain('bisect-a-regression');
});

test('--global enrols into the own library and keeps it', async () => {
  const { code } = await cli.run(['quickstart', '../orchard', '--global', '--query', 'graft']);
  expect(code).toBe(0);
  const { records } = await cli.run(['catalog', 'list', '--json']);
  expect(records()).toHaveLength(1);
});

test('a project bound to a workspace does not send the tour of a private library there', async () => {
  await cli.run(['workspace', 'init', 'team', '--bind']);
  for (const env of [{}, { LECTERN_WORKSPACE: 'team' }]) {
    const { stdout, stderr, code } = await cli.run(
      ['quickstart', '../orchard', '--query', 'plan a whip graft'],
      { env: { LECTERN_HOME: undefined, ...env } },
    );
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/ {2}1 {2}[\d.]+ {2}graft-plan/);
  }
});

test('--global searches the workspace that it enrolled into', async () => {
  const { stdout, code } = await cli.run([
    ...['quickstart', '../orchard', '--global'],
    ...['--query', 'plan a whip graft', '-w', 'team'],
  ]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/ {2}1 {2}[\d.]+ {2}graft-plan/);
  await cli.run(['workspace', 'remove', 'team', '--force']);
});

test('a folder that is none is an error before anything is started', async () => {
  const { code, stdout, error } = await cli.run(['quickstart', '/no/such', '--json']);
  expect([code, stdout]).toEqual([7, '']);
  expect(error().message).toContain('/no/such');
});

test('Ctrl-C stops the daemon, removes the private library and exits 8', async () => {
  const child = spawn(process.execPath, [BIN, 'quickstart', join(cli.root, 'orchard')], {
    env: { PATH: process.env['PATH'], HOME: join(cli.root, 'home') },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  const code = await new Promise((resolve) => {
    let record: ReturnType<typeof readDaemonRecord>;
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
      if (record !== undefined || !stdout.includes('searchable after')) return;
      record = readDaemonRecord(join(privateRoot(stdout), 'daemon.json'));
      expect(record).toBeDefined();
      child.kill('SIGINT');
    });
    child.once('close', (exit) => {
      expect(isAlive(record!)).toBe(false);
      resolve(exit);
    });
  });
  expect(code).toBe(8);
  expect(existsSync(privateRoot(stdout))).toBe(false);
});
