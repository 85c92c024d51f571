import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { LecternCommand } from '../../cli/base-command.ts';
import { formatUsedWorkspace } from '../../cli/print/workspaces.ts';
import { LecternError } from '../../core/errors.ts';
import type { listWorkspaces } from '../../protocol/admin/list-workspaces.ts';
import type { useWorkspace } from '../../protocol/admin/use-workspace.ts';

export default class WorkspaceUse extends LecternCommand {
  static override summary = 'Bind this directory to a workspace.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> team',
    '<%= config.bin %> <%= command.id %> team --create',
  ];
  static override args = {
    name: Args.string({ ignoreStdin: true, description: 'Workspace; asked for when left out.' }),
  };
  static override flags = {
    create: Flags.boolean({ description: 'Create it when there is none of that name.' }),
    force: Flags.boolean({ description: 'Even in the home directory or /.' }),
  };

  async run(): Promise<void> {
    const { args, flags } = this.withGlobals(await this.parse(WorkspaceUse));
    if (args.name === undefined && flags.create) {
      throw new LecternError('usage', '--create wants the name of the new workspace', {
        next: 'lectern workspace use NAME --create',
      });
    }
    const used = await this.ask<typeof useWorkspace>('workspace.use', {
      name: args.name ?? (await this.#chooseName()),
      create: flags.create,
      force: flags.force,
    });
    this.show({
      json: used,
      text: formatUsedWorkspace(used, this.look),
      next: 'lectern status',
    });
  }

  async #chooseName(): Promise<string> {
    if (!this.terminal.interactive) {
      throw new LecternError(
        'not_a_terminal',
        'name the workspace: there is no terminal to choose on',
        {
          next: 'lectern workspace use NAME',
        },
      );
    }
    const rows = await this.ask<typeof listWorkspaces>('workspace.list', {
      workspace: this.workspace,
    });
    const { chooseOne } = await import('../../cli/choose-one.ts');
    return chooseOne(
      'Which workspace?',
      rows.map((row) => row.name),
    );
  }
}
