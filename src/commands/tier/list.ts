import * as Flags from '@oclif/core/flags';
import { LecternCommand } from '../../cli/base-command.ts';
import { formatTiers } from '../../cli/print/tiers.ts';
import type { listTiers } from '../../protocol/admin/set-tiers.ts';

export default class TierList extends LecternCommand {
  static override summary = 'List enabled entries with their tier.';
  static override examples = ['<%= config.bin %> <%= command.id %>'];
  static override flags = {
    kind: Flags.string({ options: ['skill', 'command', 'agent'], description: 'Only this kind.' }),
  };

  async run(): Promise<void> {
    const { flags } = this.withGlobals(await this.parse(TierList));
    const rows = await this.ask<typeof listTiers>('tier.list', {
      workspace: this.workspace,
      kind: (flags.kind ?? null) as 'skill' | 'command' | 'agent' | null,
    });
    if (rows.length === 0) {
      const kind = flags.kind ?? 'skill or command';
      this.note(kind === 'agent' ? 'agents take no tier' : `no ${kind} is enabled here`);
    }
    this.show({
      json: rows,
      text: formatTiers(rows, this.look),
      next: rows.length === 0 ? 'lectern plugin list' : 'lectern tier set PLUGIN/ENTRY 1',
    });
  }
}
