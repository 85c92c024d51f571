import { LecternCommand } from '../../cli/base-command.ts';
import { livingDaemon } from '../../cli/daemon-life.ts';
import { formatDaemonStatus, formatService, nextStepOfConfig } from '../../cli/print/daemon.ts';
import { errorTable } from '../../core/errors.ts';
import type { daemonStatus } from '../../protocol/admin/daemon-status.ts';
import type { listSessions } from '../../protocol/admin/list-sessions.ts';
import type { ServiceState } from '../../service/apply.ts';

export default class DaemonStatus extends LecternCommand {
  static override summary =
    'Show the daemon process and who is connected; exit 10 when it is not running.';
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<void> {
    this.withGlobals(await this.parse(DaemonStatus));
    const service = await inspectServiceHere();
    if (livingDaemon() === undefined) {
      this.show({
        json: { running: false, service },
        text: `not running\n${this.paint.quiet('at login:')}  ${formatService(service, this.look)}`,
        next: 'lectern daemon start',
      });
      process.exitCode = errorTable.health_degraded.exit;
      return;
    }
    const status = await this.ask<typeof daemonStatus>('daemon.status', {}, { autostart: false });
    const sessions = await this.ask<typeof listSessions>('sessions.list', {}, { autostart: false });
    const next = nextStepOfConfig(status);
    this.show({
      json: { running: true, ...status, service, sessionList: sessions },
      text: formatDaemonStatus(status, sessions, service, this.look),
      ...(next === undefined ? {} : { next }),
    });
  }
}

/** Null where lectern knows no service manager. */
async function inspectServiceHere(): Promise<ServiceState | null> {
  const { recipeHere } = await import('../../service/plan-here.ts');
  const { inspectService } = await import('../../service/apply.ts');
  let here: ReturnType<typeof recipeHere>;
  try {
    here = recipeHere();
  } catch {
    return null;
  }
  return inspectService(here.recipe);
}
