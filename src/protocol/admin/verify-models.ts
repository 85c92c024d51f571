import { z } from 'zod';

/** Check the files of every model again, and its vectors against those of its card. */
export const verifyModels = {
  method: 'models.verify',
  params: z.object({}),
  result: z.object({
    models: z.array(
      z.object({
        name: z.string(),
        version: z.string(),
        directory: z.string(),
        state: z.enum(['ok', 'missing', 'corrupt', 'checksum_mismatched']),
        /** What is wrong; null when nothing is. */
        detail: z.string().nullable(),
        /** Cosines of this machine's vectors and the card's; null where it does not run. */
        drift: z.object({ lowest: z.number(), median: z.number(), floor: z.number() }).nullable(),
      }),
    ),
  }),
} as const;
