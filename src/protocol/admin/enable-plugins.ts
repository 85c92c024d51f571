import { z } from 'zod';
import { pluginChanges, workspaceParam } from './shapes.ts';

/**
 * Enable what the tokens select (library contract 3.5, 3.6). A literal plugin
 * alone that is enabled already is 21; batches and globs skip it.
 */
export const enablePlugins = {
  method: 'plugin.enable',
  params: z.strictObject({
    workspace: workspaceParam,
    /** `catalog/plugin`, a bare name, or a glob with `*`. */
    tokens: z.array(z.string()).min(1),
    catalog: z.string().nullable().optional(),
    /** Starting tier of every entry, 1 to 3. */
    tier: z.number().int().nullable().optional(),
  }),
  result: pluginChanges,
} as const;
