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
    expect(daemon.stdout).toMatch(/^config: +malformed \(commands exit 5, .*config\.toml/m);
    expect(daemon.stderr).toBe('next: mend config.toml, then: lectern daemon reload\n');
    expect((await cli.run(['daemon', 'restart'])).stderr).toContain('config.toml is malformed');

    const status = await cli.run(['status']);
    expect(status.stdout.split(key)).toHaveLength(2);
    // What status says of commands and of agents is what both get.
    expect(status.stdout).toContain('commands exit 5, agents get the defaults');
    expect((await cli.run(['query', 'prune', '--json'])).error().exit_code).toBe(5);
    expect(status.stderr).toBe('next: mend config.toml, then: lectern daemon reload\n');
    expect((await cli.run(['doctor'])).stdout).toContain('config.toml is malformed');

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
    expect(stdout).toMatch(/^ +\d+ +\d+ +lectern-quickstart +library/m);
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

test('without a daemon of its own, a change says what is in the way', async () => {
  const { code, stderr } = await cli.run(['catalog', 'add', '../work'], {
    env: { LECTERN_NO_DAEMON: '1' },
  });
  expect(code).toBe(7);
  expect(stderr).toContain('error: nothing can be changed: LECTERN_NO_DAEMON is set\n');
  expect(stderr).toContain('next: unset LECTERN_NO_DAEMON');
});

test('top --once of an unknown workspace fails as status does', async () => {
  const top = await cli.run(['top', '--once', '-w', 'nope']);
  const status = await cli.run(['status', '-w', 'nope']);
  expect([top.code, top.stdout, top.stderr]).toEqual([13, '', status.stderr]);
});

test.each([
  [['catalog', 'add'], 'error: missing: SOURCE (Path, URL,', 'lectern catalog add --help'],
  [
    ['workspace', 'rename'],
    'error: missing: OLD (Its name now) and NEW (',
    'lectern workspace rename --help',
  ],
  [['top', '--once', '--size', 'banana'], 'error: --size takes', 'lectern top --help'],
])('%j: one line of error, and the help of that command', async (args, error, next) => {
  const { code, stderr } = await cli.run(args);
  expect(code).toBe(2);
  expect(stderr.trimEnd().split('\n')).toEqual([expect.stringContaining(error), `next: ${next}`]);
});

test('a relative state root is told with what to set', async () => {
  const { stderr } = await cli.run(['status'], { env: { LECTERN_HOME: 'here' } });
  expect(stderr).toContain('next: set LECTERN_HOME or HOME to an absolute directory');
});

test('an export that cannot be written says why in words', async () => {
  const { code, stderr } = await cli.run(['state', 'export', '-o', '/nope/x']);
  expect([code, stderr.split('\n', 1)[0]]).toEqual([
    7,
    'error: cannot write /nope/x: its directory does not exist',
  ]);
});

test('a directory without a workspace is told in plain words, with the command that binds it', async () => {
  const { code, stderr } = await cli.run(['workspace', 'current']);
  expect([code, stderr]).toEqual([12, expect.stringContaining('next: lectern workspace use NAME')]);
  const { stdout } = await cli.run(['workspace', 'info']);
  expect(stdout).toMatch(/^global \(used where no workspace is bound\)$/m);
  await cli.run(['workspace', 'init', 'team']);
  const removed = await cli.run(['workspace', 'remove', 'team', '--yes']);
  expect([removed.code, removed.stdout]).toEqual([0, 'removed team\n']);
});

test('reindex --force tells what was rewritten, not that everything changed', async () => {
  const { stdout } = await cli.run(['reindex', '--force']);
  expect(stdout).toContain('4 rewritten; vectors are kept where the text is as before');
});

test('help says each thing once, and --non-interactive what it does', async () => {
  const { stdout } = await cli.run(['doctor', '--help']);
  expect(stdout.split('Examine lectern and the machine')).toHaveLength(2);
  expect(stdout).toContain('DESCRIPTION\n  Reads only.');
  expect(stdout).toContain('Never ask: go ahead without the confirmation.');
  expect((await cli.run(['status', '--help'])).stdout).not.toContain('DESCRIPTION');
});

test('nothing offers a surface that this version has not', async () => {
  const help = await cli.run(['mcp', '--help']);
  expect(help.stdout).not.toMatch(/registry/i);
  expect((await cli.run(['completion', 'zsh'])).stdout).not.toMatch(/registry/i);
});

test('clearing tiers tells how things stand, not that every entry had one', async () => {
  const skills = Array.from({ length: 21 }, (_, at) => [
    `skills/s${at}/SKILL.md`,
    `---\nname: s${at}\ndescription: Skill ${at}.\n---\ns\n`,
  ]);
  await cli.write('many', Object.fromEntries(skills));
  await cli.run(['catalog', 'add', '../many', '--enable']);
  const set = await cli.run(['tier', 'set', '--plugin', 'many/many', '2']);
  expect(set.stdout).toBe('21 entries set to tier 2\n');
  const { stdout } = await cli.run(['tier', 'clear', '--plugin', 'many/many']);
  expect(stdout).toBe('21 entries now without a tier of their own\n');
});

test('tier set names its arguments by what they are', async () => {
  const { stderr } = await cli.run(['tier', 'set']);
  expect(stderr).toMatch(/^error: missing: ENTRY \(/);
});
