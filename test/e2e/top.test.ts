import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { missingTmux, openPane, type Pane } from '../top/tmux.ts';
import { ORCHARD, openCli } from './run-cli.ts';
import { type Lectern, startLectern } from './start-lectern.ts';

const BIN = join(import.meta.dirname, '..', '..', 'bin', 'lectern.js');
const noTmux = missingTmux();
if (noTmux !== undefined) console.warn(`SKIPPED: lectern top in a terminal: ${noTmux}`);

/** What a program that takes the terminal over must give back. */
const TERMINAL_FLAGS = ['alternate_on', 'cursor_flag', 'wrap_flag', 'mouse_any_flag'];
const AS_BEFORE = { alternate_on: '0', cursor_flag: '1', wrap_flag: '1', mouse_any_flag: '0' };

/** The part of `--json` that is looked into. */
interface Seen extends Record<string, unknown> {
  metrics: { searches: object[] };
}

let lectern: Lectern;

beforeAll(async () => {
  const cli = await openCli();
  const catalog = await cli.write('orchard', ORCHARD);
  lectern = await startLectern({ cli, catalogs: [catalog], harness: 'claude-code' });
  await lectern.call('search_skills', { query: 'prune a fruit tree' });
});

afterAll(async () => {
  await lectern.close();
  await lectern.cli.close();
});

/** A shell whose terminal settings are kept in `$before`. */
async function openShell(): Promise<Pane> {
  const { cli } = lectern;
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: join(cli.root, 'home'),
    LECTERN_HOME: join(cli.root, 'state'),
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    LECTERN: `'${process.execPath}' '${BIN}'`,
  };
  const pane = await openPane(cli.cwd, env, { cols: 100, rows: 30 });
  await pane.type('before=$(stty -g)', 'Enter');
  return pane;
}

const startTop = (pane: Pane) =>
  pane.type('clear; eval $LECTERN top; code=$?; echo "left with $code"', 'Enter');

/** The terminal is as it was, by what tmux and stty say. */
async function expectRestored(pane: Pane): Promise<void> {
  expect(await pane.flags(...TERMINAL_FLAGS)).toEqual(AS_BEFORE);
  await pane.type('[ "$before" = "$(stty -g)" ] && echo settings are as bef""ore', 'Enter');
  await pane.shows('settings are as before');
}

test('top --json prints what is known of the daemon', async () => {
  const { code, records } = await lectern.run(['top', '--json']);
  expect(code).toBe(0);
  const [seen] = records() as [Seen];
  expect(seen).toMatchObject({ running: true, status: { overall: expect.any(String) } });
  expect(seen.metrics).toMatchObject({
    searches: [{ query: 'prune a fruit tree', harness: 'claude-code', best: 'prune-tree' }],
  });
});

test('a search by a command is remembered without a harness', async () => {
  await lectern.run(['query', 'whip graft']);
  const [seen] = (await lectern.run(['top', '--json'])).records() as [Seen];
  expect(seen.metrics.searches[0]).toMatchObject({ query: 'whip graft', harness: null });
});

test('without a terminal one frame is printed, without the keys', async () => {
  const { code, stdout } = await lectern.run(['top']);
  expect(code).toBe(0);
  const lines = stdout.split('\n');
  expect(lines.length).toBeLessThanOrEqual(25);
  expect(lines[0]).toContain('lectern top  running');
  expect(stdout).toMatch(/claude-code +library/);
  expect(stdout).not.toContain('quit');
  expect(stdout).not.toContain('\u001b');
});

test('--size is the size of the printed frame', async () => {
  const { stdout } = await lectern.run(['top', '--once', '--size', '150x40']);
  expect(stdout).toContain('recent searches');
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(150);
  const wrong = await lectern.run(['top', '--once', '--size', 'big', '--json']);
  expect(wrong).toMatchObject({ code: 2 });
});

test('where no daemon runs, that is said, none is started, and the exit code is 10', async () => {
  const cli = await openCli();
  try {
    const shown = await cli.run(['top']);
    expect(shown.code).toBe(10);
    expect(shown.stdout).toContain('not running');
    expect(shown.stderr).toContain('lectern daemon start');
    const json = await cli.run(['top', '--json']);
    expect(json.records()).toEqual([{ running: false }]);
    expect((await cli.run(['daemon', 'status'])).code).toBe(10);
  } finally {
    await cli.close();
  }
});

test.skipIf(noTmux !== undefined)(
  'in a terminal: the daemon is shown, keys act, q gives the terminal back (SKIPPED without tmux)',
  async () => {
    const pane = await openShell();
    await startTop(pane);
    await pane.shows(/running .* pid/);
    expect(await pane.flags('alternate_on', 'cursor_flag')).toEqual({
      alternate_on: '1',
      cursor_flag: '0',
    });
    await pane.type('2');
    await pane.shows('prune a fruit tree');
    await pane.type('/', 'zzz');
    await pane.shows('nothing fits the filter');
    await pane.type('Escape');
    await pane.shows('prune-tree');
    await pane.resize(40, 10);
    await pane.shows('1 Sess  2 Find');
    await pane.resize(150, 40);
    await pane.shows('recent searches');
    await pane.type('q');
    await pane.shows('left with 0');
    await expectRestored(pane);
  },
);

test.skipIf(noTmux !== undefined)(
  'ctrl-c gives the terminal back and is no failure (SKIPPED without tmux)',
  async () => {
    const pane = await openShell();
    await startTop(pane);
    await pane.shows(/running .* pid/);
    await pane.type('C-c');
    await pane.shows('left with 0');
    await expectRestored(pane);
  },
);

test.skipIf(noTmux !== undefined)(
  'SIGTERM gives the terminal back (SKIPPED without tmux)',
  async () => {
    const pane = await openShell();
    await startTop(pane);
    await pane.shows(/running .* pid/);
    // The session that is no agent's: this command's own.
    const { records } = await lectern.run(['daemon', 'status', '--json']);
    const [status] = records() as [{ sessionList: { role: string; pid: number }[] }];
    const own = status.sessionList.filter(({ role }) => role === 'admin').map(({ pid }) => pid);
    process.kill(own[0]!, 'SIGTERM');
    await pane.shows('left with 143');
    await expectRestored(pane);
  },
);

test.skipIf(noTmux !== undefined)(
  'a daemon that ends is shown as ended, and the next one is found (SKIPPED without tmux)',
  async () => {
    const pane = await openShell();
    await startTop(pane);
    await pane.shows(/running .* pid/);
    await lectern.run(['daemon', 'restart']);
    const { records } = await lectern.run(['daemon', 'status', '--json']);
    const [status] = records() as [{ pid: number }];
    await pane.shows(`pid ${status.pid}`);
    await pane.type('q');
    await pane.shows('left with 0');
  },
);
