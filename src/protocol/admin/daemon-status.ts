import { z } from 'zod';

/** The library over loopback HTTP. */
const httpStatus = z.object({
  /** Null while it cannot listen. */
  url: z.string().nullable(),
  tokenFile: z.string(),
  allowsWrites: z.boolean(),
  inFlight: z.number().int(),
  /** Requests answered since it listens. */
  answered: z.number().int(),
  /** Why it cannot listen. */
  failure: z.string().nullable(),
});
export type HttpStatus = z.output<typeof httpStatus>;

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
    /** Null while `http.listen` is not set; absent in older daemons. */
    http: httpStatus.nullable().optional(),
    /** Why config.toml is ignored; absent in older daemons. */
    configFailure: z.string().nullable().optional(),
  }),
} as const;
