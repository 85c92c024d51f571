import { z } from 'zod';

/** Remove a workspace (library contract 4.4): `global` 15, unknown 13, bound projects without `force` 16. */
export const removeWorkspace = {
  method: 'workspace.remove',
  params: z.strictObject({ name: z.string(), force: z.boolean().default(false) }),
  result: z.object({
    removed: z.string(),
    bound_projects_torn_down: z.number().int(),
    catalog_caches_cleaned: z.array(z.string()),
    orphaned_paths: z.array(z.string()),
  }),
} as const;
