import { z } from 'zod';

/** Wait until no request is in flight, at most `timeoutMs`; new ones are still taken. */
export const drainDaemon = {
  method: 'daemon.drain',
  params: z.object({ timeoutMs: z.number().int().min(0).max(60_000).default(5000) }),
  result: z.object({
    isIdle: z.boolean(),
    /** Requests still in flight. */
    inFlight: z.number().int(),
  }),
} as const;
