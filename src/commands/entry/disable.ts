import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { LecternCommand } from '../../cli/base-command.ts';
import { oneLine } from '../../cli/text.ts';
import type { setEntryEnabled } from '../../protocol/admin/set-entry-enabled.ts';

export default class EntryDisable extends LecternCommand {
  static override summary = 'Disable one entry of an enabled plugin.';
  static override examples = ['<%= config.bin %> <%= command.id %> official/pdf/fill-form'];
  static override args = {
    id: Args.string({
      required: true,
      ignoreStdin: true,
      description: 'CATALOG/PLUGIN/ENTRY, or as much of it as names one entry.',
    }),
  };
  static override flags = {
    kind: Flags.string({ options: ['skill', 'command', 'agent'], description: 'Only this kind.' }),
  };

  async run(): Promise<void> {
    const { args, flags } = this.withGlobals(await this.parse(EntryDisable));
    const entry = await this.ask<typeof setEntryEnabled>('entry.set_enabled', {
      workspace: this.workspace,
      id: args.id,
      kind: (flags.kind ?? null) as 'skill' | 'command' | 'agent' | null,
      enabled: false,
    });
    this.show({
      json: entry,
      text: `${this.paint.good('disabled')} ${entry.kind} ${oneLine(`${entry.catalog}/${entry.plugin}/${entry.name}`)}`,
    });
  }
}
