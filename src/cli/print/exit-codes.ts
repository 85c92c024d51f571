import { errorTable } from '../../core/errors.ts';
import { formatTable } from '../table.ts';
import type { Look } from './look.ts';

/** One row of `lectern exit-codes --json` (library contract 12). */
export interface ExitCodeRow {
  exit_code: number;
  category: string;
  retryable: boolean;
  remediation?: string;
  meaning: string;
}

/** The rows of one exit code, or all of them, in order of the code. */
export function exitCodeRows(code: number | undefined): ExitCodeRow[] {
  return Object.entries(errorTable)
    .flatMap(([category, row]) =>
      [row.exit, ...(row.alsoExit === undefined ? [] : [row.alsoExit])].map((exit) => ({
        exit_code: exit,
        category,
        retryable: row.retryable === true,
        ...(row.remediation === undefined ? {} : { remediation: row.remediation }),
        meaning: row.meaning,
      })),
    )
    .filter((row) => code === undefined || row.exit_code === code)
    .sort((a, b) => a.exit_code - b.exit_code);
}

export function formatExitCodes(rows: readonly ExitCodeRow[], look: Look): string {
  return formatTable(
    [
      { title: 'EXIT', align: 'right' },
      { title: 'CATEGORY' },
      { title: 'RETRY' },
      { title: 'REPAIRED BY' },
      { title: 'MEANING', shrinks: true },
    ],
    rows.map((row) => [
      String(row.exit_code),
      look.paint.name(row.category),
      row.retryable ? 'yes' : '',
      row.remediation ?? '',
      row.meaning,
    ]),
    look.width,
    look.paint.quiet,
  );
}
