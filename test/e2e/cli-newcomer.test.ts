import { rename, rm, writeFile } from 'node:fs/promises';
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
