import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { LecternCommand } from '../../cli/base-command.ts';
import { formatWorkspace } from '../../cli/print/workspaces.ts';
import type { showWorkspace } from '../../protocol/admin/show-workspace.ts';

export default class WorkspaceInfo extends LecternCommand {
  static override summary = 'Show one workspace: its catalogs, plugins and projects.';
  static override examples = ['<%= config.bin %> <%= command.id %> team --details'];
  static override args = {
    name: Args.string({
      ignoreStdin: true,
      description: 'Workspace; the current one when left out.',
    }),
  };
  static override flags = {
    details: Flags.boolean({ description: 'Show the plugins too.' }),
  };

  async run(): Promise<void> {
    const { args, flags } = this.withGlobals(await this.parse(WorkspaceInfo));
    const info = await this.ask<typeof showWorkspace>('workspace.info', {
      workspace: args.name ?? this.workspace,
      details: flags.details,
    });
    this.show({ json: info, text: formatWorkspace(info, this.look) });
  }
}
