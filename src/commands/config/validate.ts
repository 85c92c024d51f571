import { existsSync } from 'node:fs';
import { LecternCommand } from '../../cli/base-command.ts';
import { readConfigLeniently } from '../../core/config.ts';
import { resolveStateRoot, statePaths } from '../../protocol/link/state-paths.ts';

export default class ConfigValidate extends LecternCommand {
  static override summary = 'Say whether config.toml can be used; needs no daemon.';
  static override description =
    'Exit 0 when it can, or there is none; else as other commands fail.';
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<void> {
    this.withGlobals(await this.parse(ConfigValidate));
    const path = statePaths(resolveStateRoot()).config;
    const { malformed } = await readConfigLeniently(path);
    if (malformed !== null && !this.globals.json) throw malformed;
    const there = existsSync(path) ? `${path} is valid` : `${path} is not there: defaults hold`;
    this.show({
      json: { valid: malformed === null, error: malformed?.message ?? null },
      text: there,
      next: 'lectern config show',
    });
    process.exitCode = malformed?.exitCode ?? 0;
  }
}
