import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { LineClient } from '../../src/cli/quickstart/line-client.ts';
import type { Scope } from '../../src/core/scope.ts';
import { daemonCommand } from '../../src/protocol/link/daemon-command.ts';
import { enrolCorpus, makeQuery } from './corpus.ts';
import { type Measurement, slopeOf } from './measure.ts';
import { anonymousMb, childrenOf } from './process-memory.ts';
import { openProduct, PACKAGE_ROOT, type Product, pause } from './product.ts';

const ENTRIES = 1000;
const CALLS = 100_000;
/** The first fifth fills caches and compiles code; growth counts from there. */
const WARM_UP = 20_000;
const SAMPLE_EVERY = 4000;
/** Distinct queries: a real day repeats itself, but seldom within the 256 vectors that are kept. */
const DISTINCT = 5000;
/** Enough to keep both cores at work. */
const AGENTS = 6;
/** One agent ends and another begins, as windows of editors do. */
const RENEW_EVERY = 500;
/** Flat, given how a collector breathes. */
const MOST_GROWTH = 10;
const COLLECT_MS = 30_000;

interface Sample {
  calls: number;
  daemon: number;
  embedder: number;
  proxy: number;
}

/**
 * 100,000 calls: memory must not grow with them. Weighed is what a process has
 * allocated: its share of Node's own file changes with every process that comes
 * or goes on the machine. Growth is that of a straight line through all samples,
 * so that neither a collection just before the first nor one just after the last
 * decides.
 */
export async function measureSoak(scope: Scope): Promise<Measurement[]> {
  const product = await openProduct(scope);
  const collect = collectOnSignal(product);
  await enrolCorpus(product, scope, ENTRIES);
  await product.waitIdle();
  const agents = await Promise.all(Array.from({ length: AGENTS }, () => product.agent()));
  let called = 0;

  const work = (until: number): Promise<unknown> =>
    Promise.all(
      agents.map(async (_, at) => {
        while (called < until) {
          called += 1;
          // The first one stays, so that there is a proxy to weigh.
          if (called % RENEW_EVERY === 0 && at > 0) {
            await agents[at]!.close();
            agents[at] = await product.agent();
          }
          await ask(agents[at]!, called);
        }
      }),
    );
  const weigh = (): Sample => {
    const daemon = product.daemonPid();
    return {
      calls: called,
      daemon: anonymousMb(daemon),
      embedder: Math.max(0, ...childrenOf(daemon).map(anonymousMb)),
      proxy: anonymousMb(agents[0]!.pid),
    };
  };

  await work(WARM_UP);
  const heapBefore = await collect();
  const samples: Sample[] = [];
  for (let until = WARM_UP + SAMPLE_EVERY; until <= CALLS; until += SAMPLE_EVERY) {
    await work(until);
    samples.push(weigh());
    process.stderr.write(`${JSON.stringify(samples.at(-1))}\n`);
  }
  const heapAfter = await collect();

  const grown = (name: 'daemon' | 'embedder' | 'proxy'): Measurement => {
    const { at, slope } = slopeOf(samples.map((sample) => [sample.calls, sample[name]]));
    const [from, to] = [at(WARM_UP), at(CALLS)];
    return {
      what: `${name}: growth over ${CALLS - WARM_UP} calls (${from.toFixed(0)} → ${to.toFixed(0)} MB, ${(slope * 1e6).toFixed(0)} bytes a call)`,
      value: (to / from - 1) * 100,
      unit: '%',
      most: MOST_GROWTH,
    };
  };
  return [
    grown('daemon'),
    grown('embedder'),
    grown('proxy'),
    {
      what: `heap of the daemon after collection (${heapBefore.toFixed(1)} → ${heapAfter.toFixed(1)} MB)`,
      value: (heapAfter / heapBefore - 1) * 100,
      unit: '%',
      most: MOST_GROWTH,
    },
  ];
}

/** Mostly searches; after every tenth its best match is loaded, and now and then an agent looks around. */
async function ask(agent: LineClient, number: number): Promise<void> {
  if (number % 50 === 0) await agent.callTool('status', { include_doctor: false });
  else if (number % 50 === 25) await agent.callTool('list_plugins', {});
  else {
    // A stride that is prime to the number of queries, so that neighbours are no repeats.
    const query = makeQuery((number * 7919) % DISTINCT);
    const { result } = await agent.callTool('search_skills', { query });
    const [best] = result['matches'] as { catalog: string; plugin: string; name: string }[];
    if (number % 10 !== 1 || best === undefined) return;
    const { catalog, plugin, name } = best;
    await agent.callTool('get_skill', { catalog, plugin, name });
  }
}

/** Have the daemon born with `weigh.cjs`. @returns collects and weighs its main heap, MB */
function collectOnSignal(product: Product): () => Promise<number> {
  const file = join(product.paths.root, 'weight.json');
  product.env['LECTERN_BENCH_WEIGHT'] = file;
  const [node, ...command] = daemonCommand(join(PACKAGE_ROOT, 'dist', 'cli'));
  const weigh = join(import.meta.dirname, 'weigh.cjs');
  const start = [node, '--require', weigh, ...command, 'run', '--on-demand'];
  // What an installed login service leaves: the command that starts the daemon.
  writeFileSync(join(product.paths.root, 'service.json'), JSON.stringify({ start }));
  return async () => {
    rmSync(file, { force: true });
    process.kill(product.daemonPid(), 'SIGUSR2');
    for (let waited = 0; !existsSync(file); waited += 100) {
      if (waited > COLLECT_MS) throw new Error('the daemon did not collect');
      await pause(100);
    }
    const { heapUsed, external } = JSON.parse(readFileSync(file, 'utf8'));
    return (heapUsed + external) / 1e6;
  };
}
