import { z } from 'zod';
import { failureShape, workspaceParam } from './shapes.ts';

/**
 * Fetch one catalog, or every clone of every workspace (library contract 3.3).
 * A directory read in place is read again; git never touches it. Sends `progress`.
 */
export const updateCatalogs = {
  method: 'catalog.update',
  params: z.strictObject({
    workspace: workspaceParam,
    /** Absent: every distinct source over all workspaces. */
    name: z.string().nullable().optional(),
  }),
  result: z.object({
    /** One line of `--json` each. */
    records: z.array(
      z.union([
        z.object({ pinned: z.object({ name: z.string(), ref: z.string() }) }),
        z.object({
          refreshed: z.object({
            name: z.string(),
            ref: z.string(),
            plugin_count: z.number().int(),
            advanced_commits: z.number().int().nullable(),
            last_synced: z.string().optional(),
          }),
        }),
        z.object({
          plugin_change: z.object({
            catalog: z.string(),
            plugin: z.string(),
            skills_added: z.number().int().optional(),
            skills_modified: z.number().int().optional(),
            skills_removed: z.number().int().optional(),
            skills_unchanged: z.number().int().optional(),
            auto_disabled_reason: z.string().optional(),
          }),
        }),
      ]),
    ),
    failures: z.array(failureShape),
    /** Catalogs that were read where they are, of which a ref says nothing. */
    in_place: z.array(z.object({ catalog: z.string(), directory: z.string() })),
  }),
} as const;
