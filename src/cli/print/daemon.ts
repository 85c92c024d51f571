import { isAtLeast, type LogLevel } from '../../core/log-levels.ts';
import type { daemonStatus } from '../../protocol/admin/daemon-status.ts';
import type { listSessions } from '../../protocol/admin/list-sessions.ts';
import type { ResultOf } from '../../protocol/admin/method.ts';
import { type BirthLimit, explainBirthLimit, FORGIVES_BIRTHS } from '../../protocol/link/births.ts';
import type { ServiceState } from '../../service/inspect.ts';
import { formatBytes, formatDuration } from '../measure.ts';
import { formatTable } from '../table.ts';
import { oneLine } from '../text.ts';
import { type Look, tableWidthOf } from './look.ts';

type DaemonStatus = ResultOf<typeof daemonStatus>;

export function formatDaemonStatus(
  status: DaemonStatus,
  sessions: ResultOf<typeof listSessions>,
  { service, births }: { service: ServiceState | null; births: BirthLimit | null },
  look: Look,
): string {
  const { paint } = look;
  const label = (word: string): string => paint.quiet(`${word}:`.padEnd(10));
  const lines = [
    `${paint.good('running')}${status.isRetiring ? paint.warning(', about to stop') : ''}: pid ${status.pid}, version ${status.version}, up ${formatDuration(status.uptimeMs)}`,
    `${label('state')} ${status.stateRoot}`,
    `${label('socket')} ${status.socket ?? 'none: a read-only daemon over stdio'}`,
    `${label('memory')} ${formatBytes(status.rssBytes)}`,
    `${label('requests')} ${status.calls} answered, ${status.inFlight} in flight`,
    `${label('loop')} p99 delay ${status.loopDelayP99Ms.toFixed(1)} ms`,
    `${label('idle exit')} ${status.idleExitMs === null ? 'never' : `after ${formatDuration(status.idleExitMs)} without a session`}`,
  ];
  lines.push(`${label('at login')} ${formatService(service, look)}`);
  if (status.http != null) lines.push(...formatHttp(status.http, label, look));
  if (births !== null) lines.push(`${label('births')} ${formatBirths(births)}`);
  if (status.startupFailure !== null) {
    lines.push(`${label('failure')} ${paint.bad(oneLine(status.startupFailure))}`);
  }
  if (status.configFailure != null) {
    lines.push(
      `${label('config')} ${paint.bad('malformed')} (commands exit 5, agents get the defaults): ${oneLine(status.configFailure)}`,
    );
  }
  const table = formatSessions(sessions, look);
  return [...lines, ...(table === '' ? [] : ['', table])].join('\n');
}

/** The agents that are connected, a row each; empty without any. */
export function formatSessions(sessions: ResultOf<typeof listSessions>, look: Look): string {
  const agents = sessions.filter((session) => session.role === 'mcp');
  return formatTable(
    [
      { title: 'SESSION', align: 'right' },
      { title: 'PID', align: 'right' },
      { title: 'HARNESS' },
      { title: 'SURFACE' },
      { title: 'WORKSPACE' },
      { title: 'CALLS', align: 'right' },
      { title: 'AGE' },
      { title: 'DIRECTORY', shrinks: true },
    ],
    agents.map((session) => [
      String(session.id),
      String(session.pid),
      oneLine(session.harness ?? session.client ?? '-'),
      session.surface,
      oneLine(session.resolvedWorkspace ?? session.workspace ?? '-'),
      String(session.calls),
      formatDuration(session.ageMs),
      oneLine(session.cwd),
    ]),
    tableWidthOf(look),
    look.paint.quiet,
  );
}

/** The next step while config.toml is malformed; undefined when it is not. */
export function nextStepOfConfig(status: Pick<DaemonStatus, 'configFailure'>): string | undefined {
  return status.configFailure == null ? undefined : 'mend config.toml, then: lectern daemon reload';
}

/** Why a daemon that keeps dying is started ever more slowly, and how that ends. */
export function formatBirths(births: BirthLimit): string {
  return `${explainBirthLimit(births)} (at once: ${FORGIVES_BIRTHS})`;
}

/** @param service null where lectern knows no service manager */
export function formatService(service: ServiceState | null, { paint }: Look): string {
  if (service === null) return 'no service manager is known here';
  if (!service.installed) return 'not started (lectern daemon install)';
  const kind = `${service.platform.replace('-', ' ')} (${oneLine(service.name)})`;
  const state = service.active ? 'active' : paint.warning('installed, not active');
  const renew = service.outdated ? paint.warning(', outdated: lectern daemon install') : '';
  return `${kind}, ${state}${renew}`;
}

function formatHttp(
  http: NonNullable<DaemonStatus['http']>,
  label: (word: string) => string,
  { paint }: Look,
): string[] {
  const rights = http.allowsWrites ? 'reading and writing tools' : 'reading tools only';
  return [
    http.failure === null
      ? `${label('http')} ${http.url}, ${rights}, ${http.answered} answered`
      : `${label('http')} ${paint.bad(oneLine(http.failure))}`,
    `${label('token')} ${http.tokenFile}`,
  ];
}

/** Members of a record that the line shows in a place of their own. */
const PLACED = new Set(['ts', 'level', 'target', 'msg']);

/** True when `line` is a record of `level` or above; a line that is no record always shows. */
export function isAtLevel(line: string, level: LogLevel): boolean {
  const record = readRecord(line);
  if (record === undefined) return true;
  return isAtLeast(record['level'], level);
}

/** One log record (L-181) for people: time, level, target, message, the rest as key=value. */
export function formatLogLine(line: string, { paint }: Look): string {
  const record = readRecord(line);
  if (record === undefined) return oneLine(line);
  const level = String(record['level']);
  const word = level.toUpperCase().padEnd(5);
  const paintLevel =
    level === 'error' || level === 'fatal'
      ? paint.bad
      : level === 'warn'
        ? paint.warning
        : paint.quiet;
  const rest = Object.entries(record)
    .filter(([key]) => !PLACED.has(key))
    .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ');
  return [
    paint.quiet(String(record['ts'])),
    paintLevel(word),
    paint.name(oneLine(String(record['target']))),
    oneLine(String(record['msg'])),
    paint.quiet(oneLine(rest)),
  ]
    .filter((part) => part !== '')
    .join(' ');
}

function readRecord(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
