import { z } from 'zod';
import type { Hello } from './link/hello.ts';

/**
 * What the daemon accepts as a hello. Unknown members are ignored, so that a
 * newer client is answered with a welcome or a named refusal, never with
 * silence.
 */
export const helloSchema = z.object({
  protocol: z.number().int().min(1),
  version: z.string().max(100),
  token: z.string().max(200),
  role: z.enum(['mcp', 'admin']),
  surface: z.enum(['library', 'registry', 'tui']),
  // Of any length: what is no name of a workspace is refused as such, with the contract's error.
  workspace: z.string().nullable().default(null),
  harness: z.string().max(200).nullable().default(null),
  flags: z.record(z.string(), z.string()).default({}),
  cwd: z.string().max(10_000),
  env: z.record(z.string(), z.string()).default({}),
  pid: z.number().int(),
}) satisfies z.ZodType<Hello>;
