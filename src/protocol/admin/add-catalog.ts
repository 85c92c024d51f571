import { z } from 'zod';
import { catalogRow, entryCounts, pluginChange, problemShape, workspaceParam } from './shapes.ts';

/**
 * Enrol a catalog in a workspace: a directory in place, anything else as a
 * clone (library contract 3.1, 3.2; design 1). Sends `progress`.
 */
export const addCatalog = {
  method: 'catalog.add',
  params: z.strictObject({
    workspace: workspaceParam,
    /** As typed; a relative path is taken from the session's working directory. */
    source: z.string(),
    /** Display name; default the manifest's, made unique when it is derived from a folder. */
    name: z.string().nullable().optional(),
    /** Branch or tag of a clone. */
    ref: z.string().nullable().optional(),
    /** Enable every plugin found, as `plugin enable '<name>/*'` would. */
    enable: z.boolean().default(false),
  }),
  result: z.object({
    added: catalogRow
      .pick({ name: true, url: true, ref: true, plugin_count: true, last_synced: true })
      .extend({ commit: z.string().optional() }),
    in_place: z.boolean(),
    format: catalogRow.shape.format.unwrap(),
    entries: entryCounts,
    /** Plugins the manifest names that live elsewhere and were not fetched. */
    external: z.array(z.object({ name: z.string(), source: z.string() })),
    problems: z.array(problemShape),
    /** The plugins that `enable` enabled. */
    enabled: z.array(pluginChange),
  }),
} as const;
