import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readDaemonRecord } from '../../src/protocol/link/daemon-file.ts';
import { isAlive } from '../../src/protocol/link/process-identity.ts';

const CHECKOUT = join(import.meta.dirname, '..', '..');
const LOOK_MS = 20;

export interface CliRun {
  code: number | null;
  stdout: string;
  stderr: string;
  /** Standard output as JSON lines. */
  records: () => Record<string, unknown>[];
  /** The one error object of standard error. */
  error: () => { category: string; exit_code: number; message: string; remediation?: string };
}

export interface RunOptions {
  cwd?: string;
  env?: Record<string, string | undefined>;
}

/** The built `lectern` command on a private state root. */
export interface Cli {
  /** A directory of its own, with the state root in `state` and a home in `home`. */
  readonly root: string;
  /** The script that is run. */
  readonly bin: string;
  /** Working directory of the commands; bound to no workspace. */
  readonly cwd: string;
  run(args: readonly string[], options?: RunOptions): Promise<CliRun>;
  /** Write files below `root`; parents are made. Returns the absolute path of `folder`. */
  write(folder: string, files: Record<string, string>): Promise<string>;
  /** Stop the daemon and remove everything. */
  close(): Promise<void>;
}

/** @param product package directory of the product; the checkout where omitted */
export async function openCli(product: string = CHECKOUT): Promise<Cli> {
  if (!existsSync(join(product, 'dist', 'cli', 'main.js'))) {
    throw new Error('the product is not built: npm run build');
  }
  const root = await mkdtemp(join(await realpath(tmpdir()), 'lectern-cli-'));
  const state = join(root, 'state');
  const cwd = join(root, 'work');
  await mkdir(cwd);
  await mkdir(join(root, 'home'));
  const env: NodeJS.ProcessEnv = {
    PATH: process.env['PATH'],
    HOME: join(root, 'home'),
    LECTERN_HOME: state,
  };
  const bin = join(product, 'bin', 'lectern.js');
  return {
    root,
    bin,
    cwd,
    run: (args, options = {}) =>
      runOnce([bin, ...args], { cwd: options.cwd ?? cwd, env: { ...env, ...options.env } }),
    async write(folder, files) {
      for (const [name, content] of Object.entries(files)) {
        const path = join(root, folder, name);
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, content);
      }
      return join(root, folder);
    },
    async close() {
      const record = readDaemonRecord(join(state, 'daemon.json'));
      if (record !== undefined && isAlive(record)) {
        process.kill(record.pid, 'SIGTERM');
        while (isAlive(record)) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      }
      await rm(root, { recursive: true, force: true });
    },
  };
}

function runOnce(
  args: readonly string[],
  options: { cwd: string; env: NodeJS.ProcessEnv },
): Promise<CliRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      ...options,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => (stdout += chunk));
    child.stderr.on('data', (chunk) => (stderr += chunk));
    child.once('error', reject);
    child.once('close', (code) =>
      resolve({
        code,
        stdout,
        stderr,
        records: () =>
          stdout
            .split('\n')
            .filter((line) => line !== '')
            .map((line) => JSON.parse(line)),
        error: () => JSON.parse(stderr).error,
      }),
    );
  });
}

/** A skill file. */
export function skill(name: string, description: string, body = `# ${name}\n`): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}`;
}

/** A catalog of two plugins: three skills and a command. */
export const ORCHARD: Record<string, string> = {
  'pruning/skills/prune-tree/SKILL.md': skill('prune-tree', 'Prune a fruit tree in winter.'),
  'pruning/skills/sharpen-shears/SKILL.md': skill('sharpen-shears', 'Sharpen pruning shears.'),
  'pruning/commands/inspect-tree.md':
    '---\ndescription: Inspect a tree for canker.\n---\n\nLook at $ARGUMENTS closely.\n',
  'grafting/skills/graft-plan/SKILL.md': skill('graft-plan', 'Plan a whip graft on a rootstock.'),
};
