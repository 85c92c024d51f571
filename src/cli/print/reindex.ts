import type { ResultOf } from '../../protocol/admin/method.ts';
import type { runReindex } from '../../protocol/admin/run-reindex.ts';
import { formatDuration } from '../measure.ts';
import { count, oneLine } from '../text.ts';
import type { Look } from './look.ts';
import { formatProblemCount } from './problems.ts';

/** @param force every entry was rewritten, which says nothing about changes */
export function formatReindex(
  answer: ResultOf<typeof runReindex>,
  force: boolean,
  { paint }: Look,
): string {
  const { reindexed } = answer;
  if (reindexed === null) return 'nothing is enabled there, so there was nothing to read';
  const lines = [
    `${paint.good('read')} ${oneLine(reindexed.scope)}: ${count(reindexed.plugins_visited, 'plugin')}, ${count(reindexed.skills_checked, 'entry', 'entries')} in ${formatDuration(reindexed.duration_ms)}`,
    force
      ? `  ${reindexed.skills_re_embedded} rewritten; vectors are kept where the text is as before`
      : `  ${reindexed.skills_re_embedded} changed, ${reindexed.skills_unchanged} as before`,
  ];
  const problems = formatProblemCount(answer.problems);
  if (problems !== '') lines.push(`  ${paint.warning(problems)}`);
  return lines.join('\n');
}
