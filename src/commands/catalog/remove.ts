import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { LecternCommand } from '../../cli/base-command.ts';
import { formatRemovedCatalog } from '../../cli/print/catalogs.ts';
import { LecternError } from '../../core/errors.ts';
import type { removeCatalog } from '../../protocol/admin/remove-catalog.ts';

export default class CatalogRemove extends LecternCommand {
  static override summary = 'Remove a catalog from the workspace.';
  static override description =
    'A clone that no workspace uses any more is deleted; a directory read in place never is.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> official',
    '<%= config.bin %> <%= command.id %> official --force',
  ];
  static override args = {
    name: Args.string({ required: true, ignoreStdin: true, description: 'Name of the catalog.' }),
  };
  static override flags = {
    force: Flags.boolean({
      aliases: ['yes'],
      description: 'Do not ask, and disable its plugins first (also --yes).',
    }),
  };

  async run(): Promise<void> {
    const { args, flags } = this.withGlobals(await this.parse(CatalogRemove));
    const target = { workspace: this.workspace, name: args.name };
    if (!flags.force) {
      // Unknown names (3) and enabled plugins (53) come before any question.
      const planned = await this.ask<typeof removeCatalog>('catalog.remove', {
        ...target,
        dry_run: true,
      });
      await this.confirm(
        planned.deleted
          ? `Remove ${args.name} and delete ${planned.removed.cache_path}?`
          : `Remove ${args.name}?`,
        new LecternError(
          'usage',
          `removing ${args.name} wants a yes, and there is no terminal to ask on`,
          {
            next: `lectern catalog remove ${args.name} --force`,
          },
        ),
      );
    }
    const answer = await this.ask<typeof removeCatalog>('catalog.remove', {
      ...target,
      force: flags.force,
    });
    this.show({
      json: { removed: answer.removed },
      text: formatRemovedCatalog(answer, this.look, this.globals.verbose),
      next: 'lectern catalog list',
    });
  }
}
