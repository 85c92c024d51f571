import { z } from 'zod';

/**
 * Read a file again that is left out because reading it ended lectern twice.
 * A file that is not left out: 2.
 */
export const releaseFile = {
  method: 'reindex.release',
  params: z.strictObject({
    /** Absolute. */
    file: z.string().min(1),
  }),
  result: z.object({
    /** As `status` names it. */
    released: z.string(),
  }),
} as const;
