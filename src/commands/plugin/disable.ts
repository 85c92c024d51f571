import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { LecternCommand } from '../../cli/base-command.ts';
import { formatPluginChanges } from '../../cli/print/plugins.ts';
import { LecternError } from '../../core/errors.ts';
import type { disablePlugins } from '../../protocol/admin/disable-plugins.ts';

export default class PluginDisable extends LecternCommand {
  static override summary = 'Disable plugins in the workspace.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> official/pdf',
    "<%= config.bin %> <%= command.id %> 'official/*' --yes",
  ];
  static override strict = false;
  static override args = {
    plugins: Args.string({
      required: true,
      ignoreStdin: true,
      description: 'CATALOG/PLUGIN, a bare name, or a glob with *; several may follow.',
    }),
  };
  static override flags = {
    catalog: Flags.string({ description: 'Where bare names and globs look.', helpValue: 'NAME' }),
    yes: Flags.boolean({ aliases: ['force'], description: 'Do not ask (also --force).' }),
  };

  async run(): Promise<void> {
    const { argv, flags } = this.withGlobals(await this.parse(PluginDisable));
    const selection = {
      workspace: this.workspace,
      tokens: argv as string[],
      catalog: flags.catalog ?? null,
    };
    if (!flags.yes) await this.#askFirst(selection);
    const answer = await this.ask<typeof disablePlugins>('plugin.disable', selection);
    this.show({ json: answer.changed, text: formatPluginChanges(answer, this.look) });
    this.failFirst(answer.failures);
    this.hint('lectern plugin list');
  }

  async #askFirst(selection: {
    workspace: string | null;
    tokens: string[];
    catalog: string | null;
  }) {
    if (this.globals['non-interactive']) return;
    // Unknown names (3, 20) and what is disabled already (21) come before any question.
    const planned = await this.ask<typeof disablePlugins>('plugin.disable', {
      ...selection,
      dry_run: true,
    });
    if (planned.changed.length === 0) return;
    await this.confirm(
      `Disable ${planned.changed.map((each) => each.plugin).join(', ')}?`,
      new LecternError(
        'not_a_terminal',
        'disabling wants a yes, and there is no terminal to ask on',
      ),
    );
  }
}
