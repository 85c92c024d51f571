import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { LecternCommand } from '../../cli/base-command.ts';
import { formatInitializedWorkspace } from '../../cli/print/workspaces.ts';
import type { initWorkspace } from '../../protocol/admin/init-workspace.ts';
import type { ResultOf } from '../../protocol/admin/method.ts';

export default class WorkspaceInit extends LecternCommand {
  static override summary = 'Create a workspace.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> team',
    '<%= config.bin %> <%= command.id %> team --inherit-global --bind',
  ];
  static override args = {
    name: Args.string({
      required: true,
      ignoreStdin: true,
      description: '1-64 of A-Z a-z 0-9 - _',
    }),
  };
  static override flags = {
    'inherit-global': Flags.boolean({ description: 'Start with the catalogs of `global`.' }),
    bind: Flags.boolean({ description: 'Bind this directory to it.' }),
  };

  async run(): Promise<void> {
    const { args, flags } = this.withGlobals(await this.parse(WorkspaceInit));
    const made = await this.ask<typeof initWorkspace>('workspace.init', {
      name: args.name,
      inherit_global: flags['inherit-global'],
      bind: flags.bind,
    });
    this.show({
      json: made,
      text: formatInitializedWorkspace(made, this.look),
      next: nextStep(made),
    });
  }
}

/** Inherited catalogs come without their enabled plugins. */
function nextStep(made: ResultOf<typeof initWorkspace>): string {
  if (made.bound !== true) return `lectern workspace use ${made.name}`;
  return made.catalogs_inherited > 0
    ? "lectern plugin enable '*/*'"
    : 'lectern catalog add PATH_OR_URL';
}
