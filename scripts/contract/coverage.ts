import { allIds, CONTRACTS, type ContractLetter, idOf, SECTIONS } from './sections.ts';

/** The part of a vitest JSON report that counts. */
export interface TestReport {
  testResults: {
    name: string;
    assertionResults: { fullName: string; status: string }[];
  }[];
}

const ID = /\b([LSUG])-(\d{3})\b/g;

/** Ids named in a text, in order, each once. */
export function idsIn(text: string): string[] {
  return [...new Set([...text.matchAll(ID)].map(([id]) => id))];
}

/** Ids named in the titles of tests that ran and passed. */
export function coveredIds(reports: readonly TestReport[]): Set<string> {
  const covered = new Set<string>();
  for (const report of reports) {
    for (const file of report.testResults) {
      for (const test of file.assertionResults) {
        if (test.status !== 'passed') continue;
        for (const id of idsIn(test.fullName)) covered.add(id);
      }
    }
  }
  return covered;
}

/** One row of docs/deviations.md: the ids of its first column and what the others say. */
export interface Deviation {
  ids: string[];
  what: string;
}

/** Table rows whose first cell names ids; everything else of the page is prose. */
export function readDeviations(markdown: string): Deviation[] {
  const rows: Deviation[] = [];
  for (const line of markdown.split('\n')) {
    const cells = line.trim().startsWith('|') ? line.trim().slice(1).split('|') : [];
    const ids = idsIn(cells[0] ?? '');
    if (ids.length > 0) rows.push({ ids, what: cells.slice(1).join('|').trim() });
  }
  return rows;
}

export interface Coverage {
  covered: string[];
  /** Not covered by a test, but explained in docs/deviations.md. */
  deviating: string[];
  missing: string[];
}

/** Where each id of `letters` stands. */
export function judgeCoverage(
  letters: readonly ContractLetter[],
  covered: ReadonlySet<string>,
  deviations: readonly Deviation[],
): Coverage {
  const explained = new Set(deviations.flatMap((deviation) => deviation.ids));
  const result: Coverage = { covered: [], deviating: [], missing: [] };
  for (const id of allIds(letters)) {
    if (covered.has(id)) result.covered.push(id);
    else if (explained.has(id)) result.deviating.push(id);
    else result.missing.push(id);
  }
  return result;
}

/** `L-001…L-004, L-007`: neighbours joined, so that a long list stays readable. */
export function joinIds(ids: readonly string[]): string {
  const runs: string[][] = [];
  for (const id of ids) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    const follows =
      last !== undefined && last[0] === id[0] && Number(last.slice(2)) + 1 === Number(id.slice(2));
    if (follows) run!.push(id);
    else runs.push([id]);
  }
  return runs
    .map((run) => (run.length < 3 ? run.join(', ') : `${run[0]}…${run.at(-1)}`))
    .join(', ');
}

/** One paragraph a contract: how many are covered, which are missing, what deviates. */
export function formatCoverage(letter: ContractLetter, coverage: Coverage): string {
  const mine = (ids: readonly string[]) => ids.filter((id) => id.startsWith(letter));
  const covered = mine(coverage.covered);
  const deviating = mine(coverage.deviating);
  const missing = mine(coverage.missing);
  const total = covered.length + deviating.length + missing.length;
  const lines = [
    `${letter} ${CONTRACTS[letter]}: ${covered.length} of ${total} covered, ${deviating.length} deviate, ${missing.length} missing`,
  ];
  if (missing.length > 0) lines.push(`  missing: ${joinIds(missing)}`);
  if (deviating.length > 0) lines.push(`  deviate: ${joinIds(deviating)}`);
  return lines.join('\n');
}

/** One line a section, for `--sections`. */
export function formatSections(letter: ContractLetter, coverage: Coverage): string {
  const covered = new Set(coverage.covered);
  const deviating = new Set(coverage.deviating);
  return SECTIONS.filter(([each]) => each === letter)
    .map(([, from, to, title]) => {
      const ids = Array.from({ length: to - from + 1 }, (_, at) => idOf(letter, from + at));
      const done = ids.filter((id) => covered.has(id)).length;
      const other = ids.filter((id) => !covered.has(id) && deviating.has(id)).length;
      const missing = ids.filter((id) => !covered.has(id) && !deviating.has(id));
      const share = `${done}/${ids.length}`.padStart(7);
      const rest = [
        other > 0 ? `${other} deviate` : '',
        missing.length > 0 ? `missing ${joinIds(missing)}` : '',
      ].filter((part) => part !== '');
      return `${share}  ${title}${rest.length > 0 ? `: ${rest.join('; ')}` : ''}`;
    })
    .join('\n');
}
