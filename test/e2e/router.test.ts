import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Cli, openCli } from './run-cli.ts';

let cli: Cli;
beforeAll(async () => {
  cli = await openCli();
});
afterAll(() => cli.close());

test('mcp loads no module but the router', async () => {
  const report = join(cli.root, 'report.cjs');
  writeFileSync(
    report,
    'process.on("exit", () => console.error(Object.keys(require.cache).join("\\n")))',
  );
  const bin = join(import.meta.dirname, '../../bin/lectern.js');
  const { stderr } = spawnSync(process.execPath, ['--require', report, bin, 'mcp'], {
    encoding: 'utf8',
    input: '',
    env: { PATH: process.env['PATH'], LECTERN_HOME: join(cli.root, 'state') },
  });
  const loaded = stderr
    .trim()
    .split('\n')
    .map((file) => basename(file));
  expect(loaded).toEqual(['report.cjs', 'lectern.js']);
});

test('a second daemon in the foreground says so and ends well', async () => {
  await cli.run(['daemon', 'start']);
  const { code, stderr } = await cli.run(['daemon', 'run']);
  expect(stderr).toBe('lectern: another daemon owns this state root\n');
  expect(code).toBe(0);
});

test('mcp --help is answered by the command line', async () => {
  const { code, stdout } = await cli.run(['mcp', '--help']);
  expect(code).toBe(0);
  expect(stdout).toContain('--surface');
});

test('a relative state root is exit 2 for mcp, daemon and commands alike', async () => {
  for (const args of [['mcp'], ['daemon', 'run'], ['catalog', 'list']]) {
    const { code } = await cli.run(args, { env: { LECTERN_HOME: 'here' } });
    expect(code).toBe(2);
  }
});
