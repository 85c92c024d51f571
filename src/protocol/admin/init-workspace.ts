import { z } from 'zod';

/** Create a workspace (library contract 4.4): exists 14, bad or reserved name 15. */
export const initWorkspace = {
  method: 'workspace.init',
  params: z.strictObject({
    name: z.string(),
    /** Copy the enrolments of `global`, not its enablement. */
    inherit_global: z.boolean().default(false),
    /** Bind the session's directory too. */
    bind: z.boolean().default(false),
  }),
  result: z.object({
    name: z.string(),
    path: z.string(),
    catalogs_inherited: z.number().int(),
    id: z.number().int(),
    bound: z.literal(true).optional(),
  }),
} as const;
