import { LecternCommand } from '../../cli/base-command.ts';
import { livingDaemon, requireDaemonAllowed } from '../../cli/daemon-life.ts';
import { formatSessions } from '../../cli/print/daemon.ts';
import type { listSessions } from '../../protocol/admin/list-sessions.ts';

export default class DaemonSessions extends LecternCommand {
  static override summary = 'List the agents that are connected.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --json',
  ];

  async run(): Promise<void> {
    this.withGlobals(await this.parse(DaemonSessions));
    requireDaemonAllowed();
    if (livingDaemon() === undefined) {
      this.show({ json: [], text: 'the daemon is not running', next: 'lectern daemon start' });
      return;
    }
    const sessions = await this.ask<typeof listSessions>('sessions.list', {}, { autostart: false });
    // A command, this one included, is no agent.
    const agents = sessions.filter(({ role }) => role === 'mcp');
    this.show({
      json: agents,
      text: agents.length === 0 ? 'no agent is connected' : formatSessions(agents, this.look),
      next: 'lectern top',
    });
  }
}
