import { z } from 'zod';
import { relevance } from './shapes.ts';

const perSecond = z.array(z.number().nullable());

/** What the daemon was doing lately: load, latency, searches, polled roots. Nothing of it is on disk. */
export const getMetrics = {
  method: 'metrics.get',
  params: z.object({
    /** Whole seconds of history. */
    seconds: z.number().int().min(1).max(120).default(60),
  }),
  result: z.object({
    /** Answers to MCP clients since the daemon began. */
    answered: z.number().int(),
    /** Answers to MCP clients of each second, oldest first. */
    calls: z.array(z.number().int()),
    /** Milliseconds from request to answer, each within 10 %; null in a second without any. */
    p50Ms: perSecond,
    p99Ms: perSecond,
    /** Over all those seconds. */
    total: z.object({
      calls: z.number().int(),
      p50Ms: z.number().nullable(),
      p99Ms: z.number().nullable(),
    }),
    /** Newest first, at most 100; over every surface of the library and from commands. */
    searches: z.array(
      z.object({
        /** Counts up from 1 since the daemon began. */
        id: z.number().int(),
        /** Unix ms of the answer. */
        at: z.number(),
        /** Its first 200 characters. */
        query: z.string(),
        harness: z.string().nullable(),
        workspace: z.string(),
        ms: z.number(),
        matches: z.number().int(),
        /** Name of the first match. */
        best: z.string().nullable(),
        scoring: z.string(),
        relevance: relevance.nullable(),
      }),
    ),
    /** Roots whose changes are looked for instead of told by the system, with the reason. */
    polled: z.array(z.object({ root: z.string(), reason: z.string() })),
  }),
} as const;
