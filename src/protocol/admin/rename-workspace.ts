import { z } from 'zod';

/**
 * Rename a workspace (library contract 4.4): reserved, invalid or identical 15,
 * unknown 13, exists 14, a bound directory missing 70.
 */
export const renameWorkspace = {
  method: 'workspace.rename',
  params: z.strictObject({ old_name: z.string(), new_name: z.string() }),
  result: z.object({
    old_name: z.string(),
    new_name: z.string(),
    bound_projects_updated: z.number().int(),
    workspace_dir: z.string(),
  }),
} as const;
