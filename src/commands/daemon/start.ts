import { LecternCommand } from '../../cli/base-command.ts';
import { livingDaemon, requireBorn, requireDaemonAllowed } from '../../cli/daemon-life.ts';
import { nextStepOfConfig } from '../../cli/print/daemon.ts';
import type { daemonStatus } from '../../protocol/admin/daemon-status.ts';
import { forgiveBirths } from '../../protocol/link/births.ts';
import { resolveStateRoot, statePaths } from '../../protocol/link/state-paths.ts';

export default class DaemonStart extends LecternCommand {
  static override summary =
    'Start the daemon; agents and commands also start it when they need it.';
  static override description =
    'After several starts within a minute the next ones wait; this one does not, and nobody waits any more.';
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<void> {
    this.withGlobals(await this.parse(DaemonStart));
    requireDaemonAllowed();
    const before = livingDaemon();
    forgiveBirths(statePaths(resolveStateRoot()));
    const status = await this.ask<typeof daemonStatus>('daemon.status', {});
    requireBorn(status);
    const isNew = before?.pid !== status.pid;
    if (status.configFailure != null)
      this.note(`config.toml is malformed: ${status.configFailure}`);
    this.show({
      json: { started: isNew, pid: status.pid, version: status.version },
      text: `${isNew ? this.paint.good('started') : 'already running'}: pid ${status.pid}, version ${status.version}`,
      next: nextStepOfConfig(status) ?? 'lectern status',
    });
  }
}
