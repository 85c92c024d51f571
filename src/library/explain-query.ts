import type { EntryKind } from '../catalog/types.ts';
import { LecternError } from '../core/errors.ts';
import type { ExplainedAnswer, ExplainingSearchEngine } from '../search/engine.ts';
import type { SearchEngine } from '../search/types.ts';
import { runQuery } from './run-query.ts';
import { describeLack, type SearchScope } from './search-skills.ts';

export interface ExplainRequest {
  text: string;
  top_k?: number | null;
  catalog: readonly string[];
  plugin: readonly string[];
  kind: readonly EntryKind[];
  rerank?: boolean | null;
}

/**
 * Search exactly as `query` does, with an engine that also says what placed each
 * result.
 *
 * @throws LecternError as {@link runQuery}; internal when the engine cannot explain itself
 */
export async function explainQuery(request: ExplainRequest, scope: SearchScope): Promise<object> {
  const engine = scope.engine;
  if (!canExplain(engine)) {
    throw new LecternError('internal', 'the search engine in use cannot explain itself');
  }
  let explained: ExplainedAnswer | undefined;
  const listening: SearchEngine = {
    ...engine,
    async search(asked) {
      explained = await engine.explain(asked);
      const { results, scoring, relevance, degraded } = explained;
      return { hits: results, scoring, relevance, degraded };
    },
  };
  const { onAnswer: _, ...quiet } = scope;
  await runQuery({ ...request, strict: false }, { ...quiet, engine: listening });
  const lack = describeLack(explained!.degraded, scope.view, request.catalog);
  return toResult({ ...explained!, degraded: lack }, scope);
}

function canExplain(engine: SearchEngine): engine is ExplainingSearchEngine {
  return 'explain' in engine;
}

function toResult(explained: ExplainedAnswer, scope: SearchScope): object {
  return {
    scoring: explained.scoring,
    ...(explained.relevance === null ? {} : { relevance: explained.relevance }),
    ...(explained.degraded === null ? {} : { degraded: explained.degraded }),
    words: explained.words.map(({ token, idf, entries }) => ({ token, idf, entries })),
    results: explained.results.flatMap((result) => {
      const [entry] = scope.view.enabledById.get(result.entry.id) ?? [];
      if (entry === undefined) return [];
      return [
        {
          rank: result.rank,
          catalog: entry.catalog,
          plugin: entry.plugin,
          name: entry.name,
          kind: entry.kind,
          score: result.score,
          exact_name: result.isExactName,
          similarity: result.candidate?.isEmbedded === true ? result.candidate.entry : null,
          best_chunk: result.candidate?.chunks[0] ?? null,
          lexical: result.lexical,
          first_stage_rank: result.firstStageRank,
          features: result.features,
        },
      ];
    }),
  };
}
