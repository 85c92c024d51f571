import { z } from 'zod';
import { problemShape, workspaceParam } from './shapes.ts';

/**
 * Read enabled plugins again (library contract 3.9): unknown catalog 3, plugin
 * not enabled or not declared 20, malformed id or glob without a match 2.
 * Sends `progress`.
 */
export const runReindex = {
  method: 'reindex.run',
  params: z.strictObject({
    workspace: workspaceParam,
    /** Catalogs, `catalog/plugin` ids or globs; not together with the two below (2). */
    scopes: z.array(z.string()).default([]),
    catalog: z.array(z.string()).default([]),
    plugin: z.array(z.string()).default([]),
    force: z.boolean().default(false),
  }),
  result: z.object({
    /** Null when there was nothing to visit: `--json` prints nothing. */
    reindexed: z
      .object({
        scope: z.string(),
        plugins_visited: z.number().int(),
        skills_checked: z.number().int(),
        skills_re_embedded: z.number().int(),
        skills_unchanged: z.number().int(),
        duration_ms: z.number().int(),
      })
      .nullable(),
    problems: z.array(problemShape),
  }),
} as const;
