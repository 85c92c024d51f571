import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import type { setEntryEnabled } from '../protocol/admin/set-entry-enabled.ts';
import { LecternCommand } from './base-command.ts';
import { oneLine } from './text.ts';

/** What `entry enable` and `entry disable` have in common: all but the word. */
export abstract class SwitchEntryCommand extends LecternCommand {
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

  /** Whether the entry is enabled afterwards. */
  protected abstract readonly isEnabling: boolean;

  async run(): Promise<void> {
    const { args, flags } = this.withGlobals(await this.parse(SwitchEntryCommand));
    const entry = await this.ask<typeof setEntryEnabled>('entry.set_enabled', {
      workspace: this.workspace,
      id: args.id,
      kind: (flags.kind ?? null) as 'skill' | 'command' | 'agent' | null,
      enabled: this.isEnabling,
    });
    const done = this.paint.good(this.isEnabling ? 'enabled' : 'disabled');
    const id = oneLine(`${entry.catalog}/${entry.plugin}/${entry.name}`);
    this.show({ json: entry, text: `${done} ${entry.kind} ${id}` });
  }
}
