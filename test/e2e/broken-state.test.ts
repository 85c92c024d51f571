import { mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { COMPOSED_METHODS } from '../../daemon/composed-methods.ts';
import { composeFailure } from '../../daemon/failed-surface.ts';
import { LecternError } from '../../src/core/errors.ts';
import { type Cli, ORCHARD, openCli } from './run-cli.ts';

let cli: Cli;
let state: string;

beforeEach(async () => {
  cli = await openCli();
  onTestFinished(() => cli.close());
  const catalog = await cli.write('orchard', ORCHARD);
  expect((await cli.run(['catalog', 'add', catalog, '--enable'])).code).toBe(0);
  await cli.run(['daemon', 'stop']);
  state = join(cli.root, 'state');
});

test('L-178 L-206 commands say why the state cannot be opened, with its exit code and what to do', async () => {
  for (const suffix of ['-wal', '-shm']) rmSync(join(state, `state.db${suffix}`), { force: true });
  writeFileSync(join(state, 'state.db'), 'garbage '.repeat(2_000));
  for (const command of [['catalog', 'list'], ['query', 'prune'], ['status']]) {
    const failed = await cli.run([...command, '--json']);
    expect([failed.code, failed.stdout]).toEqual([7, '']);
    expect(failed.error()).toMatchObject({ category: 'io', exit_code: 7 });
    expect(failed.error().message).toContain(join(state, 'state.db'));
  }
  const said = await cli.run(['catalog', 'list']);
  expect(said.stderr).toMatch(/next: .*state\.db.*lectern daemon restart/);
  const doctor = await cli.run(['doctor']);
  expect(doctor.stdout).toContain('state.db');
});

test('a directory or pipe in place of config.toml leaves status and search standing', async () => {
  mkdirSync(join(state, 'config.toml'));
  expect((await cli.run(['catalog', 'list', '--json'])).error()).toMatchObject({ exit_code: 5 });
  const status = await cli.run(['status']);
  expect(status.stdout).toContain('config.toml');
  rmSync(join(state, 'config.toml'), { recursive: true });
  expect((await cli.run(['query', 'prune a tree'])).stdout).toContain('prune-tree');
});

test('a state root that is a link, a file or below a file is usage, and is not touched', async () => {
  const real = join(cli.root, 'real');
  const link = join(cli.root, 'link');
  mkdirSync(real);
  symlinkSync(real, link);
  const file = await cli.write('plain', { file: 'x' });
  for (const root of [
    link,
    `${link}/`,
    `${link}/.`,
    join(file, 'file'),
    join(file, 'file', 'below'),
  ]) {
    const failed = await cli.run(['catalog', 'list', '--json'], { env: { LECTERN_HOME: root } });
    expect(failed.error()).toMatchObject({ category: 'usage', exit_code: 2 });
    expect(failed.error().message).toContain(resolve(root));
  }
  expect(readdirSync(real)).toEqual([]);
});

test('a state root too long for a database is usage, and says how long it may be', async () => {
  const deep = (length: number) =>
    `${cli.root}${'/deep'.repeat(length)}`.slice(0, length).replace(/\/$/, 'd');
  // Also one that no file system takes.
  for (const length of [401, 600, 5000]) {
    const env = { LECTERN_HOME: deep(length) };
    for (const args of [['status'], ['daemon', 'start'], ['query', 'x']]) {
      const failed = await cli.run([...args, '--json'], { env });
      expect(failed.error()).toMatchObject({ category: 'usage', exit_code: 2 });
      expect(failed.error().message).toContain(`has ${length} bytes, and may have 400`);
    }
  }
  const env = { LECTERN_HOME: deep(400) };
  onTestFinished(() => void cli.run(['daemon', 'stop'], { env }));
  const started = await cli.run(['daemon', 'start', '--json'], { env });
  expect(started.records()).toMatchObject([{ started: true }]);
  expect((await cli.run(['daemon', 'stop'], { env })).code).toBe(0);
});

test("every method beside the shell's own is refused with the failure", async () => {
  const failure = new LecternError('schema_too_new', 'state.db has schema 9');
  const { admin } = composeFailure(failure);
  const { handlers } = await admin();
  expect(Object.keys(handlers).sort()).toEqual(COMPOSED_METHODS.map(({ method }) => method).sort());
  for (const handle of Object.values(handlers)) {
    await expect(handle({}, {} as never)).rejects.toBe(failure);
  }
});
