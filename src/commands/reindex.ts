import { resolve } from 'node:path';
import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { LecternCommand } from '../cli/base-command.ts';
import { formatReindex } from '../cli/print/reindex.ts';
import { LecternError } from '../core/errors.ts';
import type { releaseFile } from '../protocol/admin/release-file.ts';
import type { runReindex } from '../protocol/admin/run-reindex.ts';

export default class Reindex extends LecternCommand {
  static override summary = 'Read enabled plugins again.';
  static override description =
    'Saved changes are found without this; it is for network file systems, repaired files and doubts.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> official team/review',
    '<%= config.bin %> <%= command.id %> --force',
  ];
  static override strict = false;
  static override args = {
    scopes: Args.string({
      ignoreStdin: true,
      description: 'Catalogs, CATALOG/PLUGIN ids or globs; all when left out.',
    }),
  };
  static override flags = {
    catalog: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      description: 'Only this catalog; may repeat.',
      helpValue: 'NAME',
    }),
    plugin: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      description: 'Only this plugin; may repeat.',
      helpValue: 'C/P',
    }),
    force: Flags.boolean({ description: 'Read and rewrite every entry, changed or not.' }),
    release: Flags.string({
      description: 'Read this file again, which was left out because it ended lectern twice.',
      helpValue: 'FILE',
      exclusive: ['catalog', 'plugin', 'force'],
    }),
  };

  async run(): Promise<void> {
    const { argv, flags } = this.withGlobals(await this.parse(Reindex));
    if (flags.release !== undefined) return this.#release(flags.release, argv);
    const answer = await this.ask<typeof runReindex>('reindex.run', {
      workspace: this.workspace,
      scopes: argv as string[],
      catalog: flags.catalog ?? [],
      plugin: flags.plugin ?? [],
      force: flags.force,
    });
    this.show({
      json: answer.reindexed === null ? [] : answer.reindexed,
      text: formatReindex(answer, flags.force, this.look),
      next: answer.problems.length > 0 ? 'lectern problems' : 'lectern status',
    });
  }

  async #release(file: string, scopes: readonly unknown[]): Promise<void> {
    if (scopes.length > 0) throw new LecternError('usage', 'give --release, or scopes: not both');
    const answer = await this.ask<typeof releaseFile>('reindex.release', { file: resolve(file) });
    this.show({
      json: answer,
      text: `${this.paint.good('released')} ${answer.released}`,
      next: 'lectern status',
    });
  }
}
