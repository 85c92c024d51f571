import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { LecternCommand } from '../../cli/base-command.ts';
import { formatAddedCatalog } from '../../cli/print/catalogs.ts';
import type { addCatalog } from '../../protocol/admin/add-catalog.ts';

export default class CatalogAdd extends LecternCommand {
  static override summary = 'Enrol a catalog: a directory, a git URL, or owner/repo on GitHub.';
  static override description =
    'A directory is read where it is and watched; git URLs (https, ssh, file, gh:, gl:, bb: or owner/repo) are cloned.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> ./my-skills --enable',
    '<%= config.bin %> <%= command.id %> anthropics/skills --name official',
    '<%= config.bin %> <%= command.id %> https://git.example/team/skills --ref v2',
  ];
  static override args = {
    source: Args.string({
      required: true,
      ignoreStdin: true,
      description: 'Path, URL, gh:/gl:/bb: form, or owner/repo.',
    }),
  };
  static override flags = {
    name: Flags.string({ char: 'n', description: 'Name to show it under.', helpValue: 'NAME' }),
    ref: Flags.string({
      aliases: ['branch', 'tag'],
      description: 'Branch or tag of a clone (also --branch, --tag).',
      helpValue: 'REF',
    }),
    enable: Flags.boolean({ description: 'Enable every plugin found.' }),
  };

  async run(): Promise<void> {
    const { args, flags } = this.withGlobals(await this.parse(CatalogAdd));
    const answer = await this.ask<typeof addCatalog>('catalog.add', {
      workspace: this.workspace,
      source: args.source,
      name: flags.name ?? null,
      ref: flags.ref ?? null,
      enable: flags.enable,
    });
    this.show({
      json: { added: answer.added },
      text: formatAddedCatalog(answer, this.look),
      next:
        answer.entries.loaded === 0
          ? 'lectern problems'
          : answer.enabled.length > 0
            ? 'lectern query WORDS'
            : `lectern plugin enable '${answer.added.name}/*'`,
    });
  }
}
