import * as Flags from '@oclif/core/flags';
import { LecternCommand } from '../../cli/base-command.ts';
import { formatPlugins } from '../../cli/print/plugins.ts';
import type { listPlugins } from '../../protocol/admin/list-plugins.ts';

export default class PluginList extends LecternCommand {
  static override summary = 'List the plugins of the enrolled catalogs.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --enabled-only',
    '<%= config.bin %> <%= command.id %> --filter python',
  ];
  static override flags = {
    catalog: Flags.string({ description: 'Only of this catalog.', helpValue: 'NAME' }),
    'enabled-only': Flags.boolean({ description: 'Only enabled plugins.' }),
    filter: Flags.string({ description: 'Part of the name or description.', helpValue: 'TEXT' }),
    tier: Flags.integer({
      min: 1,
      max: 3,
      description: 'With an enabled entry at this tier, 1 to 3.',
      helpValue: 'N',
    }),
  };

  async run(): Promise<void> {
    const { flags } = this.withGlobals(await this.parse(PluginList));
    const rows = await this.ask<typeof listPlugins>('plugin.list', {
      workspace: this.workspace,
      catalog: flags.catalog ?? null,
      enabled_only: flags['enabled-only'],
      filter: flags.filter ?? null,
      tier: flags.tier ?? null,
    });
    if (rows.length === 0) {
      const isNarrowed =
        [flags.catalog, flags.filter, flags.tier].some((it) => it !== undefined) ||
        flags['enabled-only'];
      this.note(isNarrowed ? 'no plugin answers to that' : 'no catalog here has a plugin');
    }
    this.show({
      json: rows,
      text: formatPlugins(rows, this.look),
      next: rows.length === 0 ? 'lectern catalog list' : 'lectern plugin show CATALOG/PLUGIN',
    });
  }
}
