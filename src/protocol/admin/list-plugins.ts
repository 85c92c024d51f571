import { z } from 'zod';
import { pluginRow, workspaceParam } from './shapes.ts';

/** Plugins of the workspace's catalogs, sorted by catalog and name (library contract 3.8). */
export const listPlugins = {
  method: 'plugin.list',
  params: z.strictObject({
    workspace: workspaceParam,
    /** Unknown: 3. */
    catalog: z.string().nullable().optional(),
    enabled_only: z.boolean().default(false),
    /** Case-insensitive part of the name or description. */
    filter: z.string().nullable().optional(),
    /** 1 to 3, else usage: plugins with an enabled entry at that tier. */
    tier: z.number().int().nullable().optional(),
  }),
  result: z.array(pluginRow),
} as const;
