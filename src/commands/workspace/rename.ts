import * as Args from '@oclif/core/args';
import { LecternCommand } from '../../cli/base-command.ts';
import { count } from '../../cli/text.ts';
import type { renameWorkspace } from '../../protocol/admin/rename-workspace.ts';

export default class WorkspaceRename extends LecternCommand {
  static override summary = 'Rename a workspace and the markers of its projects.';
  static override examples = ['<%= config.bin %> <%= command.id %> team crew'];
  static override args = {
    old: Args.string({ required: true, ignoreStdin: true, description: 'Its name now.' }),
    new: Args.string({ required: true, ignoreStdin: true, description: 'Its new name.' }),
  };

  async run(): Promise<void> {
    const { args } = this.withGlobals(await this.parse(WorkspaceRename));
    const renamed = await this.ask<typeof renameWorkspace>('workspace.rename', {
      old_name: args.old,
      new_name: args.new,
    });
    this.show({
      json: renamed,
      text: `${this.paint.good('renamed')} ${renamed.old_name} to ${this.paint.name(renamed.new_name)}; ${count(renamed.bound_projects_updated, 'project')} updated`,
      next: 'lectern workspace list',
    });
  }
}
