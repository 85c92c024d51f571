import { LecternCommand } from '../../cli/base-command.ts';

export default class DaemonUninstall extends LecternCommand {
  static override summary = 'Do not start the daemon at login any more.';
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<void> {
    this.withGlobals(await this.parse(DaemonUninstall));
    const { serviceHere } = await import('../../service/plan-here.ts');
    const { uninstallService } = await import('../../service/uninstall.ts');
    const service = serviceHere();
    const removed = await uninstallService(service);
    const isUninstalled = removed.length > 0;
    this.show({
      json: { uninstalled: isUninstalled, file: removed[0] ?? service.recipe.file, removed },
      text: isUninstalled
        ? `${this.paint.good('removed')} ${removed.join(', ')}`
        : 'it was not installed',
    });
  }
}
