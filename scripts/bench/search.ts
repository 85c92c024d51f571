import type { Scope } from '../../src/core/scope.ts';
import { enrolCorpus, makeQuery } from './corpus.ts';
import { type Measurement, quantile } from './measure.ts';
import { openProduct } from './product.ts';

const ENTRIES = 1000;
const WARM_UP = 50;
const QUERIES = 500;

/** `search_skills` through a proxy: one agent, warm, every query another. */
export async function measureSearch(scope: Scope): Promise<Measurement[]> {
  const product = await openProduct(scope, '[search]\nkinds = ["skill", "command", "agent"]\n');
  await enrolCorpus(product, scope, ENTRIES);
  await product.waitIdle();
  const agent = await product.agent();
  const times: number[] = [];
  let scoring = '';
  let size = 0;
  for (let n = 0; n < WARM_UP + QUERIES; n += 1) {
    const { result, ms } = await agent.callTool('search_skills', { query: makeQuery(n) });
    scoring = String(result['scoring']);
    size = Number(result['corpus_size']);
    if (n >= WARM_UP) times.push(ms);
  }
  const what = (share: string): string => `search_skills, ${size} entries, ${scoring}, ${share}`;
  return [
    { what: what('p50'), value: quantile(times, 0.5), unit: 'ms', most: 10 },
    { what: what('p95'), value: quantile(times, 0.95), unit: 'ms' },
    { what: what('p99'), value: quantile(times, 0.99), unit: 'ms', most: 40 },
  ];
}
