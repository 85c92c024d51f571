import type { Command } from '@oclif/core';
import * as Args from '@oclif/core/args';
import { LecternCommand } from '../cli/base-command.ts';
import type { CompletableCommand } from '../cli/completion/commands.ts';
import { completionScript, SHELLS, type Shell } from '../cli/completion/complete.ts';

export default class Completion extends LecternCommand {
  static override summary = 'Print a completion script for bash, zsh or fish.';
  static override examples = [
    'source <(<%= config.bin %> <%= command.id %> bash)',
    'source <(<%= config.bin %> <%= command.id %> zsh)',
    '<%= config.bin %> <%= command.id %> fish > ~/.config/fish/completions/lectern.fish',
  ];
  static override args = {
    shell: Args.string({
      required: true,
      ignoreStdin: true,
      options: [...SHELLS],
      description: 'Your shell.',
    }),
  };

  async run(): Promise<void> {
    const { args } = this.withGlobals(await this.parse(Completion));
    const commands = this.config.commands
      .filter((command) => command.hidden !== true)
      .map(describeCommand)
      .sort((a, b) => (a.words.join(' ') < b.words.join(' ') ? -1 : 1));
    const about = Object.fromEntries(
      this.config.topics.map(({ name, description }) => [name, description ?? '']),
    );
    const script = completionScript(args.shell as Shell, commands, about);
    this.show({ json: { shell: args.shell, script }, text: script });
  }
}

function describeCommand(command: Command.Loadable): CompletableCommand {
  return {
    words: command.id.split(':'),
    summary: command.summary ?? '',
    flags: Object.values(command.flags).map((flag) => ({
      name: flag.name,
      ...(flag.char === undefined ? {} : { char: flag.char }),
      takesValue: flag.type === 'option',
      options: flag.type === 'option' ? (flag.options ?? []) : [],
      summary: flag.summary ?? flag.description ?? '',
    })),
  };
}
