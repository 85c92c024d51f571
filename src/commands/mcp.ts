import * as Flags from '@oclif/core/flags';
import { LecternCommand } from '../cli/base-command.ts';
import { LecternError } from '../core/errors.ts';

/**
 * Listed for `help` only: bin/lectern.js starts the proxy before oclif is
 * loaded, because an agent host waits for it.
 */
export default class Mcp extends LecternCommand {
  static override summary = 'Serve agents over MCP on standard input and output.';
  static override description =
    'This is what an agent host runs; `lectern quickstart` shows the entry to write.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --harness cursor --workspace team',
  ];
  // The proxy takes these alone: it prints nothing but MCP and never asks.
  static override baseFlags = {
    workspace: LecternCommand.baseFlags.workspace,
  } as typeof LecternCommand.baseFlags;
  static override flags = {
    surface: Flags.string({
      options: ['library', 'tui'],
      description: 'Tools to serve.',
    }),
    harness: Flags.string({ description: 'The agent host that runs it.', helpValue: 'NAME' }),
    'log-level': Flags.string({
      description: 'Accepted; logging.level of config.toml decides.',
      helpValue: 'LEVEL',
    }),
  };

  async run(): Promise<void> {
    this.withGlobals(await this.parse(Mcp));
    throw new LecternError('internal', '`mcp` is started by bin/lectern.js, not by a command');
  }
}
