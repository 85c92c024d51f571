import { LecternCommand } from '../../cli/base-command.ts';
import { livingDaemon, requireDaemonAllowed, waitForEnd } from '../../cli/daemon-life.ts';
import type { stopDaemon } from '../../protocol/admin/stop-daemon.ts';

export default class DaemonStop extends LecternCommand {
  static override summary = 'Stop the daemon; what is in flight is answered first.';
  static override description = 'Agents that are connected start it again with their next request.';
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<void> {
    this.withGlobals(await this.parse(DaemonStop));
    requireDaemonAllowed();
    const living = livingDaemon();
    if (living === undefined) {
      this.show({ json: { stopped: false }, text: 'the daemon was not running' });
      return;
    }
    const { pid } = await this.ask<typeof stopDaemon>('daemon.stop', {}, { autostart: false });
    await waitForEnd(living);
    this.show({ json: { stopped: true, pid }, text: `${this.paint.good('stopped')}: pid ${pid}` });
  }
}
