import { z } from 'zod';
import { LOG_LEVELS } from '../../core/log-levels.ts';

/** The end of the daemon's log, oldest line first. */
export const readLogs = {
  method: 'logs',
  params: z.object({
    lines: z.number().int().min(1).max(10_000).default(100),
    /** Only records of this level and above. */
    level: z.enum(LOG_LEVELS).default('trace'),
  }),
  result: z.object({
    file: z.string().nullable(),
    /** JSON records, each with ts, level, target, msg (L-181). */
    records: z.array(z.record(z.string(), z.unknown())),
  }),
} as const;
