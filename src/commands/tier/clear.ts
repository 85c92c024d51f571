import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { LecternCommand } from '../../cli/base-command.ts';
import { formatTierChange } from '../../cli/print/tiers.ts';
import { LecternError } from '../../core/errors.ts';
import type { clearTiers } from '../../protocol/admin/set-tiers.ts';

/** How things stand now: most of the entries counted had no tier of their own before. */
const CLEARED = 'now without a tier of their own';

export default class TierClear extends LecternCommand {
  static override summary = 'Put entries back to the tier of their plugin.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> pruning/graft-plan',
    '<%= config.bin %> <%= command.id %> --all',
  ];
  static override args = {
    id: Args.string({ ignoreStdin: true, description: '[[CATALOG/]PLUGIN/]ENTRY' }),
  };
  static override flags = {
    plugin: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      description: 'Every entry of this plugin; may repeat.',
      helpValue: 'C/P',
    }),
    kind: Flags.string({ options: ['skill', 'command', 'agent'], description: 'Only this kind.' }),
    all: Flags.boolean({ description: 'Every entry of the workspace.' }),
  };

  async run(): Promise<void> {
    const { args, flags } = this.withGlobals(await this.parse(TierClear));
    if (args.id === undefined && flags.plugin === undefined && !flags.all) {
      throw new LecternError('usage', 'tier clear wants an entry, --plugin or --all', {
        next: 'lectern tier clear --help',
      });
    }
    const rows = await this.ask<typeof clearTiers>('tier.clear', {
      workspace: this.workspace,
      id: args.id ?? null,
      plugin: flags.plugin ?? [],
      kind: (flags.kind ?? null) as 'skill' | 'command' | 'agent' | null,
      all: flags.all,
    });
    this.show({
      json: rows,
      text: formatTierChange(rows, CLEARED, this.look),
      next: 'lectern tier list',
    });
  }
}
