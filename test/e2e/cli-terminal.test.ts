import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Cli, ORCHARD, openCli } from './run-cli.ts';

const BIN = join(import.meta.dirname, '..', '..', 'bin', 'lectern.js');
/** util-linux's `script` gives a command a terminal of its own. */
const hasTerminal = spawnSync('script', ['--version']).status === 0;
if (!hasTerminal) console.warn('SKIPPED: no `script` command, so nothing is tested in a terminal');

let cli: Cli;
beforeAll(async () => {
  cli = await openCli();
  await cli.write('orchard', ORCHARD);
  await cli.run(['catalog', 'add', '../orchard', '--name', 'orchard', '--enable']);
});
afterAll(() => cli.close());

/** Run in a terminal, typing `answer` once a question stands there. */
function inTerminal(
  args: readonly string[],
  answer: string,
  env: Record<string, string> = {},
): Promise<{ code: number | null; screen: string }> {
  return new Promise((resolve, reject) => {
    const command = [process.execPath, BIN, ...args].join(' ');
    const child = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
      cwd: cli.cwd,
      env: {
        PATH: process.env['PATH'],
        TERM: 'xterm',
        HOME: join(cli.root, 'home'),
        LECTERN_HOME: join(cli.root, 'state'),
        ...env,
      },
    });
    let screen = '';
    let isAnswered = false;
    child.stdout.on('data', (chunk) => {
      screen += chunk;
      if (isAnswered || !screen.includes('[y/N]')) return;
      isAnswered = true;
      child.stdin.write(answer);
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, screen }));
  });
}

describe.skipIf(!hasTerminal).sequential('in a terminal', () => {
  test('a no changes nothing and exits 8', async () => {
    const { code, screen } = await inTerminal(['plugin', 'disable', 'orchard/pruning'], 'n\n');
    expect(screen).toContain('Disable orchard/pruning?');
    expect(screen).toContain('nothing was changed');
    expect(code).toBe(8);
    const { records } = await cli.run(['plugin', 'list', '--enabled-only', '--json']);
    expect(records()).toHaveLength(2);
  });

  test('Ctrl-C at a question exits 8', async () => {
    const { code } = await inTerminal(['plugin', 'disable', 'orchard/pruning'], '\u0003');
    expect(code).toBe(8);
  });

  test('a yes does it', async () => {
    const { code, screen } = await inTerminal(['plugin', 'disable', 'orchard/*'], 'y\n');
    expect(screen).toContain('Disable orchard/grafting, orchard/pruning?');
    expect(code).toBe(0);
  });

  test('results are coloured, and not with NO_COLOR', async () => {
    const coloured = await inTerminal(['catalog', 'list'], '');
    expect(coloured.screen).toContain('\u001b[36morchard\u001b[39m');
    const plain = await inTerminal(['catalog', 'list'], '', { NO_COLOR: '1' });
    expect(plain.screen).not.toContain('\u001b[');
  });

  test('L-043 removing asks once no plugin is enabled, and a yes removes', async () => {
    const { code, screen } = await inTerminal(['catalog', 'remove', 'orchard'], 'y\n');
    expect(screen).toContain('Remove orchard?');
    expect(code).toBe(0);
    expect((await cli.run(['catalog', 'list', '--json'])).stdout).toBe('');
  });
});
