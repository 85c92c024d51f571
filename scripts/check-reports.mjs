// Sums vitest JSON reports into one line: `N passed, N failed`. A report that
// is missing counts as a failure: its tests did not run.
import { existsSync, readFileSync } from 'node:fs';

let passed = 0;
let failed = 0;
for (const path of process.argv.slice(2)) {
  if (!existsSync(path)) {
    console.log(`no report at ${path}`);
    failed += 1;
    continue;
  }
  const report = JSON.parse(readFileSync(path, 'utf8'));
  passed += report.numPassedTests;
  failed += report.numFailedTests;
  // A file that fails before its first test has no failed test to count.
  failed += report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  ).length;
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
