import type { getStatus } from '../../protocol/admin/get-status.ts';
import type { ResultOf } from '../../protocol/admin/method.ts';
import { formatAge, formatBytes, formatDuration } from '../measure.ts';
import { count, oneLine } from '../text.ts';
import { formatEntryCounts } from './catalogs.ts';
import type { Look } from './look.ts';
import { formatProblem } from './problems.ts';

type Status = ResultOf<typeof getStatus>;

/** Problems shown by `status` before it points to `lectern problems`. */
const PROBLEMS_SHOWN = 3;

/** The exit code of a verdict (library contract 11.1). */
export function exitCodeOfVerdict(verdict: Status['overall']): number {
  return verdict === 'ok' ? 0 : verdict === 'degraded' ? 10 : 1;
}

function paintVerdict(verdict: Status['overall'], { paint }: Look): string {
  if (verdict === 'ok') return paint.good(verdict);
  return verdict === 'degraded' ? paint.warning(verdict) : paint.bad(verdict);
}

function formatModel(model: Status['embedder'], { paint }: Look): string {
  if (model.state === 'not_applicable') return paint.quiet('not used');
  const name = [model.name ?? 'none', model.version].filter((part) => part !== null).join(' ');
  return model.state === 'ok' ? name : `${name} ${paint.bad(model.state.replaceAll('_', ' '))}`;
}

function formatVectors({ rows, entries, bodies, loading }: NonNullable<Status['vectors']>): string {
  const words = { exact: 'an exact scan', hnsw: 'an HNSW graph' };
  const found =
    entries === bodies ? words[entries] : `${words[entries]}, those of bodies by ${words[bodies]}`;
  return loading ? 'being loaded' : `${rows.toLocaleString('en-US')}, compared by ${found}`;
}

/** What a person can still do to get more out of lectern; JSON never has it (library contract 11.1). */
export function nextStepOf(status: Status): string | undefined {
  if (status.config !== undefined) return 'mend config.toml, then: lectern daemon reload';
  if (status.catalogs_enrolled === 0) return 'lectern catalog add PATH_OR_URL --enable';
  // Where a catalog is gone, enabling what is left is not the first thing to do.
  if (status.index.plugins_enabled === 0 && status.overall === 'ok')
    return "lectern plugin enable '*/*'";
  if ((status.problems_total ?? 0) > PROBLEMS_SHOWN) return 'lectern problems';
  return status.overall === 'ok' ? undefined : 'lectern doctor';
}

/** Notes for people: what the config line says already is not said twice. */
function notesOf({ notes = [], config }: Status): string[] {
  return config === undefined ? notes : notes.filter((note) => !note.endsWith(config.message));
}

function worstFirst<P extends { severity: string }>(problems: readonly P[]): P[] {
  const isError = (problem: P): boolean => problem.severity === 'error';
  return [...problems.filter(isError), ...problems.filter((problem) => !isError(problem))];
}

export function formatStatus(status: Status, look: Look): string {
  const { paint } = look;
  const label = (word: string): string => paint.quiet(`${word}:`.padEnd(11));
  const { entries, index } = status;
  const lines = [
    `lectern ${status.lectern} is ${paintVerdict(status.overall, look)}`,
    `${label('workspace')} ${paint.name(status.current_workspace)}${status.workspaces_total === 0 ? '' : ` ${paint.quiet(`(${count(status.workspaces_total, 'other workspace')})`)}`}`,
    `${label('catalogs')} ${status.catalogs_enrolled}, ${count(index.plugins_enabled, 'plugin')} enabled`,
    `${label('entries')} ${count(entries.skills, 'skill')}, ${count(entries.commands, 'command')}, ${count(entries.agents, 'agent')}`,
    `${label('index')} ${
      index.present
        ? `${formatBytes(index.size_bytes ?? 0)}${index.integrity_ok ? '' : ` ${paint.bad('damaged')}`}${status.reindexed_at === null ? '' : `, read ${formatAge(status.reindexed_at * 1000, look.nowMs)}`}`
        : 'none yet'
    }`,
    `${label('embedder')} ${formatModel(status.embedder, look)}`,
    `${label('reranker')} ${formatModel(status.reranker, look)}`,
  ];
  if (status.vectors !== undefined)
    lines.push(`${label('vectors')} ${formatVectors(status.vectors)}`);
  if (status.drift.kind !== 'none') {
    lines.push(
      `${label('drift')} ${paint.warning(status.drift.kind)} (${status.drift.stored ?? 'none'} → ${status.drift.configured ?? 'none'})`,
    );
  }
  if (status.indexing !== undefined && status.indexing.stage !== 'idle') {
    const { stage, done, total } = status.indexing;
    lines.push(`${label('indexing')} ${stage} ${done}/${total}`);
  }
  if (status.daemon !== undefined) {
    lines.push(
      `${label('daemon')} pid ${status.daemon.pid}, up ${formatDuration(status.daemon.uptime_seconds * 1000)}, state in ${status.daemon.state_root}`,
    );
  }
  if (status.config !== undefined)
    lines.push(
      `${label('config')} ${paint.bad('malformed')} (commands exit 5, agents get the defaults): ${oneLine(status.config.message)}`,
    );
  for (const note of notesOf(status)) lines.push(`${label('note')} ${oneLine(note)}`);
  for (const catalog of status.catalogs ?? []) {
    if (catalog.entries === undefined || catalog.entries.dropped === 0) continue;
    lines.push(
      `${label('catalog')} ${oneLine(catalog.name)}: ${formatEntryCounts(catalog.entries)} loaded`,
    );
  }
  const problems = status.problems ?? [];
  if (problems.length > 0) {
    const shown = worstFirst(problems).slice(0, PROBLEMS_SHOWN);
    const rest = (status.problems_total ?? problems.length) - shown.length;
    lines.push('', ...shown.map((problem) => formatProblem(problem, look)));
    if (rest > 0) lines.push(paint.quiet(`and ${count(rest, 'more problem')}`));
  }
  return lines.join('\n');
}
