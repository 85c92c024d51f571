import { z } from 'zod';
import { workspaceParam } from './shapes.ts';

/** Every workspace, sorted by name; exactly one is current (library contract 4.4). */
export const listWorkspaces = {
  method: 'workspace.list',
  params: z.strictObject({ workspace: workspaceParam }),
  result: z.array(
    z.object({
      name: z.string(),
      catalogs: z.number().int(),
      enabled_plugins: z.number().int(),
      indexed_skills: z.number().int(),
      bound_projects: z.number().int(),
      last_used_at: z.string().nullable(),
      current: z.boolean(),
    }),
  ),
} as const;
