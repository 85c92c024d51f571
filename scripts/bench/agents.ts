import type { LineClient } from '../../src/cli/quickstart/line-client.ts';
import type { Scope } from '../../src/core/scope.ts';
import { enrolCorpus, makeQuery } from './corpus.ts';
import { type Measurement, median, quantile } from './measure.ts';
import { pssMb, treePssMb } from './process-memory.ts';
import { openProduct, type Product, pause } from './product.ts';

const AGENTS = 100;
const ENTRIES = 1000;
/** Queries a second over all agents, each another query. */
const RATE = 50;
const SECONDS = 20;
const CLOSED_LOOP_MS = 10_000;
/** Until the daemon is at rest: it looks every five seconds whether to collect, and does so twice. */
const SETTLE_MS = 16_000;
/** Servers that each load index and model themselves; as many as agents would not fit a laptop. */
const ALONE = 10;
/** Processes started at once; more only wait for the two cores. */
const STARTED_AT_ONCE = 8;

/** A hundred proxies, asked at a fixed rate whether or not answers came; then as fast as answers come. */
export async function measureAgents(scope: Scope): Promise<Measurement[]> {
  const product = await openProduct(scope);
  await enrolCorpus(product, scope, ENTRIES);
  await product.waitIdle();
  const daemonBefore = treePssMb(product.daemonPid());
  const agents: LineClient[] = [];
  while (agents.length < AGENTS) {
    const some = Math.min(STARTED_AT_ONCE, AGENTS - agents.length);
    agents.push(...(await Promise.all(Array.from({ length: some }, () => product.agent()))));
  }

  const times: number[] = [];
  let errors = 0;
  const ask = async (agent: LineClient, number: number, dueAt: number): Promise<void> => {
    try {
      await agent.callTool('search_skills', { query: makeQuery(number) });
      times.push(performance.now() - dueAt);
    } catch {
      errors += 1;
    }
  };
  const startedAt = performance.now();
  const asked: Promise<void>[] = [];
  for (let n = 0; n < RATE * SECONDS; n += 1) {
    const dueAt = startedAt + (n * 1000) / RATE;
    const wait = dueAt - performance.now();
    if (wait > 0) await pause(wait);
    // From when it was due, not from when it was sent: a late sender hides nothing.
    asked.push(ask(agents[n % AGENTS]!, n, dueAt));
  }
  await Promise.all(asked);

  let answered = 0;
  const closedAt = performance.now();
  await Promise.all(
    agents.map(async (agent, at) => {
      for (let n = 0; performance.now() - closedAt < CLOSED_LOOP_MS; n += 1) {
        await agent.callTool('search_skills', { query: makeQuery(10_000 + at * 1000 + n) });
        answered += 1;
      }
    }),
  );
  const throughput = answered / ((performance.now() - closedAt) / 1000);
  await pause(SETTLE_MS);
  const proxies = agents.map((agent) => pssMb(agent.pid));
  const daemonAfter = treePssMb(product.daemonPid());
  const shared = daemonAfter + sum(proxies);
  for (const agent of agents) await agent.close();
  const alone = await weighAlone(product);
  return [
    { what: `${AGENTS} agents, ${RATE} queries/s, p50`, value: quantile(times, 0.5), unit: 'ms' },
    {
      what: `${AGENTS} agents, ${RATE} queries/s, p99`,
      value: quantile(times, 0.99),
      unit: 'ms',
      most: 250,
    },
    { what: 'errors', value: errors, unit: 'errors', most: 0 },
    { what: 'closed loop', value: throughput, unit: 'queries/s' },
    { what: 'daemon with embedder before, PSS', value: daemonBefore, unit: 'MB' },
    { what: 'daemon with embedder after, PSS', value: daemonAfter, unit: 'MB' },
    { what: 'one proxy, PSS (median)', value: median(proxies), unit: 'MB' },
    { what: `daemon and ${AGENTS} proxies, PSS`, value: shared, unit: 'MB' },
    {
      what: `${AGENTS} servers that load index and model themselves (${ALONE} measured)`,
      value: alone * AGENTS,
      unit: 'MB',
    },
    { what: 'the daemon’s benefit', value: (alone * AGENTS) / shared, unit: '×' },
  ];
}

/** MB of one server without a daemon: what every agent would cost if each had its own. */
async function weighAlone(product: Product): Promise<number> {
  const servers: LineClient[] = [];
  while (servers.length < ALONE) {
    const server = await product.agent({ LECTERN_NO_DAEMON: '1' });
    // Until its model is loaded too.
    for (let n = 0; n < 5; n += 1) await server.callTool('search_skills', { query: makeQuery(n) });
    servers.push(server);
  }
  await pause(SETTLE_MS);
  const weights = servers.map((server) => treePssMb(server.pid));
  for (const server of servers) await server.close();
  return sum(weights) / ALONE;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
