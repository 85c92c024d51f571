import { LecternCommand } from '../../cli/base-command.ts';
import { formatWorkspaces } from '../../cli/print/workspaces.ts';
import type { listWorkspaces } from '../../protocol/admin/list-workspaces.ts';

export default class WorkspaceList extends LecternCommand {
  static override summary = 'List the workspaces; the current one is marked.';
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<void> {
    this.withGlobals(await this.parse(WorkspaceList));
    const rows = await this.ask<typeof listWorkspaces>('workspace.list', {
      workspace: this.workspace,
    });
    this.show({
      json: rows,
      text: formatWorkspaces(rows, this.look),
      next: rows.length > 1 ? 'lectern workspace use NAME' : 'lectern workspace init NAME',
    });
  }
}
