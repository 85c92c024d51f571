import * as Flags from '@oclif/core/flags';
import { LecternCommand } from '../../cli/base-command.ts';

export default class DaemonInstall extends LecternCommand {
  static override summary = 'Start the daemon at login, as a service of this user.';
  static override description =
    'Writes a systemd user unit, a launchd agent or a scheduled task and starts it. ' +
    'Without a service agents start the daemon when they need it.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --dry-run',
    '<%= config.bin %> <%= command.id %>',
  ];
  static override flags = {
    'dry-run': Flags.boolean({ description: 'Print the file and change nothing.' }),
  };

  async run(): Promise<void> {
    const { flags } = this.withGlobals(await this.parse(DaemonInstall));
    const { recipeHere } = await import('../../service/plan-here.ts');
    const { recipe, stateRoot } = recipeHere();
    const { platform, file, content } = recipe;
    if (flags['dry-run']) {
      this.show({
        json: { platform, file, content, installed: false },
        text: `# ${file}\n${content.trimEnd()}`,
        next: 'lectern daemon install',
      });
      return;
    }
    const { installService } = await import('../../service/apply.ts');
    await installService(recipe, stateRoot);
    this.show({
      json: { platform, file, installed: true },
      text: `Installed and started ${file}`,
      next: recipe.hint ?? 'lectern daemon status',
    });
  }
}
