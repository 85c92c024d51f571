/**
 * `npx tsx scripts/train/ranker.ts --train DIR --cache FILE [--write]`: fit the
 * learned ranking and its calibration on the `calibrate` queries, cross-validated
 * by entry, and write src/search/rank/weights.json.
 *
 * The embedding model has seen the `train` queries and their entries, so only
 * `calibrate` queries are used. Everything is fitted on lists of entries that the
 * model has not seen, which is what a user's catalogs are to it; lists of all
 * entries (hard: three thousand, most of which the model knows and draws nearer)
 * are only measured.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { FEATURES, type FeatureName } from '../../src/search/rank/features.ts';
import { type RankerWeights, rankRows } from '../../src/search/rank/ranker.ts';
import { indexCatalog, openVectorCache, type RankedList, type TrainingEntry } from './catalog.ts';
import { fitLogistic, fitRanker } from './fit.ts';

interface TrainingQuery {
  id: string | null;
  q: string;
  style: string;
  split: 'train' | 'calibrate';
}

const FOLDS = 5;
/** Results of a query that the calibration looks at; further down nothing helps. */
const CALIBRATED = 10;
/**
 * The abstention threshold keeps this share of the queries that have an answer
 * strong. Half of the `none` queries are near misses of some entry, so a
 * stricter one would call every fifth good answer weak.
 */
const STRONG_SHARE = 0.945;
/** Results of a query that people are shown first, and whose probabilities should be true. */
const SHOWN = 5;
/** Thresholds that would call more answers weak: docs/search.md tells what they would cost. */
const STRICTER = [0.41, 0.44, 0.48];

const { values } = parseArgs({
  options: {
    train: { type: 'string' },
    cache: { type: 'string' },
    write: { type: 'boolean' },
  },
});
if (values.train === undefined || values.cache === undefined) {
  console.error('npx tsx scripts/train/ranker.ts --train DIR --cache FILE [--write]');
  process.exit(2);
}
const readLines = <Line>(name: string): Line[] =>
  readFileSync(join(values.train!, name), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);

const entries = readLines<TrainingEntry>('entries.jsonl');
const queries = readLines<TrainingQuery>('queries.jsonl');
const seen = new Set(queries.filter(({ split }) => split === 'train').map(({ id }) => id));
const asked = queries.filter(({ split, id }) => split === 'calibrate' && id !== null);
const none = queries.filter(({ id }) => id === null);
const cache = openVectorCache(values.cache);
await cache.of([...asked, ...none].map(({ q }) => q));

const listsOver = async (catalog: readonly TrainingEntry[], of: readonly TrainingQuery[]) => {
  const index = await indexCatalog(catalog, cache);
  const lists: RankedList[] = [];
  for (const { q, id } of of) lists.push(await index.rank(q, id));
  index.close();
  return lists;
};
const unseen = entries.filter(({ id }) => !seen.has(id));
const overAll = await listsOver(entries, asked);
const overUnseen = await listsOver(unseen, asked);
const nothing = await listsOver(unseen, none);
console.error(
  `${asked.length} queries over ${entries.length} and ${unseen.length} entries, ${none.length} with no answer`,
);

/** Entries, not queries, are dealt into folds: three queries of one entry say much the same. */
const foldOf = new Map([...new Set(asked.map(({ id }) => id))].map((id, i) => [id, i % FOLDS]));
const foldAt = asked.map(({ id }) => foldOf.get(id)!);

const plain = toWeights(FEATURES.map((name) => (name === 'fused' ? 1 : 0)));
const fold = Array.from({ length: FOLDS }, (_, held) => {
  const isIn = (_: unknown, i: number): boolean => foldAt[i] !== held;
  return fitWeights(
    overUnseen.filter(isIn),
    nothing.filter((_, i) => i % FOLDS !== held),
  );
});
const weights = fitWeights(overUnseen, nothing);

report(
  'all entries, first stage',
  recall(overAll, () => plain),
);
report(
  'all entries, learned (cross-validated)',
  recall(overAll, (i) => fold[foldAt[i]!]!),
);
report(
  'unseen entries, first stage',
  recall(overUnseen, () => plain),
);
report(
  'unseen entries, learned (cross-validated)',
  recall(overUnseen, (i) => fold[foldAt[i]!]!),
);
reportCalibration();
reportThresholds();

if (values.write) {
  const path = new URL('../../src/search/rank/weights.json', import.meta.url);
  writeFileSync(path, `${JSON.stringify(weights, null, 2)}\n`);
  console.log(`wrote ${path.pathname}`);
}

function fitWeights(own: readonly RankedList[], empty: readonly RankedList[]): RankerWeights {
  const ranker = toWeights([...fitRanker(own)]);
  const inputs: number[][] = [];
  const labels: number[] = [];
  const [fused, cover] = [FEATURES.indexOf('fused'), FEATURES.indexOf('coverAny')];
  for (const { rows, wanted } of [...own, ...empty]) {
    const ranked = rankRows(rows, ranker);
    const top = rows[ranked[0]!.at]!;
    for (const { at, raw } of ranked.slice(0, CALIBRATED)) {
      inputs.push([raw - ranked[0]!.raw, top[fused]!, top[cover]!]);
      labels.push(at === wanted ? 1 : 0);
    }
  }
  const [bias, gap, onFused, onCover] = fitLogistic(inputs, labels).map(round);
  const calibrated = {
    ...ranker,
    calibration: { bias: bias!, gap: gap!, fused: onFused!, cover: onCover! },
  };
  const best = own
    .map(({ rows }) => rankRows(rows, calibrated)[0]!.probability)
    .sort((a, b) => a - b);
  return { ...calibrated, abstention: round(best[Math.floor(best.length * (1 - STRONG_SHARE))]!) };
}

function toWeights(raw: readonly number[]): RankerWeights {
  const features: Partial<Record<FeatureName, number>> = {};
  for (const [i, name] of FEATURES.entries()) features[name] = round(raw[i]!);
  return { features, calibration: { bias: 0, gap: 1, fused: 0, cover: 0 }, abstention: 0 };
}

function round(value: number): number {
  return Number(value.toPrecision(6));
}

function recall(lists: readonly RankedList[], weightsOf: (i: number) => RankerWeights) {
  let first = 0;
  let five = 0;
  for (const [i, { rows, wanted }] of lists.entries()) {
    const at = rankRows(rows, weightsOf(i)).findIndex((row) => row.at === wanted);
    if (at === 0) first++;
    if (at >= 0 && at < 5) five++;
  }
  return { first: first / lists.length, five: five / lists.length };
}

function report(what: string, { first, five }: { first: number; five: number }): void {
  console.log(`${what.padEnd(44)} recall@1 ${first.toFixed(3)}  recall@5 ${five.toFixed(3)}`);
}

/** Held-out probabilities of the first results against what happened. */
function reportCalibration(): void {
  const held = [
    ...judgeFirst(overUnseen, (i) => fold[foldAt[i]!]!, SHOWN),
    ...judgeFirst(nothing, (i) => fold[i % FOLDS]!, SHOWN),
  ].flat();
  console.log('\nprobability   results   said   helped');
  for (let low = 0; low < 1; low += 0.1) {
    const bin = held.filter(({ probability }) => probability >= low && probability < low + 0.1);
    if (bin.length === 0) continue;
    const said = bin.reduce((sum, { probability }) => sum + probability, 0) / bin.length;
    const helped = shareOf(bin, ({ helps }) => helps);
    console.log(
      `${low.toFixed(1)} - ${(low + 0.1).toFixed(1)}   ${String(bin.length).padStart(8)}  ${said.toFixed(3)}  ${helped.toFixed(3)}`,
    );
  }
}

/** Which held-out queries are called strong by the threshold of each fold, and by stricter ones. */
function reportThresholds(): void {
  const answered = judgeFirst(overUnseen, (i) => fold[foldAt[i]!]!, 1);
  const unanswered = judgeFirst(nothing, (i) => fold[i % FOLDS]!, 1);
  console.log('\nthreshold     strong without an answer   with one   with the right one first');
  for (const threshold of [null, ...STRICTER]) {
    const isStrong = ([best]: Judged[]): boolean => best!.probability >= (threshold ?? best!.floor);
    const right = answered.filter(([best]) => best!.helps);
    const shares = [unanswered, answered, right].map((of) => shareOf(of, isStrong).toFixed(3));
    console.log(`${String(threshold ?? weights.abstention).padEnd(12)}  ${shares.join('  ')}`);
  }
}

/** One result of a held-out query. */
interface Judged {
  probability: number;
  helps: boolean;
  /** The abstention threshold of the weights that gave the probability. */
  floor: number;
}

/** The first `most` results of each list, by weights that have not seen its query. */
function judgeFirst(
  lists: readonly RankedList[],
  weightsOf: (i: number) => RankerWeights,
  most: number,
): Judged[][] {
  return lists.map(({ rows, wanted }, i) => {
    const by = weightsOf(i);
    return rankRows(rows, by)
      .slice(0, most)
      .map(({ at, probability }) => ({ probability, helps: at === wanted, floor: by.abstention }));
  });
}

function shareOf<Item>(items: readonly Item[], holds: (item: Item) => boolean): number {
  return items.filter(holds).length / items.length;
}
