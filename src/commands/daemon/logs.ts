import * as Flags from '@oclif/core/flags';
import { LecternCommand } from '../../cli/base-command.ts';
import { followFile, readLastLines } from '../../cli/follow-file.ts';
import { formatLogLine, isAtLevel } from '../../cli/print/daemon.ts';
import { LOG_LEVELS, type LogLevel } from '../../core/log-levels.ts';
import { resolveStateRoot, statePaths } from '../../protocol/link/state-paths.ts';

/**
 * Reads the file itself instead of asking the daemon: a log is wanted most
 * when there is no daemon to ask.
 */
export default class DaemonLogs extends LecternCommand {
  static override summary = "Show the end of the daemon's log.";
  static override examples = [
    '<%= config.bin %> <%= command.id %> --follow',
    '<%= config.bin %> <%= command.id %> --lines 20 --level warn',
  ];
  static override flags = {
    lines: Flags.integer({
      char: 'n',
      default: 100,
      min: 0,
      description: 'Lines to show.',
      helpValue: 'N',
    }),
    level: Flags.string({
      options: [...LOG_LEVELS],
      default: 'trace',
      description: 'This level and above.',
    }),
    follow: Flags.boolean({ char: 'f', description: 'Go on with what is added, until Ctrl-C.' }),
  };

  async run(): Promise<void> {
    const { flags } = this.withGlobals(await this.parse(DaemonLogs));
    const path = statePaths(resolveStateRoot()).daemonLog;
    const level = flags.level as LogLevel;
    const print = (line: string): void => {
      process.stdout.write(`${this.globals.json ? line : formatLogLine(line, this.look)}\n`);
    };
    const all = await readLastLines(path, Number.POSITIVE_INFINITY);
    const wanted = all.filter((line) => isAtLevel(line, level));
    if (wanted.length === 0 && !flags.follow) this.note(`nothing in ${path}`);
    if (flags.lines > 0) wanted.slice(-flags.lines).forEach(print);
    if (!flags.follow) return;
    const ended = new AbortController();
    // Ctrl-C is how following ends, not an interruption of it.
    process.removeAllListeners('SIGINT');
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => ended.abort());
    await followFile(path, (line) => isAtLevel(line, level) && print(line), ended.signal);
  }
}
