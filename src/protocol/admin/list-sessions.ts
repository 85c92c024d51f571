import { z } from 'zod';

/** Sessions connected right now, oldest first. */
export const listSessions = {
  method: 'sessions.list',
  params: z.object({}),
  result: z.array(
    z.object({
      id: z.number().int(),
      role: z.enum(['mcp', 'admin']),
      surface: z.enum(['library', 'registry', 'tui']),
      harness: z.string().nullable(),
      /** `--workspace` as given; null when the session resolves it from its directory. */
      workspace: z.string().nullable(),
      cwd: z.string(),
      pid: z.number().int(),
      version: z.string(),
      /** Requests answered since the session began. */
      calls: z.number().int(),
      /** Requests received and not answered yet. */
      inFlight: z.number().int(),
      /** Milliseconds since the hello, by the monotonic clock. */
      ageMs: z.number(),
      /** The workspace that it works in; null on tui, where none can be told, and absent in older daemons. */
      resolvedWorkspace: z.string().nullable().optional(),
      /** `clientInfo.name` of initialize; null before it, absent in older daemons. */
      client: z.string().nullable().optional(),
    }),
  ),
} as const;
