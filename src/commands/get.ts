import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { LecternCommand } from '../cli/base-command.ts';
import { PLAIN } from '../cli/paint.ts';
import { type EntryAnswer, formatEntryAnswer } from '../cli/print/entry.ts';
import { LecternError } from '../core/errors.ts';
import type { getEntry } from '../protocol/admin/get-entry.ts';

export default class Get extends LecternCommand {
  static override summary = 'Print one entry, as an agent would load it.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> official:pdf:fill-form',
    '<%= config.bin %> <%= command.id %> fill-form --metadata-only',
    '<%= config.bin %> <%= command.id %> reviewer --catalog team --plugin quality --kind agent',
  ];
  static override args = {
    id: Args.string({
      required: true,
      ignoreStdin: true,
      description: 'CATALOG:PLUGIN:NAME, PLUGIN:NAME, a name, or a path.',
    }),
  };
  static override flags = {
    catalog: Flags.string({
      dependsOn: ['plugin'],
      description: 'Catalog of the name.',
      helpValue: 'NAME',
    }),
    plugin: Flags.string({
      dependsOn: ['catalog'],
      description: 'Plugin of the name.',
      helpValue: 'NAME',
    }),
    kind: Flags.string({ options: ['skill', 'command', 'agent'], description: 'Only this kind.' }),
    'metadata-only': Flags.boolean({ description: 'What it is, without its text.' }),
    raw: Flags.boolean({ description: 'Leave variables and argument tokens as they are written.' }),
    resources: Flags.boolean({ description: 'Inline small resource files (with --json).' }),
  };

  async run(): Promise<void> {
    const { args, flags } = this.withGlobals(await this.parse(Get));
    const isTriple = flags.catalog !== undefined && flags.plugin !== undefined;
    const answer = (await this.ask<typeof getEntry>('entry.get', {
      workspace: this.workspace,
      ...(isTriple
        ? { catalog: flags.catalog, plugin: flags.plugin, name: args.id }
        : { uri: args.id }),
      kind: (flags.kind ?? null) as 'skill' | 'command' | 'agent' | null,
      metadata_only: flags['metadata-only'],
      raw: flags.raw,
      include_resource_bodies: flags.resources,
    })) as unknown as EntryAnswer;
    if ('matches' in answer && !this.globals.json) {
      throw new LecternError(
        'usage',
        formatEntryAnswer(answer, true, { ...this.look, paint: PLAIN }),
        {
          next: 'name the catalog and the plugin too',
        },
      );
    }
    this.show({
      json: answer,
      text: formatEntryAnswer(answer, process.stdout.isTTY === true, this.look),
      isVerbatim: 'content' in answer,
    });
  }
}
