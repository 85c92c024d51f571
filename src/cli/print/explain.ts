import type { explainQuery } from '../../protocol/admin/explain-query.ts';
import type { ResultOf } from '../../protocol/admin/method.ts';
import { formatTable } from '../table.ts';
import { oneLine } from '../text.ts';
import { type Look, tableWidthOf } from './look.ts';

type Explained = ResultOf<typeof explainQuery>;

/** Features shown a result: the rest moved it less than these. */
const FEATURES_SHOWN = 5;

const signed = (value: number): string => `${value < 0 ? '' : '+'}${value.toFixed(2)}`;

function formatResult(result: Explained['results'][number], { paint }: Look): string {
  const parts = [
    result.similarity === null ? '' : `similarity ${result.similarity.toFixed(2)}`,
    result.best_chunk === null ? '' : `best passage ${result.best_chunk.toFixed(2)}`,
    `words ${result.lexical.toFixed(2)}`,
    result.first_stage_rank === null ? '' : `before ranking ${result.first_stage_rank}`,
    result.exact_name ? 'the query is its name' : '',
  ].filter((part) => part !== '');
  const strongest = [...result.features]
    .filter((feature) => feature.contribution !== 0)
    .sort((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution))
    .slice(0, FEATURES_SHOWN)
    .map((feature) => `${feature.name} ${signed(feature.contribution)}`);
  const place = `${oneLine(result.catalog)}/${oneLine(result.plugin)}`;
  const lines = [
    `${String(result.rank).padStart(2)}  ${paint.name(oneLine(result.name))}  ${result.score.toFixed(2)}  ${paint.quiet(`${result.kind} in ${place}`)}`,
    `    ${parts.join(', ')}`,
  ];
  if (strongest.length > 0) lines.push(`    ${paint.quiet(strongest.join('  '))}`);
  return lines.join('\n');
}

export function formatExplained(answer: Explained, look: Look): string {
  const words = formatTable(
    [{ title: 'WORD' }, { title: 'TELLS', align: 'right' }, { title: 'ENTRIES', align: 'right' }],
    answer.words.map((word) => [oneLine(word.token), word.idf.toFixed(2), String(word.entries)]),
    tableWidthOf(look),
    look.paint.quiet,
  );
  const verdict =
    answer.relevance === undefined
      ? `scored by ${answer.scoring}`
      : `scored by ${answer.scoring}; the best is ${answer.relevance === 'weak' ? 'a weak fit' : 'a fit'}`;
  const results = answer.results.map((result) => formatResult(result, look));
  return [
    ...results,
    ...(results.length === 0 ? ['nothing found'] : []),
    ...(words === '' ? [] : ['', words]),
    '',
    look.paint.quiet(verdict),
    ...(answer.degraded === undefined
      ? []
      : [look.paint.warning(`degraded: ${oneLine(answer.degraded)}`)]),
  ].join('\n');
}
