import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Cli, openCli } from './run-cli.ts';

let cli: Cli;
beforeAll(async () => {
  cli = await openCli();
});
afterAll(() => cli.close());

const FULL = '/dev/full';
const canFill = existsSync(FULL);
if (!canFill) console.warn(`SKIPPED: output to a full disk: there is no ${FULL}`);

/** One run of the product by a shell that stands in a directory removed since. */
async function runNowhere(args: string, input = ''): Promise<{ out: string; err: string }> {
  const gone = join(cli.root, 'gone');
  mkdirSync(gone);
  const script = `cd "${gone}" && rmdir "${gone}" && "${process.execPath}" "${cli.bin}" ${args}`;
  const child = spawn('sh', ['-c', script], { env: environment() });
  child.stdin.end(input);
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { out, err };
}

const environment = () => ({
  PATH: process.env['PATH'],
  HOME: join(cli.root, 'home'),
  LECTERN_HOME: join(cli.root, 'state'),
});

test('a command works in a directory that was removed', async () => {
  const { out, err } = await runNowhere('status --json');
  expect(JSON.parse(out)).toMatchObject({ overall: 'ok' });
  expect(err).not.toContain('uv_cwd');
});

test('an agent whose directory was removed is answered by the daemon', async () => {
  const call = { method: 'tools/call', params: { name: 'list_catalogs', arguments: {} } };
  const { out, err } = await runNowhere(
    'mcp',
    `${JSON.stringify({ jsonrpc: '2.0', id: 1, ...call })}\n`,
  );
  expect(JSON.parse(out)).toMatchObject({ id: 1, result: { structuredContent: {} } });
  expect(err).toBe('');
});

test('the markup program says its help in a directory that was removed', async () => {
  const { out, err } = await runNowhere('tui help');
  expect(out).toContain('tui');
  expect(err).toBe('');
});

test.skipIf(!canFill).each([
  ['a command', ['status']],
  ['a command for scripts', ['status', '--json']],
  ['the version', ['--version']],
  ['the help', ['--help']],
])(
  '%s whose output meets a full disk fails by one error, not by a stack (SKIPPED without /dev/full)',
  async (_, args) => {
    const full = openSync(FULL, 'w');
    const child = spawn(process.execPath, [cli.bin, ...args], {
      env: environment(),
      cwd: cli.cwd,
      stdio: ['ignore', full, 'pipe'],
    });
    closeSync(full);
    const [err, [code]] = await Promise.all([text(child.stderr!), once(child, 'exit')]);
    expect(err).toContain('the output cannot be written: the disk is full');
    expect(err).not.toMatch(/\n\s+at /);
    expect(code).toBe(7);
  },
);

test.skipIf(!canFill)(
  'a command whose errors meet a full disk still ends with its own exit code (SKIPPED without /dev/full)',
  async () => {
    for (const [args, expected] of [
      [['nonsense'], 2],
      [['catalog', 'show', 'nobody'], 3],
      [['catalog', 'list', '--json'], 0],
      [['catalog', 'list'], 0],
    ] as const) {
      const full = openSync(FULL, 'w');
      const child = spawn(process.execPath, [cli.bin, ...args], {
        env: environment(),
        cwd: cli.cwd,
        stdio: ['ignore', 'ignore', full],
      });
      closeSync(full);
      const [code] = await once(child, 'exit');
      expect({ args, code }).toEqual({ args, code: expected });
    }
  },
);

/** A uid that no password database has, as containers are run under. */
const NOBODY_KNOWN = 2_123_456_789;
const canBeAnyone = process.getuid?.() === 0;
if (!canBeAnyone) console.warn('SKIPPED: another uid: this needs root');

test.skipIf(!canBeAnyone)(
  'a user whom the password database does not know can run every command (SKIPPED without root)',
  (context) => {
    const home = mkdtempSync(join(tmpdir(), 'lectern-anyone-'));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    chownSync(home, NOBODY_KNOWN, NOBODY_KNOWN);
    const run = (args: string[], env: NodeJS.ProcessEnv) =>
      spawnSync(process.execPath, [cli.bin, ...args], {
        encoding: 'utf8',
        cwd: '/',
        uid: NOBODY_KNOWN,
        gid: NOBODY_KNOWN,
        env: { PATH: process.env['PATH'], ...env },
      });
    // Not every checkout lies where others may read.
    const reads = { uid: NOBODY_KNOWN, gid: NOBODY_KNOWN, cwd: '/' };
    if (spawnSync('cat', [cli.bin], reads).status !== 0) context.skip('nobody else may read this');
    for (const args of [
      ['help'],
      ['catalog', 'list'],
      ['status', '--json'],
      ['daemon', 'status'],
      ['daemon', 'stop'],
    ]) {
      expect(run(args, { HOME: home })).toMatchObject({ status: 0 });
    }
    const homeless = run(['status', '--json'], {});
    expect(homeless).toMatchObject({ status: 2, stdout: '' });
    expect(JSON.parse(homeless.stderr).error.message).toContain('HOME is not set');
  },
);
