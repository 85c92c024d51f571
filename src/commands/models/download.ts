import * as Flags from '@oclif/core/flags';
import { LecternCommand } from '../../cli/base-command.ts';
import { failUnlessWhole } from '../../cli/print/models.ts';
import type { verifyModels } from '../../protocol/admin/verify-models.ts';

export default class ModelsDownload extends LecternCommand {
  static override summary = 'See that the embedding model is complete; it comes with the package.';
  static override description =
    'lectern never fetches a model by itself: the bundled one lies in the package. This checks it and says how to mend it.';
  static override examples = ['<%= config.bin %> <%= command.id %>'];
  static override flags = {
    force: Flags.boolean({ description: 'Check the files again even if they were whole.' }),
  };

  async run(): Promise<void> {
    this.withGlobals(await this.parse(ModelsDownload));
    const { models } = await this.ask<typeof verifyModels>('models.verify', {});
    failUnlessWhole(models);
    this.show({
      json: models.map(({ name, version, state }) => ({ name, version, state, downloaded: false })),
      text: models
        .map(({ name, version }) => `${name} ${version} is complete; nothing to download`)
        .join('\n'),
      next: 'lectern status',
    });
  }
}
