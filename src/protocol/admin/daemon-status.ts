import { z } from 'zod';

/** The daemon as a process. What it knows of catalogs and models is in `status`. */
export const daemonStatus = {
  method: 'daemon.status',
  params: z.object({}),
  result: z.object({
    pid: z.number().int(),
    version: z.string(),
    protocol: z.number().int(),
    stateRoot: z.string(),
    /** Null over stdio. */
    socket: z.string().nullable(),
    /** `socket`, or why this daemon only reads: `stdio`. */
    mode: z.enum(['socket', 'stdio']),
    /** Draining before it stops or is replaced. */
    isRetiring: z.boolean(),
    uptimeMs: z.number(),
    sessions: z.number().int(),
    /** Requests received and not answered yet, over all sessions. */
    inFlight: z.number().int(),
    /** Requests answered since the birth. */
    calls: z.number().int(),
    rssBytes: z.number().int(),
    /** Event loop delay since the last status, milliseconds. */
    loopDelayP99Ms: z.number(),
    /** Exits after this long without a session; null when it stays. */
    idleExitMs: z.number().nullable(),
    logFile: z.string().nullable(),
    /** Why start-up did not complete; sessions are answered with it. */
    startupFailure: z.string().nullable(),
  }),
} as const;
