import { LecternCommand } from '../../cli/base-command.ts';

export default class DaemonUninstall extends LecternCommand {
  static override summary = 'Do not start the daemon at login any more.';
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<void> {
    this.withGlobals(await this.parse(DaemonUninstall));
    const { recipeHere } = await import('../../service/plan-here.ts');
    const { uninstallService } = await import('../../service/apply.ts');
    const { recipe, stateRoot } = recipeHere();
    const existed = await uninstallService(recipe, stateRoot);
    this.show({
      json: { uninstalled: existed, file: recipe.file },
      text: existed ? `${this.paint.good('removed')} ${recipe.file}` : 'it was not installed',
    });
  }
}
