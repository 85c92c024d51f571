import * as Args from '@oclif/core/args';
import { LecternCommand } from '../cli/base-command.ts';
import { LecternError } from '../core/errors.ts';

/** Listed in `lectern help` only: bin/lectern.js hands the raw arguments, `--help` too, to the tui program. */
export default class Tui extends LecternCommand {
  static override summary = 'Check, paint, play and inspect terminal-UI markup.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> validate app.tui',
    '<%= config.bin %> <%= command.id %> dump app.tui --data sample.json',
  ];
  static override strict = false;
  static override args = {
    command: Args.string({
      ignoreStdin: true,
      description: 'validate, dump, play, inspect, agents, run or shot.',
    }),
  };

  async run(): Promise<void> {
    this.withGlobals(await this.parse(Tui));
    throw new LecternError('internal', '`tui` is started by bin/lectern.js, not by a command');
  }
}
