import { z } from 'zod';
import { workspaceParam } from './shapes.ts';

/** `workspace info` (library contract 4.4); unknown 13. */
export const showWorkspace = {
  method: 'workspace.info',
  params: z.strictObject({ workspace: workspaceParam, details: z.boolean().default(false) }),
  result: z.object({
    name: z.string(),
    scope: z.enum(['global', 'workspace']),
    path: z.string(),
    source: z.string(),
    catalogs: z.number().int(),
    plugins_total: z.number().int(),
    plugins_enabled: z.number().int(),
    skills_indexed: z.number().int(),
    schema_version: z.number().int().nullable(),
    embedder: z.object({ name: z.string().nullable(), version: z.string().nullable() }),
    enrolled_catalogs: z.array(
      z.object({ name: z.string(), url: z.string(), pinned_ref: z.string() }),
    ),
    enabled_plugins: z.array(
      z.object({ catalog: z.string(), plugin: z.string(), skill_count: z.number().int() }),
    ),
    bound_projects: z.array(z.string()),
    summary_cache: z.null(),
    plugin_details: z
      .array(
        z.object({
          catalog: z.string(),
          plugin: z.string(),
          version: z.string().nullable(),
          description: z.string().nullable(),
        }),
      )
      .optional(),
  }),
} as const;
