/**
 * `npm run contract`: which numbered behaviours are asserted by tests that ran
 * and passed, which deviate knowingly (docs/deviations.md), which are neither.
 * Exit 1 while any is neither.
 *
 *   --contract L     only this contract (may repeat)
 *   --sections       one line a section
 *   --deviations     the rows of docs/deviations.md
 *   --report FILE    read this vitest JSON report instead (may repeat)
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  coveredIds,
  formatCoverage,
  formatSections,
  judgeCoverage,
  readDeviations,
} from './contract/coverage.ts';
import { collectReports, readReport } from './contract/reports.ts';
import { CONTRACTS, type ContractLetter } from './contract/sections.ts';

const root = join(import.meta.dirname, '..');
const { values } = parseArgs({
  options: {
    contract: { type: 'string', multiple: true },
    sections: { type: 'boolean' },
    deviations: { type: 'boolean' },
    report: { type: 'string', multiple: true },
  },
});

const letters = (values.contract ?? Object.keys(CONTRACTS)).map((letter) => {
  if (!Object.hasOwn(CONTRACTS, letter)) {
    console.error(`--contract takes one of ${Object.keys(CONTRACTS).join(', ')}, got ${letter}`);
    process.exit(2);
  }
  return letter as ContractLetter;
});

const reports =
  values.report === undefined
    ? collectReports(root, (line) => console.error(line))
    : values.report.map(readReport);
const deviations = readDeviations(readFileSync(join(root, 'docs/deviations.md'), 'utf8'));
const coverage = judgeCoverage(letters, coveredIds(reports), deviations);

for (const letter of letters) {
  console.log(formatCoverage(letter, coverage));
  if (values.sections) console.log(formatSections(letter, coverage));
}
if (values.deviations) {
  const shown = deviations.filter(({ ids }) => ids.some((id) => letters.includes(id[0] as never)));
  for (const { ids, what } of shown) console.log(`${ids.join(', ')}: ${what}`);
}
console.log(
  coverage.missing.length === 0
    ? 'every id is covered or explained'
    : `${coverage.missing.length} ids are neither covered nor explained`,
);
process.exitCode = coverage.missing.length === 0 ? 0 : 1;
