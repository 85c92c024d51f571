import * as Args from '@oclif/core/args';
import { LecternCommand } from '../../cli/base-command.ts';
import { formatCatalog } from '../../cli/print/catalogs.ts';
import type { showCatalog } from '../../protocol/admin/show-catalog.ts';

export default class CatalogShow extends LecternCommand {
  static override summary =
    'Show one catalog: its manifest, plugins, and what could not be loaded.';
  static override examples = ['<%= config.bin %> <%= command.id %> official'];
  static override args = {
    name: Args.string({ required: true, ignoreStdin: true, description: 'Name of the catalog.' }),
  };

  async run(): Promise<void> {
    const { args } = this.withGlobals(await this.parse(CatalogShow));
    const catalog = await this.ask<typeof showCatalog>('catalog.show', {
      workspace: this.workspace,
      name: args.name,
    });
    this.show({
      json: catalog,
      text: formatCatalog(catalog, this.look),
      next:
        catalog.problems.length > 0
          ? `lectern problems ${args.name}`
          : `lectern plugin list --catalog ${args.name}`,
    });
  }
}
