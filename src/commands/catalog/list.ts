import { LecternCommand } from '../../cli/base-command.ts';
import { formatCatalogs } from '../../cli/print/catalogs.ts';
import type { listCatalogs } from '../../protocol/admin/list-catalogs.ts';

export default class CatalogList extends LecternCommand {
  static override summary = 'List the catalogs of the workspace.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --json',
  ];

  async run(): Promise<void> {
    this.withGlobals(await this.parse(CatalogList));
    const rows = await this.ask<typeof listCatalogs>('catalog.list', { workspace: this.workspace });
    if (rows.length === 0) this.note('no catalog is enrolled in this workspace');
    this.show({
      json: rows,
      text: formatCatalogs(rows, this.look),
      next: rows.length === 0 ? 'lectern catalog add PATH_OR_URL' : 'lectern plugin list',
    });
  }
}
