import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { TestReport } from './coverage.ts';

/** Where `npm test` and `npm run test:faults` leave their JSON reports. */
export const REPORTS = {
  test: 'coverage/test.json',
  faults: 'coverage/faults.json',
} as const;

/** The suite's own budget is five minutes; twice that is a hang. */
const LONGEST_RUN_MS = 10 * 60_000;

/** What a test can depend on: a report older than any of these is out of date. */
const SOURCES = ['src', 'daemon', 'proxy', 'bin', 'test', 'samples'];

function newestChange(root: string, folder: string): number {
  const path = join(root, folder);
  if (!existsSync(path)) return 0;
  return Math.max(
    0,
    ...readdirSync(path, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs),
  );
}

/** Reports that are newer than everything they speak of. */
function freshReports(root: string): string[] {
  const newest = Math.max(...SOURCES.map((folder) => newestChange(root, folder)));
  return Object.values(REPORTS)
    .map((path) => join(root, path))
    .filter((path) => existsSync(path) && statSync(path).mtimeMs > newest);
}

export function readReport(path: string): TestReport {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/**
 * Reports of tests that ran: those of the last `npm test` and `npm run
 * test:faults` while nothing changed since, else of a run made now.
 *
 * @param log takes a line for people
 */
export function collectReports(root: string, log: (line: string) => void): TestReport[] {
  const fresh = freshReports(root);
  if (!fresh.includes(join(root, REPORTS.test))) {
    log('no report of the present tree: running npm test (its output goes to standard error)');
    const run = spawnSync('npm', ['test'], {
      cwd: root,
      stdio: ['ignore', 2, 2],
      timeout: LONGEST_RUN_MS,
    });
    if (run.error !== undefined) throw run.error;
    fresh.unshift(join(root, REPORTS.test));
  }
  return fresh.map(readReport);
}
