import { type EntryAddress, getCommand } from '../../core/entry-id.ts';
import type { ResultOf } from '../../protocol/admin/method.ts';
import type { runQuery } from '../../protocol/admin/run-query.ts';
import { oneLine, wrap } from '../text.ts';
import type { Look } from './look.ts';

type QueryAnswer = ResultOf<typeof runQuery>;
type QueryHit = QueryAnswer['results'][number];

/** How to load a hit. Its names are other people's text. */
export function getCommandFor(hit: EntryAddress): string {
  return getCommand({
    catalog: oneLine(hit.catalog),
    plugin: oneLine(hit.plugin),
    name: oneLine(hit.name),
    kind: hit.kind,
  });
}

/** Lines of description under a hit: two say what it is for; `get` has the rest. */
const DESCRIPTION_LINES = 2;

function formatHit(hit: QueryHit, rank: number, { paint, width }: Look): string {
  const place = `${oneLine(hit.catalog)}/${oneLine(hit.plugin)}`;
  const head = `${String(rank).padStart(2)}  ${paint.name(oneLine(hit.name))}  ${hit.score.toFixed(2)}  ${paint.quiet(`${hit.kind} in ${place}`)}`;
  const wrapped = wrap(oneLine(hit.description), width - 4);
  const about = wrapped.slice(0, DESCRIPTION_LINES);
  if (wrapped.length > about.length) about.push(`${about.pop()} …`);
  const also = (hit.also_in ?? []).map((other) => oneLine(`${other.catalog}/${other.plugin}`));
  if (also.length > 0) about.push(paint.quiet(`the same text also in ${also.join(', ')}`));
  return [head, ...about.map((line) => `    ${line}`)].join('\n');
}

/**
 * Calibrated chances under this are shown as 0.00 or 0.01: a row that says
 * "surely not" only hides the ones that may help.
 */
const WORTH_SHOWING = 0.02;
/** Shown however low they score, so that a person sees what was considered. */
const ALWAYS_SHOWN = 3;

/** How many of the results a person should see who did not say how many. */
function countShown({ results, scoring, relevance }: QueryAnswer): number {
  if (relevance === 'weak') return Math.min(results.length, ALWAYS_SHOWN);
  // The other scales have no score that means "no".
  if (scoring !== 'reranked') return results.length;
  const worthy = results.filter((hit) => hit.score >= WORTH_SHOWING).length;
  return Math.min(results.length, Math.max(ALWAYS_SHOWN, worthy));
}

/** What the number beside a name means, on each of the three scales (library contract 5.4; design 7). */
export const SCORE_MEANINGS: Readonly<Record<QueryAnswer['scoring'], string>> = {
  reranked: 'score: how likely it helps, 0 to 1',
  'embedding-similarity': 'score: how near its meaning is, up to 1',
  lexical: 'score: how well the words match',
};

/** What `corpus_size` counts: agents only where they were searched (design 14, L-032). */
function nameSearched(answer: QueryAnswer, kinds: readonly string[]): string {
  const withAgents = kinds.includes('agent') || answer.results.some((hit) => hit.kind === 'agent');
  const one = answer.corpus_size === 1;
  if (withAgents) return one ? 'skill, command or agent' : 'skills, commands and agents';
  return one ? 'skill or command' : 'skills and commands';
}

/** What the caller typed that changes how an answer is told. */
export interface QueryShown {
  /** `--top-k` was given: show what was asked for. */
  isCounted: boolean;
  /** `--kind`, as given. */
  kinds: readonly string[];
}

export function formatQuery(answer: QueryAnswer, look: Look, asked: QueryShown): string {
  const { paint } = look;
  const isWeak = answer.relevance === 'weak' && answer.results.length > 0;
  const shown = asked.isCounted ? answer.results.length : countShown(answer);
  const lines: string[] = [];
  if (isWeak) {
    lines.push(paint.warning('nothing here fits well; the nearest are:'), '');
  }
  lines.push(...answer.results.slice(0, shown).map((hit, at) => formatHit(hit, at + 1, look)));
  if (answer.results.length === 0) lines.push('nothing found');
  // The hint of a weak answer says the verdict again, for agents.
  if (answer.hint !== undefined && !isWeak) {
    lines.push('', ...wrap(oneLine(answer.hint), look.width));
  }
  if (answer.degraded !== undefined)
    lines.push(paint.warning(`degraded: ${oneLine(answer.degraded)}`));
  if (answer.stale === true) {
    lines.push(paint.warning('a change saved just now may be missing from this answer'));
  }
  const size = answer.corpus_size.toLocaleString('en-US');
  const hidden = answer.results.length - shown;
  const footer = [
    `${shown} of ${size} ${nameSearched(answer, asked.kinds)}`,
    SCORE_MEANINGS[answer.scoring],
    ...(hidden === 0 ? [] : [`--top-k ${answer.results.length} shows the rest`]),
  ];
  lines.push('', ...wrap(footer.join('; '), look.width).map((line) => paint.quiet(line)));
  return lines.join('\n');
}

/** The `next:` line: load the best, or, when it is no good, ask again. */
export function nextAfterQuery(answer: {
  results: readonly EntryAddress[];
  relevance?: QueryAnswer['relevance'];
}): string {
  const [best] = answer.results;
  if (best === undefined) return 'lectern status';
  return answer.relevance === 'weak'
    ? 'say it in other words: lectern query WORDS'
    : getCommandFor(best);
}
