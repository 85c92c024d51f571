import * as Args from '@oclif/core/args';
import { LecternCommand } from '../cli/base-command.ts';
import {
  type ExitCodeRow,
  exitCodeRows,
  formatExitCodes,
  SUCCESS,
} from '../cli/print/exit-codes.ts';
import { LecternError } from '../core/errors.ts';

export default class ExitCodes extends LecternCommand {
  static override summary = 'Explain exit codes; needs no configuration and no daemon.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> 53',
  ];
  static override args = {
    code: Args.string({ ignoreStdin: true, description: 'One exit code; all when left out.' }),
  };

  async run(): Promise<void> {
    const { args } = this.withGlobals(await this.parse(ExitCodes));
    if (args.code !== undefined && !/^\d+$/.test(args.code)) {
      throw new LecternError('usage', `an exit code is a number, got "${args.code}"`, {
        next: 'lectern exit-codes',
      });
    }
    const code = args.code === undefined ? undefined : Number(args.code);
    const rows = code === 0 ? [SUCCESS] : exitCodeRows(code);
    if (rows.length === 0) {
      throw new LecternError('usage', `lectern never exits with ${args.code}`, {
        next: 'lectern exit-codes',
      });
    }
    this.show({
      json: rows,
      text: formatExitCodes(
        rows.map((row) => this.#marked(row)),
        this.look,
      ),
      ...(args.code === undefined ? { next: 'lectern exit-codes CODE' } : {}),
    });
  }

  /** The contract fixes the remediations; people are told which of them this version lacks. */
  #marked(row: ExitCodeRow): ExitCodeRow {
    const { remediation } = row;
    if (remediation === undefined || this.#runs(remediation)) return row;
    return { ...row, remediation: `${remediation} (not in this version)` };
  }

  #runs(line: string): boolean {
    const words = line.split(' ').slice(1);
    const flags = words.filter((word) => word.startsWith('--')).map((word) => word.slice(2));
    const command = this.config.findCommand(words.filter((it) => !it.startsWith('--')).join(':'));
    return command !== undefined && flags.every((flag) => Object.hasOwn(command.flags, flag));
  }
}
