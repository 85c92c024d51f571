import { LecternCommand } from '../../cli/base-command.ts';
import { isDaemonForbidden, livingDaemon } from '../../cli/daemon-life.ts';
import {
  formatBirths,
  formatDaemonStatus,
  formatService,
  nextStepOfConfig,
} from '../../cli/print/daemon.ts';
import { errorTable } from '../../core/errors.ts';
import type { daemonStatus } from '../../protocol/admin/daemon-status.ts';
import type { listSessions } from '../../protocol/admin/list-sessions.ts';
import { findBirthLimit } from '../../protocol/link/births.ts';
import { resolveStateRoot, statePaths } from '../../protocol/link/state-paths.ts';
import type { ServiceState } from '../../service/inspect.ts';

export default class DaemonStatus extends LecternCommand {
  static override summary =
    'Show the daemon process and who is connected; exit 10 when it is not running.';
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<void> {
    this.withGlobals(await this.parse(DaemonStatus));
    const service = await inspectServiceHere();
    const births = findBirthLimit(statePaths(resolveStateRoot())) ?? null;
    const living = livingDaemon();
    if (living === undefined || isDaemonForbidden()) {
      const isForbidden = isDaemonForbidden();
      const { pid } = living ?? {};
      const lines = [
        `${pid === undefined ? 'not running' : `running: pid ${pid}`}${isForbidden ? '; LECTERN_NO_DAEMON is set: it is neither started nor asked' : ''}`,
        `${this.paint.quiet('at login:')}  ${formatService(service, this.look)}`,
        ...(births === null ? [] : [`${this.paint.quiet('births:')}    ${formatBirths(births)}`]),
      ];
      this.show({
        json: {
          running: pid !== undefined,
          ...(pid === undefined ? {} : { pid }),
          ...(isForbidden ? { isForbidden } : {}),
          service,
          births,
        },
        text: lines.join('\n'),
        next: isForbidden ? 'unset LECTERN_NO_DAEMON' : 'lectern daemon start',
      });
      process.exitCode = errorTable.health_degraded.exit;
      return;
    }
    const status = await this.ask<typeof daemonStatus>('daemon.status', {}, { autostart: false });
    const sessions = await this.ask<typeof listSessions>('sessions.list', {}, { autostart: false });
    const next = nextStepOfConfig(status);
    this.show({
      json: { running: true, ...status, service, births, sessionList: sessions },
      text: formatDaemonStatus(status, sessions, { service, births }, this.look),
      ...(next === undefined ? {} : { next }),
    });
  }
}

/** Null where lectern knows no service manager. */
async function inspectServiceHere(): Promise<ServiceState | null> {
  const { serviceHere } = await import('../../service/plan-here.ts');
  const { inspectService } = await import('../../service/inspect.ts');
  let service: ReturnType<typeof serviceHere>;
  try {
    service = serviceHere();
  } catch {
    return null;
  }
  return inspectService(service);
}
