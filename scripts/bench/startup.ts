import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { openLineClient } from '../../src/cli/quickstart/line-client.ts';
import type { Scope } from '../../src/core/scope.ts';
import { enrolCorpus } from './corpus.ts';
import { type Measurement, median } from './measure.ts';
import { BIN, openProduct, PACKAGE_ROOT, type Product, pause, run } from './product.ts';

/** Rounds of all contestants in turn, so that a busy moment hits all of them. */
const ROUNDS = 25;
/** A cold start stops and starts a daemon each time. */
const COLD_ROUNDS = 7;
/** Where the graph cannot be prepared, starts go without. */
const PREPARED_MS = 120_000;
const LOOK_MS = 500;

/** Spawn → `initialize` answered, beside bare node and a v1-SDK server; and cold starts. */
export async function measureStartup(scope: Scope): Promise<Measurement[]> {
  const product = await openProduct(scope);
  await enrolCorpus(product, scope, 200);
  await product.waitIdle();
  const cwd = product.paths.root;
  const connect = async (command: string[]): Promise<number> => {
    const client = await openLineClient([process.execPath, ...command], { cwd, env: product.env });
    await client.close();
    return client.startMs;
  };
  const proxy = [BIN, 'mcp'];
  const sdk = [join(PACKAGE_ROOT, 'scripts', 'bench', 'sdk-server.mjs')];
  const times = {
    node: [] as number[],
    proxy: [] as number[],
    sdk: [] as number[],
    version: [] as number[],
  };
  for (let round = -1; round < ROUNDS; round += 1) {
    const node = await timed(() => run(['-e', '0'], product.env, cwd));
    const version = await timed(() => run([BIN, '--version'], product.env, cwd));
    const proxied = await connect(proxy);
    const server = await connect(sdk);
    if (round < 0) continue; // the first round warms the page cache
    times.node.push(node);
    times.version.push(version);
    times.proxy.push(proxied);
    times.sdk.push(server);
  }

  await beLivedIn(product);
  const cold: number[] = [];
  for (let round = 0; round < COLD_ROUNDS; round += 1) {
    await product.stopDaemon();
    const startedAt = performance.now();
    const client = await openLineClient([process.execPath, ...proxy], { cwd, env: product.env });
    await client.callTool('search_skills', { query: 'prepare a careful summary' });
    cold.push(performance.now() - startedAt);
    await client.close();
  }

  const bare = median(times.node);
  const hot = median(times.proxy);
  return [
    { what: 'node -e 0', value: bare, unit: 'ms' },
    { what: 'proxy: spawn → initialize answered, daemon hot', value: hot, unit: 'ms' },
    {
      what: 'v1-SDK stdio server: spawn → initialize answered',
      value: median(times.sdk),
      unit: 'ms',
    },
    { what: 'proxy / node -e 0', value: hot / bare, unit: '×', most: 1.15 },
    { what: 'v1-SDK server / proxy', value: median(times.sdk) / hot, unit: '×', least: 3 },
    { what: 'lectern --version', value: median(times.version), unit: 'ms' },
    {
      what: 'daemon cold start → first search, existing index',
      value: median(cold),
      unit: 'ms',
      most: 600,
    },
  ];
}

/**
 * A minute into its first life a daemon prepares the model's graph for the next
 * ones: an index that exists comes with it.
 */
async function beLivedIn(product: Product): Promise<void> {
  const { models } = product.paths;
  for (let waited = 0; waited < PREPARED_MS; waited += LOOK_MS) {
    if (existsSync(models) && readdirSync(models).some((name) => name.endsWith('.ort'))) return;
    await pause(LOOK_MS);
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
