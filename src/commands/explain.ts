import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { LecternCommand } from '../cli/base-command.ts';
import { formatExplained } from '../cli/print/explain.ts';
import { nextAfterQuery } from '../cli/print/query.ts';
import { LecternError } from '../core/errors.ts';
import type { explainQuery } from '../protocol/admin/explain-query.ts';

export default class Explain extends LecternCommand {
  static override summary = 'Search, and say what placed each result.';
  static override examples = ['<%= config.bin %> <%= command.id %> fill in a pdf form'];
  static override strict = false;
  static override args = {
    words: Args.string({ required: true, ignoreStdin: true, description: 'What you want to do.' }),
  };
  static override flags = {
    'top-k': Flags.integer({
      min: 1,
      max: 100,
      description: 'Results wanted, 1 to 100; 10 when left out.',
      helpValue: 'N',
    }),
    kind: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      options: ['skill', 'command', 'agent'],
      description: 'Only this kind; may repeat.',
    }),
    catalog: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      description: 'Only in this catalog; may repeat.',
      helpValue: 'NAME',
    }),
    'no-rerank': Flags.boolean({ description: 'Order by similarity alone.' }),
  };

  async run(): Promise<void> {
    const { argv, flags } = this.withGlobals(await this.parse(Explain));
    const text = (argv as string[]).join(' ');
    if (text.trim() === '') throw new LecternError('usage', 'there is nothing to search for');
    const answer = await this.ask<typeof explainQuery>('query.explain', {
      workspace: this.workspace,
      text,
      top_k: flags['top-k'] ?? null,
      catalog: flags.catalog ?? [],
      kind: (flags.kind ?? []) as ('skill' | 'command' | 'agent')[],
      rerank: flags['no-rerank'] ? false : null,
    });
    this.show({
      json: answer,
      text: formatExplained(answer, this.look),
      next: nextAfterQuery(answer),
    });
  }
}
