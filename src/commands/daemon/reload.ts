import { LecternCommand } from '../../cli/base-command.ts';
import { livingDaemon, requireDaemonAllowed } from '../../cli/daemon-life.ts';
import type { daemonStatus } from '../../protocol/admin/daemon-status.ts';
import type { reloadDaemon } from '../../protocol/admin/reload-daemon.ts';

export default class DaemonReload extends LecternCommand {
  static override summary = 'Have the daemon read config.toml again.';
  static override description =
    'Most keys are read whenever they are needed; http.listen is followed by this, by SIGHUP and at a start.';
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<void> {
    this.withGlobals(await this.parse(DaemonReload));
    requireDaemonAllowed();
    if (livingDaemon() === undefined) {
      this.show({ json: { reloaded: false }, text: 'the daemon was not running' });
      return;
    }
    const { reloaded } = await this.ask<typeof reloadDaemon>(
      'daemon.reload',
      {},
      { autostart: false },
    );
    const { http } = await this.ask<typeof daemonStatus>('daemon.status', {}, { autostart: false });
    if (http?.failure != null) this.note(http.failure);
    this.show({
      json: { reloaded },
      text: reloaded ? this.paint.good('reloaded') : 'this daemon has nothing to read again',
      next: 'lectern daemon status',
    });
  }
}
