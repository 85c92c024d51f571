import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { LecternCommand } from '../cli/base-command.ts';
import { LecternError } from '../core/errors.ts';
import { Scope } from '../core/scope.ts';

export default class Quickstart extends LecternCommand {
  static override summary =
    'A one-minute tour: enrol, search as an agent does, load, wire your agents.';
  static override description =
    'Uses a private library in a temporary directory, and removes it; --global uses your own.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> ~/my-skills ~/team-skills',
    '<%= config.bin %> <%= command.id %> ~/my-skills --query "write release notes"',
  ];
  static override strict = false;
  static override args = {
    folders: Args.string({
      ignoreStdin: true,
      description: 'Folders of skills, one catalog each; a starter catalog when left out.',
    }),
  };
  static override flags = {
    query: Flags.string({
      char: 'q',
      multiple: true,
      multipleNonGreedy: true,
      description: 'What to search for; may repeat.',
      helpValue: 'TEXT',
    }),
    global: Flags.boolean({ description: 'Enrol into your own library and keep it.' }),
  };

  async run(): Promise<void> {
    const { argv, flags } = this.withGlobals(await this.parse(Quickstart));
    const { runTour } = await import('../cli/quickstart/run.ts');
    const scope = new Scope('quickstart');
    // Ctrl-C must not leave the daemon and the private library behind.
    process.removeAllListeners('SIGINT');
    const interrupted = new Promise<never>((_, reject) => {
      process.once('SIGINT', () => reject(new LecternError('interrupted', 'interrupted')));
    });
    const line = this.progress();
    try {
      await Promise.race([
        interrupted,
        runTour(
          {
            folders: argv as string[],
            queries: flags.query ?? [],
            isGlobal: flags.global,
            root: this.config.root,
            paint: this.paint,
            width: this.terminal.width,
            print: (text) => process.stdout.write(`${text}\n`),
            showStep: (step) => line.update(step),
            endSteps: () => line.done(),
            ask: (method, params) => this.ask(method, params),
          },
          scope,
        ),
      ]);
    } finally {
      line.done();
      await scope.close();
    }
  }
}
