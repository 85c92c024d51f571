import type { EntryKind } from '../catalog/types.ts';
import { LecternError } from '../core/errors.ts';
import { findCatalog } from './find-plugin.ts';
import {
  applyFloor,
  checkDescriptionMaxChars,
  checkQueryLength,
  checkTopK,
  declares,
  reaches,
  resolveSettings,
  type SearchOutput,
  type SearchScope,
  search,
} from './search-skills.ts';

/**
 * Where `strict` cuts when nothing else is said: half on both scales, a
 * calibrated probability and a cosine (design 14, L-109). Lexical scores have
 * no meaning across queries, so any match passes.
 */
const DEFAULT_FLOORS = { reranked: 0.5, 'embedding-similarity': 0.5, lexical: 0 } as const;

export interface QueryRequest {
  text: string;
  top_k?: number | null;
  catalog: readonly string[];
  plugin: readonly string[];
  kind: readonly EntryKind[];
  rerank?: boolean | null;
  strict: boolean;
  min_score?: number | null;
  description_max_chars?: number | null;
}

/**
 * Answer `query` (library contract 5.8).
 *
 * @throws LecternError usage (2), catalog_not_found (3), plugin_not_found (20),
 *   query_no_results_strict (40)
 */
export async function runQuery(request: QueryRequest, scope: SearchScope): Promise<object> {
  const settings = resolveSettings(request, scope.config);
  checkTopK(settings.topK, (request.top_k ?? null) === null);
  checkDescriptionMaxChars(settings.descriptionMaxChars);
  const text = request.text.trim();
  if (text === '') throw new LecternError('usage', 'the query is blank');
  checkQueryLength(request.text);
  checkFilters(request, scope);
  const found = await search(
    text,
    settings,
    { catalogs: request.catalog, plugins: request.plugin, kinds: request.kind },
    scope,
  );
  const floor =
    request.min_score ?? scope.config.query?.strict_min_score ?? DEFAULT_FLOORS[found.scoring];
  const answer = request.strict ? applyFloor(found, floor) : found;
  if (request.strict && answer.matches.length === 0) {
    if (found.corpus_size === 0) {
      throw new LecternError('query_no_results_strict', 'nothing is enabled here to be searched', {
        next: 'lectern plugin list',
      });
    }
    throw new LecternError(
      'query_no_results_strict',
      `nothing reaches ${floor} (${found.scoring}) for "${text}"`,
    );
  }
  return toQueryResult(answer, floor);
}

function checkFilters(request: QueryRequest, scope: SearchScope): void {
  const considered =
    request.catalog.length === 0
      ? scope.view.catalogs
      : request.catalog.map((name) => findCatalog(scope.view, name));
  for (const plugin of request.plugin) {
    if (considered.some((catalog) => declares(catalog, plugin))) continue;
    throw new LecternError('plugin_not_found', `no catalog considered has a plugin "${plugin}"`);
  }
}

function toQueryResult(answer: SearchOutput, floor: number): object {
  const { matches, scoring, corpus_size, ...rest } = answer;
  return {
    scoring,
    threshold_passed: matches.every((match) => reaches(match.score, floor)),
    results: matches.map((match) => ({
      catalog: match.catalog,
      plugin: match.plugin,
      skill: match.name,
      plugin_version: match.plugin_version,
      score: match.score,
      path: match.path,
      scoring,
      name: match.name,
      kind: match.kind,
      description: match.description,
      ...(match.prompt_name === undefined ? {} : { prompt_name: match.prompt_name }),
      ...(match.also_in === undefined ? {} : { also_in: match.also_in }),
    })),
    corpus_size,
    ...rest,
  };
}
