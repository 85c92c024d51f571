import { expect, test } from 'vitest';
import {
  formatMeasurement,
  formatVerdict,
  isOverBudget,
  quantile,
} from '../../scripts/bench/measure.ts';
import { type Judged, rankOf, scoreAll } from '../../scripts/eval/metrics.ts';

const judged = (style: string, ranked: string[][], relevant: string[] = ['a']): Judged => ({
  id: 'q',
  style,
  relevant,
  ranked,
  relevance: undefined,
});

test('the rank is that of the best acceptable file; a folded file counts at its rank', () => {
  expect(rankOf(judged('mixed', [['b'], ['c', 'a']]))).toBe(2);
  expect(rankOf(judged('mixed', [['b']]))).toBeUndefined();
});

test('recall and MRR over the queries with targets, in all and per style', () => {
  const report = scoreAll([
    judged('mixed', [['a']]),
    judged('mixed', [['b'], ['a']]),
    judged('keyword', [['b'], ['c'], ['d'], ['e'], ['f'], ['a']]),
    judged('none', [['b']], []),
  ]);
  expect(report['recall@1']).toBeCloseTo(1 / 3);
  expect(report['recall@5']).toBeCloseTo(2 / 3);
  expect(report['mrr@10']).toBeCloseTo((1 + 1 / 2 + 1 / 6) / 3);
  expect(report.queries).toBe(3);
  expect(report.byStyle['mixed']).toMatchObject({ 'recall@1': 0.5, queries: 2 });
  expect(Object.keys(report.byStyle)).toEqual(['mixed', 'keyword']);
});

test('an eleventh rank is worth nothing', () => {
  const far = Array.from({ length: 10 }, (_, at) => [`x${at}`]);
  expect(scoreAll([judged('mixed', [...far, ['a']])])['mrr@10']).toBe(0);
});

test('noneStrong is unknown while answers do not say, else the share of strong ones', () => {
  const none = (relevance: Judged['relevance']): Judged => ({
    ...judged('none', [['b']], []),
    relevance,
  });
  const target = judged('mixed', [['a']]);
  expect(scoreAll([target, none(undefined)]).noneStrong).toBeNull();
  expect(scoreAll([target, none('strong'), none('weak')]).noneStrong).toBe(0.5);
  const strong = { ...target, relevance: 'strong' as const };
  expect(scoreAll([strong, { ...target, relevance: 'weak' }]).answeredStrong).toBe(0.5);
});

test('quantiles are of the values given, by nearest rank', () => {
  expect([quantile([3, 1, 2], 0.5), quantile([3, 1, 2], 1), quantile([], 0.5)]).toEqual([2, 3, 0]);
  expect(
    quantile(
      Array.from({ length: 100 }, (_, at) => at + 1),
      0.99,
    ),
  ).toBe(99);
});

test('a number is over budget above its most, below its least, or when it is none', () => {
  const base = { what: 'x', unit: 'ms' as const };
  expect(isOverBudget({ ...base, value: 10, most: 10 })).toBe(false);
  expect(isOverBudget({ ...base, value: 10.1, most: 10 })).toBe(true);
  expect(isOverBudget({ ...base, value: 2.9, least: 3 })).toBe(true);
  expect(isOverBudget({ ...base, value: Number.NaN, most: 10 })).toBe(true);
  expect(isOverBudget({ ...base, value: 1e9 })).toBe(false);
});

test('the last line names the rows over budget', () => {
  const over = { what: 'x', value: 2, unit: 'ms' as const, most: 1 };
  const fine = { ...over, most: 3 };
  expect(formatVerdict([{ row: 'relay', measurements: [fine] }])).toBe('rows over budget: none');
  expect(
    formatVerdict([
      { row: 'relay', measurements: [fine, over] },
      { row: 'save', measurements: [over] },
    ]),
  ).toBe('rows over budget: relay, save');
  expect(formatMeasurement(over, 'relay')).toMatch(/OVER$/);
});
