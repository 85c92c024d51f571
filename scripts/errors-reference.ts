/**
 * `npm run errors`: writes docs/errors.md from the error table. A test fails
 * while the page differs from the table.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorTable } from '../src/core/errors.ts';

/** The page, made from the table alone. */
export function errorsPage(): string {
  const rows = Object.entries(errorTable)
    .flatMap(([category, row]) =>
      [row.exit, ...(row.alsoExit === undefined ? [] : [row.alsoExit])].map((exit) => ({
        exit,
        line: `| ${exit} | \`${category}\` | ${row.retryable === true ? 'yes' : ''} | ${row.meaning} | ${nextStep(row)} |`,
      })),
    )
    .sort((a, b) => a.exit - b.exit);
  return `# Errors

Generated from \`src/core/errors.ts\` by \`npm run errors\`; do not edit.

Every failure has one category. On the command line the category decides the
exit code, and with \`--json\` it is the \`category\` of the one object on standard
error. Over MCP it is the \`code\` of the error's \`data\`, unless a tool has a more
exact code. \`lectern exit-codes\` prints this table without any configuration.

| Exit | Category | Retry | What it means | What to do |
| ---: | --- | --- | --- | --- |
${rows.map(({ line }) => line).join('\n')}

"Retry" says that the same call may succeed later without anyone changing anything.
`;
}

function nextStep(row: { remediation?: string; next?: string }): string {
  if (row.remediation !== undefined) {
    // The contract fixes these words; some name commands that a later version brings.
    return isCommand(row.remediation)
      ? `\`${row.remediation}\``
      : `\`${row.remediation}\` (not in this version)`;
  }
  if (row.next === undefined) return '';
  return row.next.startsWith('lectern ') ? `\`${row.next}\`` : row.next;
}

/** True when oclif would find the command that `line` begins with. */
function isCommand(line: string): boolean {
  const words = line.split(' ').slice(1);
  const flag = words.findIndex((word) => word.startsWith('-'));
  const path = (flag === -1 ? words : words.slice(0, flag)).join('/');
  const file = join(import.meta.dirname, '..', 'src', 'commands', `${path}.ts`);
  if (!existsSync(file)) return false;
  const name = words[flag]?.replace(/^--/, '');
  return name === undefined || new RegExp(`\\b${name}'?: Flags`).test(readFileSync(file, 'utf8'));
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(join(import.meta.dirname, '..', 'docs', 'errors.md'), errorsPage());
}
