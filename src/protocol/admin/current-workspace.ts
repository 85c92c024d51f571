import { z } from 'zod';
import { workspaceParam } from './shapes.ts';

/** The workspace of the session's directory (library contract 4.4); only the global fallback applies: 12. */
export const currentWorkspace = {
  method: 'workspace.current',
  params: z.strictObject({ workspace: workspaceParam }),
  result: z.object({
    workspace: z.string(),
    scope: z.enum(['global', 'workspace']),
    source: z.enum(['flag', 'env', 'config', 'project_marker', 'global_fallback']),
    project_root: z.string().optional(),
  }),
} as const;
