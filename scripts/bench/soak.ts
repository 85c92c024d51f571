import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { LineClient } from '../../src/cli/quickstart/line-client.ts';
import type { Scope } from '../../src/core/scope.ts';
import { enrolCorpus, makeQuery } from './corpus.ts';
import { type Measurement, slopeOf } from './measure.ts';
import { anonymousMb, childrenOf } from './process-memory.ts';
import { bearDaemonWith, openProduct, type Product, pause } from './product.ts';

const ENTRIES = 1000;
const CALLS = 100_000;
/** The first fifth fills caches and compiles code; growth counts from there. */
const WARM_UP = 20_000;
/** So many calls after a forced collection the heap has its usual size between collections again. */
const SETTLED = WARM_UP + 12_000;
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
const WEIGH = join(import.meta.dirname, 'weigh.cjs');

/** What a process holds after a collection, MB. */
interface Holding {
  heap: number;
  allocated: number;
}

/**
 * 100,000 calls: memory must not grow with them. Weighed is what a process has
 * allocated: its share of Node's own file changes with every process that comes
 * or goes on the machine. Three ways, as each alone misses something:
 *
 * - what the heaps of daemon and proxy hold after a collection, at both ends:
 *   a leak of objects;
 * - what the proxy has allocated then: a leak outside of its heap. It gets a sixth of
 *   the calls, in which its old space is collected once or not at all, so that a line
 *   through its samples would tell on which side of that collection they lie;
 * - a straight line through samples of daemon and embedder, which are collected many
 *   times, by nobody's order: what an owner of the machine sees.
 */
export async function measureSoak(scope: Scope): Promise<Measurement[]> {
  const product = await openProduct(scope);
  const [daemonScale, proxyScale] = [openScale(product, 'daemon'), openScale(product, 'proxy')];
  product.env['LECTERN_BENCH_WEIGHT'] = daemonScale.env['LECTERN_BENCH_WEIGHT'];
  bearDaemonWith(product, WEIGH);
  await enrolCorpus(product, scope, ENTRIES);
  await product.waitIdle();
  const agents = await Promise.all(
    Array.from({ length: AGENTS }, (_, at) => product.agent(at === 0 ? proxyScale.env : {})),
  );
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
  const collect = async (): Promise<{ daemon: Holding; proxy: Holding }> => ({
    daemon: await daemonScale.collect(product.daemonPid()),
    proxy: await proxyScale.collect(agents[0]!.pid),
  });

  await work(WARM_UP);
  const before = await collect();
  const samples: { calls: number; daemon: number; embedder: number; proxy: number }[] = [];
  for (let until = SETTLED; until <= CALLS; until += SAMPLE_EVERY) {
    await work(until);
    const daemon = product.daemonPid();
    samples.push({
      calls: called,
      daemon: anonymousMb(daemon),
      embedder: Math.max(0, ...childrenOf(daemon).map(anonymousMb)),
      proxy: anonymousMb(agents[0]!.pid),
    });
    process.stderr.write(`${JSON.stringify(samples.at(-1))}\n`);
  }
  const after = await collect();

  const compare = (what: string, from: number, to: number): Measurement => ({
    what: `${what} (${from.toFixed(1)} → ${to.toFixed(1)} MB)`,
    value: (to / from - 1) * 100,
    unit: '%',
    most: MOST_GROWTH,
  });
  const draw = (name: 'daemon' | 'embedder'): Measurement => {
    const { at } = slopeOf(samples.map((sample) => [sample.calls, sample[name]]));
    return compare(`${name}: line over ${CALLS - SETTLED} calls`, at(SETTLED), at(CALLS));
  };
  return [
    draw('daemon'),
    draw('embedder'),
    compare('daemon: heap after collection', before.daemon.heap, after.daemon.heap),
    compare('proxy: heap after collection', before.proxy.heap, after.proxy.heap),
    compare('proxy: allocated after collection', before.proxy.allocated, after.proxy.allocated),
    {
      what: 'proxy: the most it had allocated between collections',
      value: Math.max(...samples.map(({ proxy }) => proxy)),
      unit: 'MB',
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

/** How to weigh a process that was born with `weigh.cjs`. */
interface Scale {
  /** What such a process needs in its environment. */
  readonly env: NodeJS.ProcessEnv;
  /** Have it collect, and weigh what is left. */
  collect(pid: number): Promise<Holding>;
}

function openScale(product: Product, name: string): Scale {
  const file = join(product.paths.root, `weight-${name}.json`);
  return {
    env: { LECTERN_BENCH_WEIGHT: file, NODE_OPTIONS: `--require "${WEIGH}"` },
    async collect(pid) {
      rmSync(file, { force: true });
      process.kill(pid, 'SIGUSR2');
      for (let waited = 0; !existsSync(file); waited += 100) {
        if (waited > COLLECT_MS) throw new Error(`the ${name} did not collect`);
        await pause(100);
      }
      const { heapUsed, external } = JSON.parse(readFileSync(file, 'utf8'));
      return { heap: (heapUsed + external) / 1e6, allocated: anonymousMb(pid) };
    },
  };
}
