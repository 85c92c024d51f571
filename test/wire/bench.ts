import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { DaemonRecord } from '../../src/protocol/link/daemon-file.ts';
import { type StatePaths, statePaths } from '../../src/protocol/link/state-paths.ts';
import { echoProduct } from './echo-product.ts';
import { endAll } from './end-all.ts';
import { findDaemons } from './find-processes.ts';
import { livingDaemon } from './living-daemon.ts';
import { McpProcess } from './mcp-process.ts';

/** A state root of its own, the echo product, and the proxies started on it. */
export interface Bench {
  product: string;
  root: string;
  paths: StatePaths;
  env: Record<string, string>;
  start(
    args?: string[],
    env?: Record<string, string>,
    cwd?: string,
    within?: readonly string[],
  ): McpProcess;
  /** The living daemon. */
  daemon(): Promise<DaemonRecord>;
  /** Pids of all daemons that run on this state root. */
  daemonPids(): number[];
}

/** Set a bench up for the running test; when that ends, every proxy and daemon ends and the state root goes. */
export async function openBench(): Promise<Bench> {
  const product = await echoProduct();
  const root = mkdtempSync(join(tmpdir(), 'lectern-wire-'));
  const paths = statePaths(root);
  const env = { LECTERN_HOME: root };
  const proxies: McpProcess[] = [];
  onTestFinished(async () => {
    await endAll(proxies, root);
    rmSync(root, { recursive: true, force: true });
  });
  return {
    product,
    root,
    paths,
    env,
    start(args = [], more = {}, cwd, within) {
      const proxy = new McpProcess(product, args, { ...env, ...more }, cwd, within);
      proxies.push(proxy);
      return proxy;
    },
    daemon: () => livingDaemon(paths),
    daemonPids: () => findDaemons(root),
  };
}
