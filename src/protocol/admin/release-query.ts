import { z } from 'zod';

/**
 * Run a query again that is left out because it ended lectern twice.
 * None that begins so: 2.
 */
export const releaseQuery = {
  method: 'query.release',
  params: z.strictObject({
    /** The query, or how it begins. */
    text: z.string().min(1),
  }),
  result: z.object({
    /** The whole query. */
    released: z.string(),
  }),
} as const;
