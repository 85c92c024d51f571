import { LecternCommand } from '../../cli/base-command.ts';
import type { currentWorkspace } from '../../protocol/admin/current-workspace.ts';

export default class WorkspaceCurrent extends LecternCommand {
  static override summary = 'Print the workspace of this directory; exit 12 when none is bound.';
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<void> {
    this.withGlobals(await this.parse(WorkspaceCurrent));
    const current = await this.ask<typeof currentWorkspace>('workspace.current', {
      workspace: this.workspace,
    });
    this.show({ json: current, text: current.workspace });
  }
}
