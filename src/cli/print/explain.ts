import type { explainQuery } from '../../protocol/admin/explain-query.ts';
import type { ResultOf } from '../../protocol/admin/method.ts';
import { formatTable } from '../table.ts';
import { oneLine, wrap } from '../text.ts';
import { type Look, tableWidthOf } from './look.ts';
import { SCORE_MEANINGS } from './query.ts';

type Explained = ResultOf<typeof explainQuery>;

/** Reasons shown a result: the rest moved it less than these. */
const REASONS_SHOWN = 4;
/** Less than this is shown as 0.00, which explains nothing. */
const LEAST_SHOWN = 0.005;

/**
 * What the ranker's features (src/search/rank/features.ts) are about, in words:
 * by the start of their name, first match wins. Many measure one thing in
 * several ways and pull against each other; only their sum says something.
 */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^(?:entry|bestView|worstView)/, 'meaning'],
  [/^chunk/, 'best passages'],
  [/^fused/, 'place before ranking'],
  [/^(?:bm25|cover|rare)Name$|^name/, 'words in the name'],
  [/^(?:bm25|cover|rare)About$/, 'words in the description'],
  [/^(?:bm25|cover)Opening$/, 'words in the text'],
  [/^(?:lexical|coverAny|rareAny)/, 'words anywhere'],
  [/^phrases$/, 'words in the same order'],
  [/^(?:feedback|likeFirst)$/, 'like the best results'],
  [/^hubness$/, 'fits everything alike'],
  [/^is(?:Command|Agent)$/, 'its kind'],
  [/Length$/, 'its length'],
];

const signed = (value: number): string => `${value < 0 ? '-' : '+'}${Math.abs(value).toFixed(2)}`;

/** What moved a result most, strongest first: `meaning +2.10`. */
function reasonsFor(features: Explained['results'][number]['features']): string[] {
  const sums = new Map<string, number>();
  for (const { name, contribution } of features) {
    const reason = REASONS.find(([pattern]) => pattern.test(name))?.[1] ?? oneLine(name);
    sums.set(reason, (sums.get(reason) ?? 0) + contribution);
  }
  return [...sums]
    .filter(([, sum]) => Math.abs(sum) >= LEAST_SHOWN)
    .sort(([, a], [, b]) => Math.abs(b) - Math.abs(a))
    .slice(0, REASONS_SHOWN)
    .map(([reason, sum]) => `${reason} ${signed(sum)}`);
}

function formatResult(result: Explained['results'][number], { paint }: Look): string {
  const parts = [
    result.similarity === null ? '' : `similarity ${result.similarity.toFixed(2)}`,
    result.best_chunk === null ? '' : `best passage ${result.best_chunk.toFixed(2)}`,
    `words ${result.lexical.toFixed(2)}`,
    result.first_stage_rank === null ? '' : `before ranking ${result.first_stage_rank}`,
    result.exact_name ? 'the query is its name' : '',
  ].filter((part) => part !== '');
  const reasons = reasonsFor(result.features);
  const place = `${oneLine(result.catalog)}/${oneLine(result.plugin)}`;
  const lines = [
    `${String(result.rank).padStart(2)}  ${paint.name(oneLine(result.name))}  ${result.score.toFixed(2)}  ${paint.quiet(`${result.kind} in ${place}`)}`,
    `    ${parts.join(', ')}`,
  ];
  if (reasons.length > 0) lines.push(`    ${paint.quiet(reasons.join(', '))}`);
  return lines.join('\n');
}

export function formatExplained(answer: Explained, look: Look): string {
  const words = formatTable(
    [{ title: 'WORD' }, { title: 'RARITY', align: 'right' }, { title: 'ENTRIES', align: 'right' }],
    answer.words.map((word) => [oneLine(word.token), word.idf.toFixed(2), String(word.entries)]),
    tableWidthOf(look),
    look.paint.quiet,
  );
  const verdict =
    answer.relevance === 'weak' && answer.results.length > 0
      ? ['nothing here fits well; the nearest are:', '']
      : [];
  const hasReasons = answer.results.some((result) => result.features.length > 0);
  const legend = [
    ...(answer.results.length === 0 ? [] : [SCORE_MEANINGS[answer.scoring]]),
    ...(hasReasons
      ? ['last line of each: what moved it up (+) or down (-); --json has every feature']
      : []),
    ...(words === '' ? [] : ['rarity: how much a word tells apart']),
  ].flatMap((line) => wrap(line, look.width));
  const results = answer.results.map((result) => formatResult(result, look));
  return [
    ...verdict.map((line) => look.paint.warning(line)),
    ...results,
    ...(results.length === 0 ? ['nothing found'] : []),
    ...(words === '' ? [] : ['', words]),
    '',
    ...legend.map((line) => look.paint.quiet(line)),
    ...(answer.degraded === undefined
      ? []
      : [look.paint.warning(`degraded: ${oneLine(answer.degraded)}`)]),
  ].join('\n');
}
