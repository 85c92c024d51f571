import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { LecternCommand } from '../../cli/base-command.ts';
import { formatPluginChanges } from '../../cli/print/plugins.ts';
import type { enablePlugins } from '../../protocol/admin/enable-plugins.ts';

export default class PluginEnable extends LecternCommand {
  static override summary = 'Enable plugins in the workspace.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> official/pdf',
    "<%= config.bin %> <%= command.id %> 'official/*'",
    '<%= config.bin %> <%= command.id %> pdf docx --catalog official',
  ];
  static override strict = false;
  static override args = {
    plugins: Args.string({
      required: true,
      ignoreStdin: true,
      description: 'CATALOG/PLUGIN, a bare name, or a glob with *; several may follow.',
    }),
  };
  static override flags = {
    catalog: Flags.string({ description: 'Where bare names and globs look.', helpValue: 'NAME' }),
    tier: Flags.integer({ min: 1, max: 3, description: 'Starting tier, 1 to 3.', helpValue: 'N' }),
    yes: Flags.boolean({ description: 'Accepted for scripts; enabling never asks.' }),
  };

  async run(): Promise<void> {
    const { argv, flags } = this.withGlobals(await this.parse(PluginEnable));
    const answer = await this.ask<typeof enablePlugins>('plugin.enable', {
      workspace: this.workspace,
      tokens: argv as string[],
      catalog: flags.catalog ?? null,
      tier: flags.tier ?? null,
    });
    this.show({ json: answer.changed, text: formatPluginChanges(answer, this.look) });
    this.failFirst(answer.failures);
    this.hint('lectern query WORDS');
  }
}
