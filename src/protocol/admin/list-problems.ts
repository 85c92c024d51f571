import { z } from 'zod';
import { problemShape, workspaceParam } from './shapes.ts';

/** Everything found wrong while reading the workspace's catalogs and the project's folders. */
export const listProblems = {
  method: 'problems.list',
  params: z.strictObject({
    workspace: workspaceParam,
    /** Unknown: 3. `project` names the project's own folders. */
    catalog: z.string().nullable().optional(),
  }),
  result: z.array(
    z.object({
      catalog: z.string(),
      /** Null for a problem of the catalog itself. */
      plugin: z.string().nullable(),
      ...problemShape.shape,
    }),
  ),
} as const;
