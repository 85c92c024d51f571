/**
 * `npm run eval -- --corpus DIR --queries FILE [--json]`: retrieval quality of
 * the built product, measured as an agent sees it: every sub-folder of DIR is
 * enrolled as one catalog in a private state root, every query goes through a
 * real `lectern mcp`, all three kinds are searched.
 *
 * FILE has one JSON object a line: `{id, query, style, relevant}`, paths
 * relative to DIR. Progress goes to standard error, the result to standard output.
 */
import { readdirSync, readFileSync, realpathSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { parseArgs } from 'node:util';
import type { LineClient } from '../src/cli/quickstart/line-client.ts';
import { Scope } from '../src/core/scope.ts';
import { quantile } from './bench/measure.ts';
import { openProduct } from './bench/product.ts';
import { formatReport, type Judged, rankOf, scoreAll } from './eval/metrics.ts';

interface Query {
  id: string;
  query: string;
  style: string;
  relevant: string[];
}

interface Identity {
  catalog: string;
  plugin: string;
  name: string;
  kind: string;
}

const { values } = parseArgs({
  options: {
    corpus: { type: 'string' },
    queries: { type: 'string' },
    json: { type: 'boolean' },
    misses: { type: 'boolean' },
  },
});
if (values.corpus === undefined || values.queries === undefined) {
  console.error('npm run eval -- --corpus DIR --queries FILE [--json] [--misses]');
  process.exit(2);
}

const corpus = realpathSync(values.corpus);
const queries = readFileSync(values.queries, 'utf8')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => JSON.parse(line) as Query);
const scope = new Scope('eval');
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void scope.close().finally(() => process.exit(8)));
}

try {
  const product = await openProduct(
    scope,
    '[search]\nkinds = ["skill", "command", "agent"]\nproject_folders = false\n',
  );
  for (const child of readdirSync(corpus, { withFileTypes: true })) {
    if (!child.isDirectory()) continue;
    await product.cli('catalog', 'add', join(corpus, child.name), '--enable');
    console.error(`enrolled ${child.name}`);
  }
  let shown = '';
  await product.waitIdle((stage, done, total) => {
    const line = `${stage} ${Math.floor((done * 10) / Math.max(1, total)) * 10} %`;
    if (line !== shown) console.error(line);
    shown = line;
  });

  const agent = await product.agent();
  const files = new Map<string, string>();
  const times: number[] = [];
  const judged: Judged[] = [];
  for (const { id, query, style, relevant } of queries) {
    const { result, ms } = await agent.callTool('search_skills', { query, top_k: 10 });
    times.push(ms);
    const matches = result['matches'] as (Identity & { also_in?: Identity[] })[];
    const ranked: string[][] = [];
    for (const match of matches) {
      const same = [match, ...(match.also_in ?? [])];
      ranked.push(await Promise.all(same.map((each) => fileOf(agent, each, files))));
    }
    const relevance = result['relevance'] as 'weak' | 'strong' | undefined;
    judged.push({ id, style, relevant, ranked, relevance });
  }

  const report = scoreAll(judged);
  console.error(
    `searches: p50 ${quantile(times, 0.5).toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms`,
  );
  if (values.misses) printMisses(judged);
  console.log(values.json ? JSON.stringify(report) : formatReport(report));
} finally {
  await scope.close();
}

/** The file of an entry, as a path below the corpus with `/`. */
async function fileOf(
  agent: LineClient,
  { catalog, plugin, name, kind }: Identity,
  known: Map<string, string>,
): Promise<string> {
  const key = JSON.stringify([catalog, plugin, kind, name]);
  const before = known.get(key);
  if (before !== undefined) return before;
  const { result } = await agent.callTool('get_skill', {
    catalog,
    plugin,
    name,
    kind,
    metadata_only: true,
  });
  const file = relative(corpus, realpathSync(String(result['path'])))
    .split(sep)
    .join('/');
  known.set(key, file);
  return file;
}

/** Queries whose target is not first, with what was, on standard error. */
function printMisses(all: readonly Judged[]): void {
  for (const each of all) {
    if (each.relevant.length === 0 || rankOf(each) === 1) continue;
    console.error(
      `${each.id} ${each.style}: rank ${rankOf(each) ?? '-'}, wanted ${each.relevant[0]}, first ${each.ranked[0]?.[0] ?? 'nothing'}`,
    );
  }
}
