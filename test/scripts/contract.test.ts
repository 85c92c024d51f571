import { expect, test } from 'vitest';
import {
  coveredIds,
  formatCoverage,
  formatSections,
  idsIn,
  joinIds,
  judgeCoverage,
  readDeviations,
} from '../../scripts/contract/coverage.ts';
import { allIds } from '../../scripts/contract/sections.ts';

const letter = (name: string, number: number) => `${name}-${String(number).padStart(3, '0')}`;

test('the id lists are whole and without doubles', () => {
  for (const [name, last] of [
    ['L', 213],
    ['S', 196],
    ['U', 237],
    ['G', 231],
  ] as const) {
    const ids = allIds([name]);
    expect(new Set(ids).size).toBe(ids.length);
    expect([...ids].sort()).toEqual(Array.from({ length: last }, (_, at) => letter(name, at + 1)));
  }
});

test('ids are read from titles; lookalikes are not', () => {
  const title = `${letter('L', 12)} and ${letter('U', 33)}, not XL-0012, L-12 or G-1234`;
  expect(idsIn(title)).toEqual([letter('L', 12), letter('U', 33)]);
});

test('only tests that ran and passed cover', () => {
  const report = {
    testResults: [
      {
        name: 'x.test.ts',
        assertionResults: [
          { fullName: `${letter('L', 1)} holds`, status: 'passed' },
          { fullName: `${letter('L', 2)} is skipped`, status: 'skipped' },
          { fullName: `${letter('L', 3)} breaks`, status: 'failed' },
        ],
      },
    ],
  };
  expect([...coveredIds([report])]).toEqual([letter('L', 1)]);
});

test('a deviation is a table row that names ids; prose names none', () => {
  const page = `See ${letter('L', 5)}.\n\n| Ids | Contract | Here |\n| --- | --- | --- |\n| ${letter('L', 1)}, ${letter('L', 2)} | strict | tolerant |\n`;
  expect(readDeviations(page)).toEqual([
    { ids: [letter('L', 1), letter('L', 2)], what: 'strict | tolerant |' },
  ]);
});

test('an id is covered, or else explained, or else missing', () => {
  const coverage = judgeCoverage(['L'], new Set([letter('L', 1), letter('L', 2)]), [
    { ids: [letter('L', 2), letter('L', 3)], what: '' },
  ]);
  expect(coverage.covered).toEqual([letter('L', 1), letter('L', 2)]);
  expect(coverage.deviating).toEqual([letter('L', 3)]);
  expect(coverage.missing.length).toBe(210);
  expect(formatCoverage('L', coverage)).toContain('2 of 213 covered, 1 deviate, 210 missing');
  expect(formatSections('L', coverage)).toContain('2/32  Input formats: 1 deviate; missing');
});

test('neighbours are joined', () => {
  expect(joinIds([1, 2, 3, 5, 7, 8].map((n) => letter('S', n)))).toBe(
    `${letter('S', 1)}…${letter('S', 3)}, ${letter('S', 5)}, ${letter('S', 7)}, ${letter('S', 8)}`,
  );
});
