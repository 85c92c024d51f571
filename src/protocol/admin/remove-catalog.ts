import { z } from 'zod';
import { workspaceParam } from './shapes.ts';

/**
 * End an enrolment (library contract 3.3): unknown 3, plugins still enabled and
 * no `force` 53. A clone goes with its last enrolment; a directory read in
 * place is never deleted. `dry_run` checks and reports without removing, so
 * that the CLI can ask before it acts.
 */
export const removeCatalog = {
  method: 'catalog.remove',
  params: z.strictObject({
    workspace: workspaceParam,
    name: z.string(),
    force: z.boolean().default(false),
    dry_run: z.boolean().default(false),
  }),
  result: z.object({
    removed: z.object({
      name: z.string(),
      url: z.string(),
      /** The clone, or the directory that was read in place. */
      cache_path: z.string(),
      cascade: z
        .array(z.object({ plugin: z.string(), skills_dropped: z.number().int() }))
        .optional(),
    }),
    /** True when `cache_path` was deleted. */
    deleted: z.boolean(),
    dry_run: z.boolean().optional(),
  }),
} as const;
