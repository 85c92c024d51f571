import { toTenths } from '../measure.ts';
import { cut, oneLine } from '../text.ts';
import type { LineClient } from './line-client.ts';
import type { Match, Tour, TourReport } from './tour.ts';

/** Results shown for each query. */
const RESULTS = 3;

/** Lines shown of what was loaded. */
const LINES_SHOWN = 5;

/** Ask every query with search_skills, and print what comes. */
export async function searchAsAgent(
  client: LineClient,
  queries: readonly string[],
  tour: Tour,
): Promise<TourReport['searches']> {
  const { paint, print } = tour;
  const searches: TourReport['searches'] = [];
  for (const query of queries) {
    const { result, ms } = await client.callTool('search_skills', { query, top_k: RESULTS });
    const matches = result['matches'] as Match[];
    print(`\n${paint.name(`“${oneLine(query)}”`)} ${paint.quiet(`${ms.toFixed(1)} ms`)}`);
    if (matches.length === 0) print(`  nothing: ${oneLine(String(result['hint'] ?? ''))}`);
    for (const [at, match] of matches.entries()) print(formatMatch(match, at + 1, tour));
    if (result['relevance'] === 'weak') print(paint.warning('  nothing here fits well'));
    const relevance = (result['relevance'] as string | undefined) ?? null;
    searches.push({ query, ms: toTenths(ms), relevance, matches });
  }
  return searches;
}

/** Load an entry with get_skill, and print how it begins. */
export async function loadAsAgent(
  client: LineClient,
  { catalog, plugin, name, kind }: Match,
  { paint, print, width }: Tour,
): Promise<NonNullable<TourReport['loaded']>> {
  const { result, ms } = await client.callTool('get_skill', { catalog, plugin, name, kind });
  const content = String(result['content']);
  print(`${content.length} characters in ${ms.toFixed(1)} ms, beginning:`);
  for (const line of content.trim().split('\n').slice(0, LINES_SHOWN)) {
    print(paint.quiet(`  | ${cut(oneLine(line), width - 4)}`));
  }
  return { catalog, plugin, name, characters: content.length, ms: toTenths(ms) };
}

function formatMatch(match: Match, rank: number, { paint, width }: Tour): string {
  const head = `  ${rank}  ${match.score.toFixed(2)}  ${oneLine(match.name)}`;
  const about = cut(oneLine(match.description), Math.max(10, width - head.length - 4));
  return `  ${rank}  ${match.score.toFixed(2)}  ${paint.strong(oneLine(match.name))}  ${paint.quiet(about)}`;
}
