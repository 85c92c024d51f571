import { z } from 'zod';
import { entryKind, relevance, scoring, searchParams } from './shapes.ts';

/** Search as `query.run` does, and say what placed each result. */
export const explainQuery = {
  method: 'query.explain',
  params: z.strictObject(searchParams),
  result: z.object({
    scoring,
    relevance: relevance.optional(),
    degraded: z.string().optional(),
    /** The words that were searched with; a high idf tells much. */
    words: z.array(z.object({ token: z.string(), idf: z.number(), entries: z.number().int() })),
    results: z.array(
      z.object({
        rank: z.number().int(),
        catalog: z.string(),
        plugin: z.string(),
        name: z.string(),
        kind: entryKind,
        score: z.number(),
        /** The query is the entry's name. */
        exact_name: z.boolean(),
        /** Cosine of query and entry; null without vectors. */
        similarity: z.number().nullable(),
        /** Cosine of query and the best body chunk; null without one. */
        best_chunk: z.number().nullable(),
        /** Lexical score before it is compared with others. */
        lexical: z.number(),
        /** Rank before the learned ranking; null without it. */
        first_stage_rank: z.number().int().nullable(),
        /** What the learned ranking saw, and what each added to its score. */
        features: z.array(
          z.object({ name: z.string(), value: z.number(), contribution: z.number() }),
        ),
      }),
    ),
  }),
} as const;
