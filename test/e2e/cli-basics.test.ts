import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Cli, openCli } from './run-cli.ts';

let cli: Cli;
beforeAll(async () => {
  cli = await openCli();
});
afterAll(() => cli.close());

test('--version names version, platform and Node', async () => {
  const { stdout, code } = await cli.run(['--version']);
  expect(stdout).toMatch(/^lectern \d+\.\d+\.\d+ \S+ node-v\d+/);
  expect(code).toBe(0);
});

test('help lists every topic and what is routed before oclif too', async () => {
  const { stdout } = await cli.run(['help']);
  for (const word of ['catalog', 'plugin', 'daemon', 'workspace', 'query', 'mcp', 'tui']) {
    expect(stdout).toMatch(new RegExp(`^  ${word}\\b`, 'm'));
  }
});

test('every command has a summary, an example and the global flags', async () => {
  const { commands } = await import(join(import.meta.dirname, '../../oclif.manifest.json'), {
    with: { type: 'json' },
  }).then((module) => module.default);
  for (const [id, command] of Object.entries<Record<string, object>>(commands)) {
    expect(command['summary'], id).toBeTruthy();
    expect(command['examples'], id).toBeTruthy();
    // What `mcp` prints is MCP; its flags are the proxy's (test/proxy/help.test.ts).
    const globals = ['json', 'no-color', 'verbose', 'non-interactive', 'workspace'];
    expect(Object.keys(command['flags']!), id).toEqual(
      expect.arrayContaining(id === 'mcp' ? ['workspace'] : globals),
    );
  }
});

test('a mistyped command exits 2 and says what was probably meant', async () => {
  const { code, stderr, stdout } = await cli.run(['catlog', 'list']);
  expect(code).toBe(2);
  expect(stdout).toBe('');
  expect(stderr).toBe(
    'error: there is no command "catlog list"; did you mean "catalog list"?\nnext: lectern catalog list --help\n',
  );
});

test('L-207 an error with --json is one object on standard error and nothing on standard output', async () => {
  for (const args of [
    ['catalog', 'show', 'nope', '--json'],
    ['catalog', 'add', '--json'],
    ['statsu', '--json'],
    ['query', '--json'],
    ['exit-codes', 'x', '--json'],
  ]) {
    const { code, stdout, stderr, error } = await cli.run(args);
    expect(stdout, args.join(' ')).toBe('');
    expect(stderr.trimEnd().split('\n'), args.join(' ')).toHaveLength(1);
    expect(error().exit_code, args.join(' ')).toBe(code);
    expect(error().message).not.toBe('');
  }
});

test('LECTERN_JSON asks for JSON; 0 does not', async () => {
  const on = await cli.run(['exit-codes', '53'], { env: { LECTERN_JSON: '1' } });
  expect(on.records()).toMatchObject([{ exit_code: 53, category: 'catalog_has_enabled_plugins' }]);
  const off = await cli.run(['exit-codes', '53'], { env: { LECTERN_JSON: '0' } });
  expect(off.stdout).toMatch(/^53 {2}catalog_has_enabled_plugins/);
});

test('exit-codes works with no home and no state root', async () => {
  const { code, records } = await cli.run(['exit-codes', '50', '--json'], {
    env: { HOME: '', LECTERN_HOME: undefined },
  });
  expect(code).toBe(0);
  expect(records()).toMatchObject([{ exit_code: 50, retryable: true }]);
});

test('a relative state root is usage, exit 2', async () => {
  const { code, error } = await cli.run(['status', '--json'], { env: { LECTERN_HOME: 'x/y' } });
  expect(code).toBe(2);
  expect(error().category).toBe('usage');
});

test('no stack trace without --verbose', async () => {
  const plain = await cli.run(['catalog', 'show', 'nope']);
  expect(plain.stderr).not.toMatch(/\n\s+at /);
  const verbose = await cli.run(['catalog', 'show', 'nope', '--verbose']);
  expect(verbose.stderr).toMatch(/\n\s+at /);
});

test('colours come only with a terminal, and NO_COLOR turns them off', async () => {
  const piped = await cli.run(['exit-codes']);
  expect(piped.stdout).not.toContain('\u001b[');
});

test('the completion script of each shell names the commands; bash can load its own', async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { stdout, code } = await cli.run(['completion', shell]);
    expect(code).toBe(0);
    for (const word of ['catalog', 'enable', 'quickstart', 'min-score']) {
      expect(stdout, shell).toContain(word);
    }
  }
  const { stdout } = await cli.run(['completion', 'bash']);
  const loaded = spawnSync('bash', ['--norc', '-c', `${stdout}\ncomplete -p lectern`], {
    encoding: 'utf8',
  });
  expect(loaded.stderr).toBe('');
  expect(loaded.stdout).toContain('_lectern');
});

test('completion for an unknown shell exits 2 and names the known ones', async () => {
  const { code, error } = await cli.run(['completion', 'tcsh', '--json']);
  expect(code).toBe(2);
  expect(error().message).toContain('bash, zsh, fish');
});
