import { LecternCommand } from '../../cli/base-command.ts';

export default class DaemonInstall extends LecternCommand {
  static override summary = 'Start the daemon at login (systemd, launchd or Task Scheduler).';
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<void> {
    this.withGlobals(await this.parse(DaemonInstall));
    const { recipeHere } = await import('../../service/plan-here.ts');
    const { installService } = await import('../../service/apply.ts');
    const { recipe, stateRoot } = recipeHere();
    await installService(recipe, stateRoot);
    this.show({
      json: { installed: { platform: recipe.platform, file: recipe.file } },
      text: `${this.paint.good('installed')} ${recipe.file}`,
      next: 'lectern daemon status',
    });
    if (recipe.hint !== null) this.note(recipe.hint);
  }
}
