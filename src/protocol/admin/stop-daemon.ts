import { z } from 'zod';

/** Drain (at most 5 s) and exit. Answered before the exit. */
export const stopDaemon = {
  method: 'daemon.stop',
  params: z.object({}),
  result: z.object({ pid: z.number().int() }),
} as const;
