import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { errorsPage } from '../../scripts/errors-reference.ts';
import { exitCodeRows } from '../../src/cli/print/exit-codes.ts';

test('docs/errors.md is what the table says: run `npm run errors` after a change', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/errors.md'), 'utf8');
  expect(page).toBe(errorsPage());
});

test('the page has a row for each exit code that a command can end with', () => {
  const page = errorsPage();
  for (const { exit_code: exit, category } of exitCodeRows(undefined)) {
    expect(page).toContain(`| ${exit} | \`${category}\` |`);
  }
});
