import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCountTable } from '../../src/search/count-table.ts';
import { countOf, countTerms, hashToken } from '../../src/search/terms.ts';

const tokens = fc.array(fc.stringMatching(/^[a-f]{1,3}$/), { maxLength: 60 });

test('a count is how often the token occurs', () => {
  fc.assert(
    fc.property(tokens, fc.stringMatching(/^[a-f]{1,3}$/), (list, token) => {
      const expected = list.filter((each) => each === token).length;
      expect(countOf(countTerms(list), hashToken(token))).toBe(expected);
    }),
  );
});

test('a count table counts as a map does, through growth and back to zero', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(40_000), fc.constantFrom(1, -1)), { maxLength: 300 }),
      (steps) => {
        const table = createCountTable();
        const map = new Map<number, number>();
        for (let hash = 0; hash < 20_000; hash++) table.add(Math.imul(hash, 65_536) >>> 0, 1);
        for (const [hash, by] of steps) {
          const key = hash * 65_536 + 7;
          table.add(key >>> 0, by as 1 | -1);
          map.set(key >>> 0, (map.get(key >>> 0) ?? 0) + by);
        }
        for (const [key, count] of map) expect(table.get(key)).toBe(count);
        expect(table.get(Math.imul(19_999, 65_536) >>> 0)).toBeGreaterThan(0);
        expect(table.get(3)).toBe(0);
      },
    ),
    { numRuns: 10 },
  );
});
