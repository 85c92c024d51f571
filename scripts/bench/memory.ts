import { spawn } from 'node:child_process';
import type { Scope } from '../../src/core/scope.ts';
import { enrolCorpus, makeQuery } from './corpus.ts';
import type { Measurement } from './measure.ts';
import { childrenOf, pssMb } from './process-memory.ts';
import { openProduct, pause } from './product.ts';

const ENTRIES = 1000;
const MESSAGES = 1000;
/** Until the daemon is at rest: it looks every five seconds whether to collect, and does so twice. */
const SETTLE_MS = 16_000;

/** What daemon, embedder and proxy cost the machine after indexing and 1,000 messages. */
export async function measureMemory(scope: Scope): Promise<Measurement[]> {
  const bare = spawn(process.execPath, ['-e', 'process.stdin.resume()'], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  scope.own(bare, (child) => child.kill(), 'bare node');
  const product = await openProduct(scope);
  await enrolCorpus(product, scope, ENTRIES);
  await product.waitIdle();
  const agent = await product.agent();
  for (let n = 0; n < MESSAGES; n += 1) {
    await agent.callTool('search_skills', { query: makeQuery(n % 200) });
  }
  await pause(SETTLE_MS);
  const daemon = product.daemonPid();
  const embedder = childrenOf(daemon).map(pssMb);
  const node = pssMb(bare.pid!);
  const proxy = pssMb(agent.pid);
  return [
    { what: `daemon, ${ENTRIES} entries, PSS`, value: pssMb(daemon), unit: 'MB', most: 150 },
    ...(embedder.length === 0
      ? []
      : [{ what: 'embedder, PSS', value: Math.max(...embedder), unit: 'MB' as const, most: 150 }]),
    { what: 'bare node, PSS', value: node, unit: 'MB' },
    { what: `proxy after ${MESSAGES} messages, PSS`, value: proxy, unit: 'MB' },
    { what: 'proxy / bare node', value: proxy / node, unit: '×', most: 1.15 },
  ];
}
