import { LecternCommand } from '../cli/base-command.ts';
import { isDaemonForbidden } from '../cli/daemon-life.ts';
import { examineMachine } from '../cli/examine-machine.ts';
import { formatExamination, overallOf } from '../cli/print/doctor.ts';
import { exitCodeOfVerdict } from '../cli/print/status.ts';
import { toLecternError } from '../core/errors.ts';
import type { getDoctor } from '../protocol/admin/get-doctor.ts';
import { resolveStateRoot } from '../protocol/link/state-paths.ts';

export default class Doctor extends LecternCommand {
  static override summary = 'Examine lectern and the machine, and say how to mend what is wrong.';
  static override description = 'Reads only. Exit 0 ok, 10 degraded, 1 unhealthy.';
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<void> {
    this.withGlobals(await this.parse(Doctor));
    const machine = await examineMachine(resolveStateRoot());
    const asked = await this.ask<typeof getDoctor>('doctor.get', {
      workspace: this.workspace,
    }).then(
      (report) => ({ report, unreachable: null, mend: null }),
      (error: unknown) => {
        const { message, details } = toLecternError(error);
        return { report: null, unreachable: message, mend: details.next ?? null };
      },
    );
    const examination = { ...asked, machine, isDaemonForbidden: isDaemonForbidden() };
    const overall = overallOf(examination);
    this.show({
      json: { ...asked.report, overall, machine, unreachable: asked.unreachable },
      text: formatExamination(examination, this.look),
      ...(overall === 'ok' ? {} : { next: 'follow the fixes above, then: lectern doctor' }),
    });
    process.exitCode = exitCodeOfVerdict(overall);
  }
}
