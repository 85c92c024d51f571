import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { LecternCommand } from '../../cli/base-command.ts';
import { count } from '../../cli/text.ts';
import type { removeWorkspace } from '../../protocol/admin/remove-workspace.ts';

export default class WorkspaceRemove extends LecternCommand {
  static override summary = 'Remove a workspace.';
  static override examples = ['<%= config.bin %> <%= command.id %> team --force'];
  static override args = {
    name: Args.string({ required: true, ignoreStdin: true, description: 'Workspace.' }),
  };
  static override flags = {
    force: Flags.boolean({
      aliases: ['yes'],
      description: 'Even with projects bound to it; unbinds them (also --yes).',
    }),
  };

  async run(): Promise<void> {
    const { args, flags } = this.withGlobals(await this.parse(WorkspaceRemove));
    const answer = await this.ask<typeof removeWorkspace>('workspace.remove', {
      name: args.name,
      force: flags.force,
    });
    const unbound = answer.bound_projects_torn_down;
    const projects = unbound === 0 ? '' : `; ${count(unbound, 'project')} unbound`;
    this.show({
      json: answer,
      text: `${this.paint.good('removed')} ${answer.removed}${projects}`,
      next: 'lectern workspace list',
    });
  }
}
