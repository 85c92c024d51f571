import { z } from 'zod';

/**
 * Bind the session's directory to a workspace (library contract 4.4): home or
 * `/` without `force` 2, unknown 13.
 */
export const useWorkspace = {
  method: 'workspace.use',
  params: z.strictObject({
    name: z.string(),
    create: z.boolean().default(false),
    force: z.boolean().default(false),
  }),
  result: z.object({
    workspace: z.string(),
    project_root: z.string(),
    created_marker: z.boolean(),
    rebind_from: z.string().nullable(),
    created: z.literal(true).optional(),
  }),
} as const;
