import { errorTable } from '../../core/errors.ts';
import { formatTable } from '../table.ts';
import { wrap } from '../text.ts';
import { type Look, tableWidthOf } from './look.ts';

/** One row of `lectern exit-codes --json` (library contract 12). */
export interface ExitCodeRow {
  exit_code: number;
  category: string;
  retryable: boolean;
  remediation?: string;
  meaning: string;
  /** What to do where no fixed command repairs it. */
  next?: string;
}

/** No failure, so it is in no table of failures; people ask all the same. */
export const SUCCESS: ExitCodeRow = {
  exit_code: 0,
  category: 'ok',
  retryable: false,
  meaning: 'The command did what it was asked.',
};

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
        ...(row.next === undefined ? {} : { next: row.next }),
      })),
    )
    .filter((row) => code === undefined || row.exit_code === code)
    .sort((a, b) => a.exit_code - b.exit_code);
}

/**
 * One code in lines of its own; several as a table. The repairs are long: they
 * are in the table where nothing is cut, else one code at a time tells them.
 */
export function formatExitCodes(rows: readonly ExitCodeRow[], look: Look): string {
  const [only, ...others] = rows;
  if (only !== undefined && others.length === 0) return formatExitCode(only, look);
  const withRepairs = tableWidthOf(look) === Infinity;
  return formatTable(
    [
      { title: 'EXIT', align: 'right' },
      { title: 'CATEGORY' },
      { title: 'RETRY' },
      { title: 'MEANING', shrinks: true },
      ...(withRepairs ? [{ title: 'REPAIRED BY' }] : []),
    ],
    rows.map((row) => [
      String(row.exit_code),
      look.paint.name(row.category),
      row.retryable ? 'yes' : '',
      row.meaning,
      ...(withRepairs ? [row.remediation ?? row.next ?? ''] : []),
    ]),
    tableWidthOf(look),
    look.paint.quiet,
  );
}

function formatExitCode(row: ExitCodeRow, { paint, width }: Look): string {
  const remedy = row.remediation ?? row.next;
  return [
    `${row.exit_code}  ${paint.name(row.category)}`,
    ...wrap(row.meaning, width),
    ...(row.retryable ? ['The same command may succeed later without any change.'] : []),
    ...(remedy === undefined ? [] : [`${paint.quiet('repaired by:')} ${remedy}`]),
  ].join('\n');
}
