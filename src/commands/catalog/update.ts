import * as Args from '@oclif/core/args';
import { LecternCommand } from '../../cli/base-command.ts';
import { formatUpdates } from '../../cli/print/catalogs.ts';
import type { updateCatalogs } from '../../protocol/admin/update-catalogs.ts';

export default class CatalogUpdate extends LecternCommand {
  static override summary = 'Fetch a catalog, or all of them, and read what changed.';
  static override description =
    'Clones are moved to their branch or tag; a directory read in place is only read again.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> official',
  ];
  static override args = {
    name: Args.string({
      ignoreStdin: true,
      description: 'Name of the catalog; all when left out.',
    }),
  };

  async run(): Promise<void> {
    const { args } = this.withGlobals(await this.parse(CatalogUpdate));
    const answer = await this.ask<typeof updateCatalogs>('catalog.update', {
      workspace: this.workspace,
      name: args.name ?? null,
    });
    const isEmpty = answer.records.length === 0 && answer.failures.length === 0;
    this.show({
      json: answer.records,
      text: isEmpty
        ? 'there is no catalog to update'
        : formatUpdates(answer, this.look, this.globals.verbose),
      ...(isEmpty ? { next: 'lectern catalog add PATH_OR_URL' } : {}),
    });
    this.failFirst(answer.failures);
    if (!isEmpty) this.hint('lectern status');
  }
}
