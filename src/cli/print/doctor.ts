import type { getDoctor } from '../../protocol/admin/get-doctor.ts';
import type { ResultOf } from '../../protocol/admin/method.ts';
import type { MachineCheck } from '../examine-machine.ts';
import { oneLine } from '../text.ts';
import type { Look } from './look.ts';

/** What `lectern doctor` prints: the daemon's report, or why there is none, and the machine. */
export interface Examination {
  report: ResultOf<typeof getDoctor> | null;
  /** Why the daemon could not be asked; null when it could. */
  unreachable: string | null;
  /** The next step of that very failure, where it has one. */
  mend: string | null;
  machine: MachineCheck[];
  /** LECTERN_NO_DAEMON is set: what answered served this question alone. */
  isDaemonForbidden: boolean;
}

/** Where a daemon that cannot be asked said why. */
const LOGS = 'lectern daemon logs';

type Verdict = ResultOf<typeof getDoctor>['overall'];

/** The worst of what the daemon says and what the machine lacks. */
export function overallOf({ report, machine }: Examination): Verdict {
  if (report === null || machine.some((check) => check.state === 'error')) return 'unhealthy';
  const isLess = machine.some((check) => check.state === 'warning');
  return report.overall === 'ok' && isLess ? 'degraded' : report.overall;
}

export function formatExamination(examination: Examination, look: Look): string {
  const { paint } = look;
  const mark = {
    ok: paint.good('ok'),
    note: paint.quiet('--'),
    warning: paint.warning('!!'),
    error: paint.bad('XX'),
  };
  const lines: string[] = [];
  const say = (state: keyof typeof mark, what: string, detail: string, fix?: string): void => {
    lines.push(`${mark[state]}  ${paint.strong(oneLine(what))}: ${oneLine(detail)}`);
    if (fix !== undefined) lines.push(`    ${paint.quiet('fix:')} ${oneLine(fix)}`);
  };
  for (const { check, state, detail, fix } of examination.machine) say(state, check, detail, fix);
  const { report } = examination;
  if (report === null) {
    say('error', 'daemon', examination.unreachable ?? 'unknown', examination.mend ?? LOGS);
  } else {
    if (examination.isDaemonForbidden) {
      say(
        'note',
        'daemon',
        'not used: LECTERN_NO_DAEMON is set, and everything is read-only',
        'unset LECTERN_NO_DAEMON',
      );
    } else {
      say('ok', 'daemon', 'answers');
    }
    const faulty = new Set(report.suggested_fixes.map(({ subsystem }) => subsystem));
    for (const { name, state, cache_path } of report.catalogs) {
      if (state === 'ok' && !faulty.has(`catalog:${name}`))
        say('ok', `catalog ${name}`, cache_path);
    }
    for (const fix of report.suggested_fixes) {
      say('warning', fix.subsystem.replace(/^catalog:/, 'catalog '), fix.diagnosis, fix.command);
    }
  }
  lines.push('', `overall: ${overallOf(examination)}`);
  return lines.join('\n');
}
