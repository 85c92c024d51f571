import { z } from 'zod';
import { entryKind, workspaceParam } from './shapes.ts';

/**
 * Make one entry of a plugin an exception to the plugin's enablement, or end
 * the exception (design 1). Unknown: 27; several kinds of that name: 2.
 */
export const setEntryEnabled = {
  method: 'entry.set_enabled',
  params: z.strictObject({
    workspace: workspaceParam,
    /** `<catalog>/<plugin>/<entry>` */
    id: z.string(),
    kind: entryKind.nullable().optional(),
    enabled: z.boolean(),
  }),
  result: z.object({
    catalog: z.string(),
    plugin: z.string(),
    name: z.string(),
    kind: entryKind,
    enabled: z.boolean(),
  }),
} as const;
