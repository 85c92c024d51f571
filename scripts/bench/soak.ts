import type { Scope } from '../../src/core/scope.ts';
import { enrolCorpus, makeQuery } from './corpus.ts';
import type { Measurement } from './measure.ts';
import { childrenOf, pssMb } from './process-memory.ts';
import { openProduct, pause } from './product.ts';

const ENTRIES = 1000;
const CALLS = 100_000;
/** The first tenth fills caches and compiles code; growth counts from there. */
const WARM_UP = 10_000;
/** Distinct queries: a real day repeats itself, and repeats go round the embedder. */
const DISTINCT = 500;
const AGENTS = 4;
const SETTLE_MS = 3000;
/** Flat, given how a collector breathes. */
const MOST_GROWTH = 10;

/** 100,000 calls: memory must not grow with them. */
export async function measureSoak(scope: Scope): Promise<Measurement[]> {
  const product = await openProduct(scope);
  await enrolCorpus(product, scope, ENTRIES);
  await product.waitIdle();
  const agents = await Promise.all(Array.from({ length: AGENTS }, () => product.agent()));
  let called = 0;
  const call = async (until: number): Promise<void> => {
    await Promise.all(
      agents.map(async (agent) => {
        while (called < until) {
          called += 1;
          await agent.callTool('search_skills', { query: makeQuery(called % DISTINCT) });
        }
      }),
    );
    await pause(SETTLE_MS);
  };
  const weigh = () => {
    const daemon = product.daemonPid();
    return {
      daemon: pssMb(daemon),
      embedder: Math.max(0, ...childrenOf(daemon).map(pssMb)),
      proxy: pssMb(agents[0]!.pid),
    };
  };
  await call(WARM_UP);
  const before = weigh();
  await call(CALLS);
  const after = weigh();
  const grown = (name: keyof typeof before): Measurement => ({
    what: `${name}: growth over ${CALLS - WARM_UP} calls (${before[name].toFixed(0)} → ${after[name].toFixed(0)} MB)`,
    value: before[name] === 0 ? 0 : (after[name] / before[name] - 1) * 100,
    unit: '%',
    most: MOST_GROWTH,
  });
  return [grown('daemon'), grown('embedder'), grown('proxy')];
}
