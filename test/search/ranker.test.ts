import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FEATURES } from '../../src/search/rank/features.ts';
import { rankRows, WEIGHTS } from '../../src/search/rank/ranker.ts';

const row = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), {
  minLength: FEATURES.length,
  maxLength: FEATURES.length,
});

test('the fitted weights are for the features there are, and for no others', () => {
  expect(Object.keys(WEIGHTS.features).sort()).toEqual([...FEATURES].sort());
  expect(WEIGHTS.calibration.gap).toBeGreaterThan(0);
  expect(WEIGHTS.abstention).toBeGreaterThan(0);
  expect(WEIGHTS.abstention).toBeLessThan(1);
});

test('every list is ordered wholly, by falling score and falling probability', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 12 }), (rows) => {
      const ranked = rankRows(rows.map((values) => Float64Array.from(values)));
      expect(ranked.map(({ at }) => at).sort((a, b) => a - b)).toEqual(rows.map((_, i) => i));
      for (let i = 1; i < ranked.length; i++) {
        expect(ranked[i]!.raw).toBeLessThanOrEqual(ranked[i - 1]!.raw);
        expect(ranked[i]!.probability).toBeLessThanOrEqual(ranked[i - 1]!.probability);
      }
    }),
  );
});

test('equal rows keep the order of the first stage', () => {
  const same = new Float64Array(FEATURES.length).fill(0.5);
  expect(rankRows([same, same, same]).map(({ at }) => at)).toEqual([0, 1, 2]);
});
