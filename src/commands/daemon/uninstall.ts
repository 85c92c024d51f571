import { LecternCommand } from '../../cli/base-command.ts';
import { uninstallService } from '../../service/apply.ts';
import { recipeHere } from '../../service/plan-here.ts';

export default class DaemonUninstall extends LecternCommand {
  static override summary = 'Stop the login service and take it away.';
  static override description =
    'Catalogs, settings and the index stay; agents start the daemon when they need it.';
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<void> {
    this.withGlobals(await this.parse(DaemonUninstall));
    const { recipe, stateRoot } = recipeHere();
    const removed = await uninstallService(recipe, stateRoot);
    this.show({
      json: { platform: recipe.platform, file: recipe.file, removed },
      text: removed ? `Stopped and removed ${recipe.file}` : 'There is no login service to remove.',
      next: 'lectern daemon status',
    });
  }
}
