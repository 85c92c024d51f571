import { LecternCommand } from '../../cli/base-command.ts';
import { formatConfig } from '../../cli/print/config.ts';
import { explainConfig, readConfig } from '../../core/config.ts';
import { resolveStateRoot, statePaths } from '../../protocol/link/state-paths.ts';

export default class ConfigShow extends LecternCommand {
  static override summary = 'Show what holds for each key of config.toml; needs no daemon.';
  static override description =
    'Without --json, keys that have no effect in this version are listed only where the file has them.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --json',
  ];

  async run(): Promise<void> {
    this.withGlobals(await this.parse(ConfigShow));
    const path = statePaths(resolveStateRoot()).config;
    const values = explainConfig(await readConfig(path));
    this.show({
      json: values,
      text: formatConfig(values, this.look),
      next: `write what is to be otherwise into ${path}`,
    });
  }
}
