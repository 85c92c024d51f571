import * as Flags from '@oclif/core/flags';
import { LecternCommand } from '../../cli/base-command.ts';
import { requireDaemonAllowed } from '../../cli/daemon-life.ts';

export default class DaemonInstall extends LecternCommand {
  static override summary = 'Start the daemon at login, as a service of this user.';
  static override description =
    'Writes a systemd user unit, a launchd agent or a scheduled task and starts it. ' +
    'Without a service agents start the daemon when they need it. ' +
    'Each LECTERN_HOME has a service of its own.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --dry-run',
    '<%= config.bin %> <%= command.id %>',
  ];
  static override flags = {
    'dry-run': Flags.boolean({ description: 'Print the file and change nothing.' }),
  };

  async run(): Promise<void> {
    const { flags } = this.withGlobals(await this.parse(DaemonInstall));
    const { serviceHere } = await import('../../service/plan-here.ts');
    const service = serviceHere();
    const { platform, name, file, content, hint } = service.recipe;
    if (flags['dry-run']) {
      this.show({
        json: { platform, name, file, content, installed: false },
        text: `# ${file}\n${content.trimEnd()}`,
        next: 'lectern daemon install',
      });
      return;
    }
    requireDaemonAllowed();
    const { installService } = await import('../../service/install.ts');
    const { replaced, kept } = await installService(service);
    if (kept !== null) this.note(`it had been edited; a copy is in ${kept}`);
    this.show({
      json: { platform, name, file, installed: true, replaced, kept },
      text: `Installed and started ${file}${replaced === null ? '' : `, in place of ${replaced}, as an earlier version called it`}`,
      next: hint ?? 'lectern daemon status',
    });
  }
}
