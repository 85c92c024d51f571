import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { LecternCommand } from '../cli/base-command.ts';
import { requireDaemonAllowed } from '../cli/daemon-life.ts';
import { LecternError } from '../core/errors.ts';
import { Scope } from '../core/scope.ts';
import type { daemonStatus } from '../protocol/admin/daemon-status.ts';
import type { stopDaemon } from '../protocol/admin/stop-daemon.ts';

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
    requireDaemonAllowed();
    // A private library has `global` alone, whatever the project here is bound to.
    if (!flags.global) this.globals.workspace = 'global';
    const { runTour } = await import('../cli/quickstart/run.ts');
    const scope = new Scope('quickstart');
    // Ctrl-C must not leave the daemon and the private library behind.
    process.removeAllListeners('SIGINT');
    const interrupted = new Promise<never>((_, reject) => {
      process.once('SIGINT', () => reject(new LecternError('interrupted', 'interrupted')));
    });
    const line = this.progress();
    const tour = runTour(
      {
        folders: argv as string[],
        queries: flags.query ?? [],
        isGlobal: flags.global,
        root: this.config.root,
        paint: this.paint,
        width: this.terminal.width,
        print: (text) => this.globals.json || process.stdout.write(`${text}\n`),
        showStep: (step) => line.update(step),
        endSteps: () => line.done(),
        startDaemon: () => this.ask<typeof daemonStatus>('daemon.status', {}),
        // Only the start may start one: a question that outlives the tour must not bring it back.
        ask: (method, params) =>
          Promise.race([interrupted, this.ask(method, params, { autostart: false })]),
        stopDaemon: () => this.ask<typeof stopDaemon>('daemon.stop', {}, { autostart: false }),
      },
      scope,
    );
    try {
      const report = await Promise.race([interrupted, tour]);
      if (this.globals.json) this.show({ json: report, text: '' });
    } finally {
      line.done();
      // An interrupted tour ends at its next question; only then is nothing opened any more.
      await tour.catch(() => {});
      await scope.close();
    }
  }
}
