import type { listProblems } from '../../protocol/admin/list-problems.ts';
import type { ResultOf } from '../../protocol/admin/method.ts';
import { count, oneLine } from '../text.ts';
import type { Look } from './look.ts';

interface ProblemLike {
  severity: 'error' | 'warning';
  file: string;
  line?: number | undefined;
  message: string;
  fix?: string | undefined;
}

/** `2 errors, 1 warning`; empty when there are none. */
export function formatProblemCount(problems: readonly { severity: string }[]): string {
  const errors = problems.filter((problem) => problem.severity === 'error').length;
  const warnings = problems.length - errors;
  return [errors > 0 ? count(errors, 'error') : '', warnings > 0 ? count(warnings, 'warning') : '']
    .filter((part) => part !== '')
    .join(', ');
}

/** `error  path:12` over what is wrong and what to do about it. */
export function formatProblem(problem: ProblemLike, { paint }: Look): string {
  const word = problem.severity === 'error' ? paint.bad('error') : paint.warning('warning');
  const place = `${oneLine(problem.file)}${problem.line === undefined ? '' : `:${problem.line}`}`;
  const lines = [`${word} ${paint.strong(place)}`, `  ${oneLine(problem.message)}`];
  if (problem.fix !== undefined) lines.push(`  ${paint.quiet('fix:')} ${oneLine(problem.fix)}`);
  return lines.join('\n');
}

export function formatProblems(rows: ResultOf<typeof listProblems>, look: Look): string {
  if (rows.length === 0) return 'no problems';
  const lines: string[] = [];
  let group: string | undefined;
  for (const row of rows) {
    const id = row.plugin === null ? row.catalog : `${row.catalog}/${row.plugin}`;
    if (id !== group) {
      if (group !== undefined) lines.push('');
      lines.push(look.paint.name(oneLine(id)));
      group = id;
    }
    lines.push(formatProblem(row, look));
  }
  lines.push('', formatProblemCount(rows));
  return lines.join('\n');
}
