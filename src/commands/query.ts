import * as Args from '@oclif/core/args';
import * as Flags from '@oclif/core/flags';
import { LecternCommand } from '../cli/base-command.ts';
import { formatQuery, nextAfterQuery } from '../cli/print/query.ts';
import { LecternError } from '../core/errors.ts';
import type { releaseQuery } from '../protocol/admin/release-query.ts';
import type { runQuery } from '../protocol/admin/run-query.ts';

/** The most that may be asked for (library contract 5.7): a screen cuts by its own width. */
const WHOLE_DESCRIPTION = 100_000;

export default class Query extends LecternCommand {
  static override summary = 'Search the enabled skills, commands and agents.';
  static override hiddenAliases = ['search'];
  static override examples = [
    '<%= config.bin %> <%= command.id %> fill in a pdf form',
    '<%= config.bin %> <%= command.id %> --kind command --top-k 3 review a pull request',
    '<%= config.bin %> <%= command.id %> --query "deploy to kubernetes" --strict --json',
  ];
  static override strict = false;
  static override args = {
    words: Args.string({
      ignoreStdin: true,
      description: 'What you want to do, in your own words.',
    }),
  };
  static override flags = {
    query: Flags.string({
      char: 'q',
      description: 'The text, instead of words.',
      helpValue: 'TEXT',
    }),
    'top-k': Flags.integer({
      min: 1,
      max: 100,
      description: 'Results wanted, 1 to 100; 10 when left out.',
      helpValue: 'N',
    }),
    catalog: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      description: 'Only in this catalog; may repeat.',
      helpValue: 'NAME',
    }),
    plugin: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      description: 'Only in this plugin; may repeat.',
      helpValue: 'NAME',
    }),
    kind: Flags.string({
      multiple: true,
      multipleNonGreedy: true,
      options: ['skill', 'command', 'agent'],
      description: 'Only this kind; may repeat.',
    }),
    rerank: Flags.boolean({
      exclusive: ['no-rerank'],
      description: 'Order by the learned ranking.',
    }),
    'no-rerank': Flags.boolean({ description: 'Order by similarity alone.' }),
    strict: Flags.boolean({ description: 'Fail (exit 40) when nothing reaches the floor.' }),
    release: Flags.string({
      description: 'Run this query again, which is left out because it ended lectern twice.',
      helpValue: 'TEXT',
      exclusive: ['query'],
    }),
    'min-score': Flags.string({
      description: 'The floor; cuts only with --strict.',
      helpValue: 'SCORE',
    }),
  };

  async run(): Promise<void> {
    const { argv, flags } = this.withGlobals(await this.parse(Query));
    const words = argv as string[];
    if (flags.release !== undefined) return this.#release(flags.release, words);
    if (flags.query !== undefined && words.length > 0) {
      throw new LecternError('usage', 'give the text as words or with --query, not both', {
        next: 'lectern query --help',
      });
    }
    const text = flags.query ?? words.join(' ');
    if (text.trim() === '') {
      throw new LecternError('usage', 'there is nothing to search for', {
        next: 'lectern query WORDS',
      });
    }
    const answer = await this.ask<typeof runQuery>('query.run', {
      workspace: this.workspace,
      text,
      top_k: flags['top-k'] ?? null,
      catalog: flags.catalog ?? [],
      plugin: flags.plugin ?? [],
      kind: (flags.kind ?? []) as ('skill' | 'command' | 'agent')[],
      rerank: flags.rerank ? true : flags['no-rerank'] ? false : null,
      strict: flags.strict,
      min_score: parseScore(flags['min-score']),
      description_max_chars: WHOLE_DESCRIPTION,
    });
    this.show({
      json: answer,
      text: formatQuery(answer, this.look, {
        isCounted: flags['top-k'] !== undefined,
        kinds: flags.kind ?? [],
      }),
      next: nextAfterQuery(answer),
    });
  }

  async #release(text: string, words: readonly string[]): Promise<void> {
    if (words.length > 0) throw new LecternError('usage', 'give --release, or words: not both');
    const answer = await this.ask<typeof releaseQuery>('query.release', { text });
    this.show({
      json: answer,
      text: `${this.paint.good('released')} ${answer.released}`,
      next: 'lectern status',
    });
  }
}

/** A floor as typed; null when none was. */
function parseScore(typed: string | undefined): number | null {
  if (typed === undefined) return null;
  const score = Number(typed);
  if (typed.trim() === '' || !Number.isFinite(score)) {
    throw new LecternError('usage', `--min-score wants a number, got "${typed}"`, {
      next: 'lectern query --help',
    });
  }
  return score;
}
