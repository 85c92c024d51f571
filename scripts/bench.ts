/**
 * `npm run bench -- <row>…`: measures rows of the budget table (docs/performance.md)
 * on the built product. Without a row it lists them; `all` runs the quick ones.
 * The last line names the rows over budget; exit 1 if there is any.
 *
 *   --json   one object a row instead of lines
 */
import { parseArgs } from 'node:util';
import { Scope } from '../src/core/scope.ts';
import {
  formatMeasurement,
  formatVerdict,
  isOverBudget,
  type Measurement,
} from './bench/measure.ts';

type Row = (scope: Scope) => Promise<Measurement[]>;

/** Loaded when asked for: a row's module may need what another machine lacks. */
const ROWS: Readonly<Record<string, { about: string; load: () => Promise<Row> }>> = {
  startup: {
    about: 'spawn → initialize; cold start → first search',
    load: async () => (await import('./bench/startup.ts')).measureStartup,
  },
  relay: {
    about: 'what the proxy adds to a round trip',
    load: async () => (await import('./bench/relay.ts')).measureRelay,
  },
  search: {
    about: 'search_skills, 1,000 entries, one agent',
    load: async () => (await import('./bench/search.ts')).measureSearch,
  },
  save: {
    about: 'saving a file until search returns it',
    load: async () => (await import('./bench/save.ts')).measureSave,
  },
  index: {
    about: 'enrolling 951 entries',
    load: async () => (await import('./bench/index.ts')).measureIndex,
  },
  memory: {
    about: 'daemon, embedder and proxy',
    load: async () => (await import('./bench/memory.ts')).measureMemory,
  },
  tui: {
    about: 'dumps of terminal documents, here and through a proxy',
    load: async () => (await import('./bench/tui.ts')).measureTui,
  },
  agents: {
    about: '100 agents at 50 queries a second',
    load: async () => (await import('./bench/agents.ts')).measureAgents,
  },
  scale: {
    about: '20,000 entries, 80,000 vectors',
    load: async () => (await import('./bench/scale.ts')).measureScale,
  },
  soak: {
    about: 'memory over 100,000 calls',
    load: async () => (await import('./bench/soak.ts')).measureSoak,
  },
};
/** Left out of `all`: they take many minutes. */
const SLOW = new Set(['scale', 'soak']);

const { values, positionals } = parseArgs({
  options: { json: { type: 'boolean' } },
  allowPositionals: true,
});
const wanted = positionals.includes('all')
  ? Object.keys(ROWS).filter((row) => !SLOW.has(row))
  : positionals;
const unknown = wanted.find((row) => !Object.hasOwn(ROWS, row));
if (wanted.length === 0 || unknown !== undefined) {
  if (unknown !== undefined) console.error(`there is no row "${unknown}"`);
  console.error('npm run bench -- <row>…\n');
  for (const [row, { about }] of Object.entries(ROWS)) console.error(`  ${row.padEnd(9)} ${about}`);
  process.exit(2);
}

const results: { row: string; measurements: Measurement[] }[] = [];
let closing = new Scope('bench');
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void closing.close().finally(() => process.exit(8)));
}
for (const row of wanted) {
  const measure = await ROWS[row]!.load();
  closing = new Scope(row);
  try {
    const measurements = await measure(closing);
    results.push({ row, measurements });
    for (const each of measurements) {
      if (values.json) console.log(JSON.stringify({ row, ...each, over: isOverBudget(each) }));
      else console.log(formatMeasurement(each, row));
    }
  } finally {
    await closing.close();
  }
}
if (!values.json) console.log(formatVerdict(results));
process.exitCode = results.some(({ measurements }) => measurements.some(isOverBudget)) ? 1 : 0;
