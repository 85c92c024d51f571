import * as Args from '@oclif/core/args';
import { LecternCommand } from '../cli/base-command.ts';
import { formatProblems } from '../cli/print/problems.ts';
import type { listProblems } from '../protocol/admin/list-problems.ts';

export default class Problems extends LecternCommand {
  static override summary = 'List what is wrong in catalog files, with file, line and fix.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> official --json',
  ];
  static override args = {
    catalog: Args.string({ ignoreStdin: true, description: 'Only of this catalog.' }),
  };

  async run(): Promise<void> {
    const { args } = this.withGlobals(await this.parse(Problems));
    const rows = await this.ask<typeof listProblems>('problems.list', {
      workspace: this.workspace,
      catalog: args.catalog ?? null,
    });
    this.show({
      json: rows,
      text: formatProblems(rows, this.look),
      ...(rows.length === 0
        ? {}
        : { next: 'mend a file; it is read again as soon as it is saved' }),
    });
  }
}
