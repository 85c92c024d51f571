import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Cli, ORCHARD, openCli } from './run-cli.ts';

let cli: Cli;
beforeAll(async () => {
  cli = await openCli();
  await cli.write('orchard', ORCHARD);
  await cli.run(['catalog', 'add', '../orchard', '--enable']);
});
afterAll(() => cli.close());

/** Every way to get a command line wrong that the parser, not a command, answers. */
const WRONG = [
  ['query', '--top-k', '0', 'x'],
  ['query', '--top-k', 'many', 'x'],
  ['query', '--kind', 'foo', 'x'],
  ['query', 'x', '--kind'],
  ['query', '--rerank', '--no-rerank', 'x'],
  ['query', '--release', 'a', '--query', 'b'],
  ['get', '--catalog', 'orchard', 'x'],
  ['get', 'a', 'b'],
  ['get'],
  ['catalog', 'list', 'x'],
  ['daemon', 'stop', 'now'],
  ['top', '--interval', '0'],
  ['completion', 'tcsh'],
  ['workspace', 'init', 'global'],
  ['workspace', 'init', 'a.b'],
  ['suggest', 'x'],
  ['hook'],
];

test.each(WRONG)(
  'a wrong command line is one line of what and one of what next: %s %s %s',
  async (...args) => {
    const run = await cli.run(args);
    expect(run.stdout).toBe('');
    expect(run.stderr).toMatch(/^error: [^\n]+\nnext: [^\n]+\n$/);
    expect(run.stderr).not.toMatch(
      /Parsing|following error|Cannot find module|[a-z]:[a-z]+ not found/,
    );
    expect([2, 15]).toContain(run.code);
  },
);

test.each([['catalog', 'add'], ['catalog', 'show'], ['get'], ['problems'], ['workspace', 'use']])(
  'an empty argument is no argument: %s %s',
  async (...words) => {
    const run = await cli.run([...words, '']);
    expect([run.code, run.stdout]).toEqual([2, '']);
    expect(run.stderr).toMatch(/^error: empty: [A-Z]+ \(.+\)\nnext: lectern .+ --help\n$/);
  },
);

test('exit code 0 can be asked for like any other', async () => {
  const run = await cli.run(['exit-codes', '0']);
  expect([run.code, run.stdout]).toEqual([0, '0  ok\nThe command did what it was asked.\n']);
});

test('a remediation that this version cannot run is marked for people, and left as it is for scripts', async () => {
  for (const code of ['19', '24', '80']) {
    expect((await cli.run(['exit-codes', code])).stdout).toMatch(
      /lectern .+ \(not in this version\)/,
    );
    const [row] = (await cli.run(['exit-codes', code, '--json'])).records();
    expect(row!['remediation']).not.toContain('version');
  }
  for (const code of ['3', '12', '41'])
    expect((await cli.run(['exit-codes', code])).stdout).not.toContain('(not in');
});

test('a listing of nothing says so beside its empty output', async () => {
  await cli.run(['workspace', 'init', 'bare']);
  for (const args of [
    ['catalog', 'list'],
    ['plugin', 'list'],
    ['tier', 'list'],
  ]) {
    const run = await cli.run([...args, '-w', 'bare']);
    expect([run.code, run.stdout]).toEqual([0, '']);
    expect(run.stderr).toMatch(/^no [^\n]+\nnext: /);
    expect((await cli.run([...args, '-w', 'bare', '--json'])).stderr).toBe('');
  }
});

test('a listing narrowed to nothing does not say that there is nothing at all', async () => {
  const note = async (...args: string[]) => (await cli.run(args)).stderr.split('\n')[0];
  await cli.write('plain', {
    'skills/a/SKILL.md': '---\nname: a\ndescription: A skill alone.\n---\na\n',
  });
  await cli.run(['workspace', 'init', 'plain']);
  await cli.run(['catalog', 'add', '../plain', '--enable', '-w', 'plain']);
  expect(await note('tier', 'list', '--kind', 'command', '-w', 'plain')).toBe(
    'no command is enabled here',
  );
  expect(await note('tier', 'list', '--kind', 'agent', '-w', 'plain')).toBe('agents take no tier');
  expect(await note('plugin', 'list', '--filter', 'zzz', '-w', 'plain')).toBe(
    'no plugin answers to that',
  );
});

describe('LECTERN_NO_DAEMON', () => {
  const env = { LECTERN_NO_DAEMON: '1' };

  test.each([
    ['daemon', 'start'],
    ['daemon', 'stop'],
    ['daemon', 'restart'],
    ['daemon', 'reload'],
    ['top', '--once'],
    ['quickstart'],
  ])('%s %s is refused: it would be about the process that answers it', async (...args) => {
    const run = await cli.run(args, { env });
    expect([run.code, run.stdout]).toEqual([2, '']);
    expect(run.stderr).toBe(
      'error: LECTERN_NO_DAEMON is set: no daemon is started or asked\nnext: unset LECTERN_NO_DAEMON\n',
    );
  });

  test('daemon status tells of the daemon that runs, and that it is not asked', async () => {
    const asked = (await cli.run(['daemon', 'status', '--json'])).records()[0]!;
    const run = await cli.run(['daemon', 'status', '--json'], { env });
    expect(run.code).toBe(10);
    expect(run.records()[0]).toMatchObject({ running: true, pid: asked['pid'], isForbidden: true });
    const told = await cli.run(['daemon', 'status'], { env });
    expect(told.stdout).toMatch(/^running: pid \d+; LECTERN_NO_DAEMON is set/);
  });

  test('doctor says why it is degraded', async () => {
    const run = await cli.run(['doctor'], { env });
    expect(run.code).toBe(10);
    expect(run.stdout).toContain('daemon: not used: LECTERN_NO_DAEMON is set');
  });
});
