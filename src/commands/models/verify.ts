import { LecternCommand } from '../../cli/base-command.ts';
import { failUnlessWhole, formatModels } from '../../cli/print/models.ts';
import type { verifyModels } from '../../protocol/admin/verify-models.ts';

export default class ModelsVerify extends LecternCommand {
  static override summary =
    'Check the embedding model: its files, and its vectors on this machine.';
  static override description =
    'Hashes the files again and embeds the texts of the model card. Without a whole model search goes by words.';
  static override examples = ['<%= config.bin %> <%= command.id %>'];

  async run(): Promise<void> {
    this.withGlobals(await this.parse(ModelsVerify));
    const { models } = await this.ask<typeof verifyModels>('models.verify', {});
    failUnlessWhole(models);
    this.show({ json: models, text: formatModels(models, this.look), next: 'lectern status' });
  }
}
