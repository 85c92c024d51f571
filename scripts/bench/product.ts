import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LineClient, openLineClient } from '../../src/cli/quickstart/line-client.ts';
import type { Scope } from '../../src/core/scope.ts';
import { getStatus } from '../../src/protocol/admin/get-status.ts';
import type { AdminMethod, ParamsOf, ResultOf } from '../../src/protocol/admin/method.ts';
import { type AdminClient, connectAdmin } from '../../src/protocol/client.ts';
import { daemonCommand } from '../../src/protocol/link/daemon-command.ts';
import { readDaemonRecord } from '../../src/protocol/link/daemon-file.ts';
import { isAlive } from '../../src/protocol/link/process-identity.ts';
import { type StatePaths, statePaths } from '../../src/protocol/link/state-paths.ts';

export const PACKAGE_ROOT = join(import.meta.dirname, '..', '..');
export const BIN = join(PACKAGE_ROOT, 'bin', 'lectern.js');

/** How often a wait looks again; small beside what is measured with it. */
const LOOK_MS = 20;
const STOP_MS = 10_000;
/** Idle for this long is idle: between reading and embedding lies a moment of it. */
const SETTLED_MS = 500;

/** The built product on a private state root, as measuring scripts drive it. */
export interface Product {
  readonly paths: StatePaths;
  readonly env: NodeJS.ProcessEnv;
  /** Run the CLI with --json; its records. */
  cli(...args: string[]): Promise<Record<string, unknown>[]>;
  /** Spawn a proxy and shake hands. It is closed with the product. */
  agent(more?: NodeJS.ProcessEnv): Promise<LineClient>;
  /** Ask the running daemon. */
  ask<M extends AdminMethod>(method: M, params: ParamsOf<M>): Promise<ResultOf<M>>;
  daemonPid(): number;
  stopDaemon(): Promise<void>;
  /** Resolves once nothing is being read or embedded any more. */
  waitIdle(onStep?: (stage: string, done: number, total: number) => void): Promise<void>;
}

/**
 * A product whose daemon and directories go when `scope` closes.
 *
 * @param config text of config.toml
 */
export async function openProduct(scope: Scope, config = ''): Promise<Product> {
  const home = await mkdtemp(join(await realpath(tmpdir()), 'lectern-measure-'));
  scope.own(home, (path) => rm(path, { recursive: true, force: true }), 'state root');
  const paths = statePaths(home);
  if (config !== '') await writeFile(paths.config, config, { mode: 0o600 });
  const env = { ...process.env, LECTERN_HOME: home };
  let admin: AdminClient | undefined;

  const product: Product = {
    paths,
    env,
    async cli(...args) {
      const { code, stdout, stderr } = await run([BIN, ...args, '--json'], env, home);
      if (code !== 0 && code !== 10) {
        throw new Error(`lectern ${args.join(' ')} ended with ${code}: ${stderr}`);
      }
      return stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line));
    },
    async agent(more = {}) {
      const client = await openLineClient([process.execPath, BIN, 'mcp'], {
        cwd: home,
        env: { ...env, ...more },
      });
      return scope.own(client, (open) => open.close(), 'agent');
    },
    async ask(method, params) {
      if (admin === undefined) {
        await product.cli('daemon', 'start');
        admin = await connectAdmin({ env, cwd: home, autostart: false });
      }
      return admin.call(method, params);
    },
    daemonPid() {
      const record = readDaemonRecord(paths.daemonFile);
      if (record === undefined) throw new Error('no daemon is running');
      return record.pid;
    },
    async stopDaemon() {
      admin?.close();
      admin = undefined;
      const record = readDaemonRecord(paths.daemonFile);
      if (record === undefined || !isAlive(record)) return;
      process.kill(record.pid, 'SIGTERM');
      const deadline = performance.now() + STOP_MS;
      while (isAlive(record)) {
        if (performance.now() > deadline) process.kill(record.pid, 'SIGKILL');
        await pause(LOOK_MS);
      }
    },
    async waitIdle(onStep) {
      let busyAt = performance.now();
      while (performance.now() - busyAt < SETTLED_MS) {
        const { indexing } = await product.ask(getStatus, {});
        if (indexing !== undefined && indexing.stage !== 'idle') {
          busyAt = performance.now();
          onStep?.(indexing.stage, indexing.done, indexing.total);
        }
        await pause(LOOK_MS);
      }
    },
  };
  scope.own(product, (open) => open.stopDaemon(), 'daemon');
  return product;
}

/** Have the next daemon, but nothing that it starts, born with a CommonJS module loaded first. */
export function bearDaemonWith(product: Product, module: string): void {
  const [node, ...command] = daemonCommand(join(PACKAGE_ROOT, 'dist', 'cli'));
  const start = [node, '--require', module, ...command, 'run', '--on-demand'];
  // What an installed login service leaves: the command that starts the daemon.
  writeFileSync(product.paths.serviceFile, JSON.stringify({ start }));
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Run node to its end. */
export function run(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd: string,
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => (stdout += chunk));
    child.stderr.on('data', (chunk) => (stderr += chunk));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}
