import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { LecternCommand } from '../cli/base-command.ts';
import { exitCodeOfVerdict, formatStatus, nextStepOf } from '../cli/print/status.ts';
import type { getStatus } from '../protocol/admin/get-status.ts';

export default class Status extends LecternCommand {
  static override summary = 'Say how things stand: exit 0 ok, 10 degraded, 1 unhealthy.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> team --json',
  ];
  static override args = {
    name: Args.string({ ignoreStdin: true, description: 'Workspace to report on.' }),
  };
  static override flags = {
    verify: Flags.boolean({ description: 'Check the digests of model files too.' }),
  };

  async run(): Promise<void> {
    const { args, flags } = this.withGlobals(await this.parse(Status));
    const report = await this.ask<typeof getStatus>('status.get', {
      workspace: args.name ?? this.workspace,
      verify: flags.verify,
    });
    const next = nextStepOf(report);
    this.show({
      json: report,
      text: formatStatus(report, this.look),
      ...(next === undefined ? {} : { next }),
    });
    process.exitCode = exitCodeOfVerdict(report.overall);
  }
}
