import { z } from 'zod';
import { pluginChanges, workspaceParam } from './shapes.ts';

/**
 * Disable what the tokens select, in this workspace only (library contract 3.7).
 * `dry_run` tells what would be disabled, so that the CLI can ask first.
 */
export const disablePlugins = {
  method: 'plugin.disable',
  params: z.strictObject({
    workspace: workspaceParam,
    tokens: z.array(z.string()).min(1),
    catalog: z.string().nullable().optional(),
    dry_run: z.boolean().default(false),
  }),
  result: pluginChanges,
} as const;
