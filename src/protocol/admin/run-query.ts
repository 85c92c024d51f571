import { z } from 'zod';
import { entryKind, relevance, scoring, searchParams } from './shapes.ts';

/**
 * Search from the command line (library contract 5.8): unknown catalog 3,
 * unknown plugin 20, blank text 2, `strict` with nothing above the floor 40.
 */
export const runQuery = {
  method: 'query.run',
  params: z.strictObject({
    ...searchParams,
    strict: z.boolean().default(false),
    min_score: z.number().nullable().optional(),
    description_max_chars: z.number().int().nullable().optional(),
  }),
  result: z.object({
    scoring,
    /** Whether every result returned reaches the floor, not the best alone (library contract 5.4). */
    threshold_passed: z.boolean(),
    results: z.array(
      z.object({
        catalog: z.string(),
        plugin: z.string(),
        skill: z.string(),
        plugin_version: z.string(),
        score: z.number(),
        path: z.string(),
        scoring: z.string(),
        name: z.string(),
        kind: entryKind,
        description: z.string(),
        prompt_name: z.string().optional(),
        also_in: z
          .array(
            z.object({
              catalog: z.string(),
              plugin: z.string(),
              name: z.string(),
              kind: entryKind,
            }),
          )
          .optional(),
      }),
    ),
    reranker_drift: z.string().optional(),
    corpus_size: z.number().int(),
    no_results_reason: z.enum(['index_empty', 'no_match']).optional(),
    hint: z.string().optional(),
    relevance: relevance.optional(),
    /** Why the answer is less than it could be. */
    degraded: z.string().optional(),
    /** True when a change on disk may be missing from the answer. */
    stale: z.boolean().optional(),
  }),
} as const;
