import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { LecternCommand } from '../../cli/base-command.ts';
import { formatTierChange } from '../../cli/print/tiers.ts';
import { LecternError } from '../../core/errors.ts';
import type { setTiers } from '../../protocol/admin/set-tiers.ts';

export default class TierSet extends LecternCommand {
  static override summary =
    'Set when agents load an entry: 1 at session start, 2 before matching work, 3 by search.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> pruning/graft-plan 1',
    '<%= config.bin %> <%= command.id %> --plugin orchard/pruning 2',
  ];
  static override args = {
    entry: Args.string({
      required: true,
      ignoreStdin: true,
      description: '[[CATALOG/]PLUGIN/]ENTRY, or the tier with --plugin.',
    }),
    tier: Args.string({ ignoreStdin: true, description: 'The tier, 1 to 3.' }),
  };
  static override flags = {
    plugin: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      description: 'Every entry of this plugin; may repeat.',
      helpValue: 'C/P',
    }),
    kind: Flags.string({ options: ['skill', 'command', 'agent'], description: 'Only this kind.' }),
  };

  async run(): Promise<void> {
    const { args, flags } = this.withGlobals(await this.parse(TierSet));
    const typed = args.tier ?? args.entry;
    if (!/^[1-3]$/.test(typed) || (args.tier === undefined && flags.plugin === undefined)) {
      throw new LecternError(
        'usage',
        'tier set wants an entry (or --plugin) and a tier from 1 to 3',
        {
          next: 'lectern tier set --help',
        },
      );
    }
    const rows = await this.ask<typeof setTiers>('tier.set', {
      workspace: this.workspace,
      id: args.tier === undefined ? null : args.entry,
      plugin: flags.plugin ?? [],
      kind: (flags.kind ?? null) as 'skill' | 'command' | 'agent' | null,
      tier: Number(typed),
    });
    this.show({
      json: rows,
      text: formatTierChange(rows, `set to tier ${typed}`, this.look),
      next: 'lectern tier list',
    });
  }
}
