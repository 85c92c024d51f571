import { z } from 'zod';

/** Everything that people decided, as one document: what state.db holds (design 6). */
export const exportState = {
  method: 'state.export',
  params: z.strictObject({}),
  result: z.object({
    lectern: z.string(),
    schema_version: z.number().int(),
    /** RFC 3339. */
    exported_at: z.string(),
    workspaces: z.array(
      z.object({
        name: z.string(),
        created_at: z.string(),
        last_used_at: z.string().nullable(),
        catalogs: z.array(
          z.object({
            name: z.string(),
            kind: z.enum(['directory', 'git']),
            url: z.string(),
            ref: z.string(),
            root: z.string(),
            added_at: z.string(),
          }),
        ),
        plugins: z.array(
          z.object({
            catalog: z.string(),
            plugin: z.string(),
            enabled_at: z.string(),
            tier: z.number().int(),
          }),
        ),
        exceptions: z.array(
          z.object({
            catalog: z.string(),
            plugin: z.string(),
            kind: z.string(),
            name: z.string(),
            enabled: z.boolean(),
          }),
        ),
        tiers: z.array(
          z.object({
            catalog: z.string(),
            plugin: z.string(),
            kind: z.string(),
            name: z.string(),
            tier: z.number().int(),
          }),
        ),
        bindings: z.array(z.object({ project_path: z.string(), bound_at: z.string() })),
      }),
    ),
    trust: z.array(z.object({ digest: z.string(), subject: z.string(), trusted_at: z.string() })),
    settings: z.record(z.string(), z.string()),
  }),
} as const;
