import { spawnSync } from 'node:child_process';
import { cp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLineClient } from '../../src/cli/quickstart/line-client.ts';
import { type Cli, ORCHARD, openCli } from './run-cli.ts';

const BIN = join(import.meta.dirname, '..', '..', 'bin', 'lectern.js');

let cli: Cli;
let config: string;
beforeAll(async () => {
  cli = await openCli();
  config = join(cli.root, 'state', 'config.toml');
  await cli.write('orchard', ORCHARD);
  await cli.run(['catalog', 'add', '../orchard', '--enable']);
});
afterAll(() => cli.close());

test.each([
  ['an unknown section', '[qeury]\ntop_k = 3\n', 'qeury'],
  ['an address for everybody', '[http]\nlisten = "0.0.0.0:7421"\n', 'http.listen'],
])(
  'a config.toml with %s fails the reload, and every status tells it once',
  async (_, text, key) => {
    await writeFile(config, text);
    const reload = await cli.run(['daemon', 'reload', '--json']);
    expect([reload.code, reload.error().category]).toEqual([5, 'manifest_invalid']);
    expect(reload.error().message).toContain(`${config}: ${key}`);

    const daemon = await cli.run(['daemon', 'status']);
    expect(daemon.stdout).toMatch(/^config: +ignored: .*config\.toml/m);
    expect(daemon.stderr).toBe('next: mend config.toml, then: lectern daemon reload\n');
    expect((await cli.run(['daemon', 'restart'])).stderr).toContain('config.toml is ignored');

    const status = await cli.run(['status']);
    expect(status.stdout.split(key)).toHaveLength(2);
    expect(status.stderr).toBe('next: mend config.toml, then: lectern daemon reload\n');
    expect((await cli.run(['doctor'])).stdout).toContain('config.toml is ignored');

    await rm(config);
    expect((await cli.run(['daemon', 'reload'])).code).toBe(0);
  },
);

test('status and doctor agree about a catalog whose directory is gone', async () => {
  const folder = join(cli.root, 'orchard');
  await rename(folder, `${folder}-away`);
  try {
    const status = await cli.run(['status']);
    expect(status.code).toBe(10);
    expect(status.stdout).toContain(`error ${folder}\n`);
    expect(status.stdout).toContain(
      'fix: put the directory back, or: lectern catalog remove orchard',
    );
    const doctor = await cli.run(['doctor']);
    expect(doctor.code).toBe(10);
    expect(doctor.stdout).toContain('!!  catalog orchard: ');
    expect(doctor.stdout).toContain('lectern catalog remove orchard');
  } finally {
    await rename(`${folder}-away`, folder);
  }
});

test('a client that names itself is shown by that name', async () => {
  const client = await openLineClient([process.execPath, BIN, 'mcp'], {
    cwd: cli.cwd,
    env: { PATH: process.env['PATH'], HOME: cli.root, LECTERN_HOME: join(cli.root, 'state') },
  });
  try {
    const { stdout } = await cli.run(['daemon', 'status']);
    expect(stdout).toMatch(/^ +\d+ +lectern-quickstart +library/m);
  } finally {
    await client.close();
  }
});

test.each([
  [['-w', 'nope', 'status']],
  [['--workspace', 'nope', 'status']],
  [['--workspace=nope', '--no-color', 'status']],
])('%j: global flags may stand before the command', async (args) => {
  const { code, stderr } = await cli.run(args);
  expect([code, stderr]).toEqual([13, expect.stringContaining('"nope"')]);
});

test('what stands behind -- stays there', async () => {
  const { code, records } = await cli.run(['--json', 'query', '--', '--prune']);
  expect([code, records()]).toEqual([0, [expect.objectContaining({ scoring: expect.anything() })]]);
});

test('every way to ask for the help of tui prints the same', async () => {
  const { stdout: help } = await cli.run(['tui', 'help']);
  expect(help).toContain('validate FILE');
  expect((await cli.run(['tui', '--help'])).stdout).toBe(help);
  expect((await cli.run(['help', 'tui'])).stdout).toBe(help);
  expect(await cli.run(['tui'])).toMatchObject({ stdout: '', stderr: help, code: 1 });
});

test.each([[['status']], [['mcp']], [['tui', 'help']]])(
  '%j in a clone that is not built says how to build it',
  async (args) => {
    const bin = join(cli.root, 'clone', 'bin');
    await cp(join(BIN, '..'), bin, { recursive: true });
    const { status, stderr } = spawnSync(process.execPath, [join(bin, 'lectern.js'), ...args], {
      encoding: 'utf8',
    });
    expect(status).toBe(1);
    expect(stderr).toBe(
      `error: lectern is not built\nnext: npm run build, in ${join(cli.root, 'clone')}\n`,
    );
  },
);
