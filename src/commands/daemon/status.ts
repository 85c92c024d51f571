import { LecternCommand } from '../../cli/base-command.ts';
import { livingDaemon } from '../../cli/daemon-life.ts';
import { formatDaemonStatus } from '../../cli/print/daemon.ts';
import { errorTable } from '../../core/errors.ts';
import type { daemonStatus } from '../../protocol/admin/daemon-status.ts';
import type { listSessions } from '../../protocol/admin/list-sessions.ts';

export default class DaemonStatus extends LecternCommand {
  static override summary =
    'Show the daemon process and who is connected; exit 10 when it is not running.';
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<void> {
    this.withGlobals(await this.parse(DaemonStatus));
    if (livingDaemon() === undefined) {
      this.show({ json: { running: false }, text: 'not running', next: 'lectern daemon start' });
      process.exitCode = errorTable.health_degraded.exit;
      return;
    }
    const status = await this.ask<typeof daemonStatus>('daemon.status', {}, { autostart: false });
    const sessions = await this.ask<typeof listSessions>('sessions.list', {}, { autostart: false });
    this.show({
      json: { running: true, ...status, sessionList: sessions },
      text: formatDaemonStatus(status, sessions, this.look),
    });
  }
}
