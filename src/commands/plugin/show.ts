import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { LecternCommand } from '../../cli/base-command.ts';
import { formatPlugin } from '../../cli/print/plugins.ts';
import type { showPlugin } from '../../protocol/admin/show-plugin.ts';

export default class PluginShow extends LecternCommand {
  static override summary = 'Show one plugin with its skills, commands and agents.';
  static override examples = ['<%= config.bin %> <%= command.id %> official/pdf --details'];
  static override args = {
    id: Args.string({ required: true, ignoreStdin: true, description: 'CATALOG/PLUGIN' }),
  };
  static override flags = {
    details: Flags.boolean({ description: 'Show the tier of each entry too.' }),
  };

  async run(): Promise<void> {
    const { args, flags } = this.withGlobals(await this.parse(PluginShow));
    const plugin = await this.ask<typeof showPlugin>('plugin.show', {
      workspace: this.workspace,
      id: args.id,
      details: flags.details,
    });
    const isIdle = plugin.status === 'disabled' && plugin.external_source === undefined;
    this.show({
      json: plugin,
      text: formatPlugin(plugin, this.look),
      ...(isIdle ? { next: `lectern plugin enable ${args.id}` } : {}),
    });
  }
}
