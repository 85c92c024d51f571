import type { ResultOf } from '../../protocol/admin/method.ts';
import type { runQuery } from '../../protocol/admin/run-query.ts';
import { count, oneLine, wrap } from '../text.ts';
import type { Look } from './look.ts';

type QueryAnswer = ResultOf<typeof runQuery>;
type QueryHit = QueryAnswer['results'][number];

/** How to load a hit: the short form, or the flags where the name holds a slash. */
export function getCommandFor(hit: {
  catalog: string;
  plugin: string;
  name: string;
  kind: string;
}): string {
  const kind = hit.kind === 'skill' ? '' : ` --kind ${hit.kind}`;
  const isPlain = [hit.catalog, hit.plugin, hit.name].every((part) => /^[\w.@+-]+$/.test(part));
  return isPlain && hit.kind !== 'agent'
    ? `lectern get ${hit.catalog}:${hit.plugin}:${hit.name}${kind}`
    : `lectern get ${quote(hit.name)} --catalog ${quote(hit.catalog)} --plugin ${quote(hit.plugin)}${kind}`;
}

/** Quoted for a POSIX shell where it must be; catalog names are other people's text. */
function quote(word: string): string {
  const line = oneLine(word);
  return /^[\w.@%+=:,/-]+$/.test(line) ? line : `'${line.replaceAll("'", "'\\''")}'`;
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

export function formatQuery(answer: QueryAnswer, look: Look): string {
  const { paint } = look;
  const lines = answer.results.map((hit, at) => formatHit(hit, at + 1, look));
  if (answer.results.length === 0) lines.push('nothing found');
  if (answer.relevance === 'weak') {
    lines.push('', paint.warning('nothing here fits well: these are only the nearest'));
  }
  if (answer.hint !== undefined) lines.push('', oneLine(answer.hint));
  if (answer.degraded !== undefined)
    lines.push(paint.warning(`degraded: ${oneLine(answer.degraded)}`));
  if (answer.stale === true) {
    lines.push(paint.warning('a change saved just now may be missing from this answer'));
  }
  lines.push(
    '',
    paint.quiet(
      `${answer.results.length} of ${count(answer.corpus_size, 'entry', 'entries')}, scored by ${answer.scoring}`,
    ),
  );
  return lines.join('\n');
}
