import { LecternCommand } from '../../cli/base-command.ts';
import {
  livingDaemon,
  requireBorn,
  requireDaemonAllowed,
  waitForEnd,
} from '../../cli/daemon-life.ts';
import { nextStepOfConfig } from '../../cli/print/daemon.ts';
import type { daemonStatus } from '../../protocol/admin/daemon-status.ts';
import type { stopDaemon } from '../../protocol/admin/stop-daemon.ts';
import { forgiveBirths } from '../../protocol/link/births.ts';
import { resolveStateRoot, statePaths } from '../../protocol/link/state-paths.ts';

export default class DaemonRestart extends LecternCommand {
  static override summary = 'Stop the daemon and start it again; connected agents stay connected.';
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<void> {
    this.withGlobals(await this.parse(DaemonRestart));
    requireDaemonAllowed();
    const living = livingDaemon();
    if (living !== undefined) {
      await this.ask<typeof stopDaemon>('daemon.stop', {}, { autostart: false });
      await waitForEnd(living);
    }
    forgiveBirths(statePaths(resolveStateRoot()));
    const status = await this.ask<typeof daemonStatus>('daemon.status', {});
    requireBorn(status);
    if (status.configFailure != null)
      this.note(`config.toml is malformed: ${status.configFailure}`);
    this.show({
      json: { restarted: living !== undefined, pid: status.pid, version: status.version },
      text: `${this.paint.good(living === undefined ? 'started' : 'restarted')}: pid ${status.pid}, version ${status.version}`,
      next: nextStepOfConfig(status) ?? 'lectern status',
    });
  }
}
