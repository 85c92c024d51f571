import { z } from 'zod';
import { catalogRow, entryCounts, problemShape, workspaceParam } from './shapes.ts';

/** One catalog as its manifest describes it (library contract 3.3): unknown 3, gone from disk 7. */
export const showCatalog = {
  method: 'catalog.show',
  params: z.strictObject({ workspace: workspaceParam, name: z.string() }),
  result: z.object({
    name: z.string(),
    description: z.string().nullable(),
    version: z.string().nullable(),
    owner: z.object({ name: z.string(), email: z.string().nullable() }).nullable(),
    registered: z.object({
      url: z.string(),
      ref: z.string(),
      last_synced: z.string().optional(),
    }),
    plugins: z.array(z.object({ name: z.string(), source: z.string() })),
    in_place: z.boolean(),
    format: catalogRow.shape.format.unwrap().nullable(),
    /** Absolute path of what is read: the directory itself, or the clone. */
    root: z.string(),
    entries: entryCounts,
    external: z.array(z.object({ name: z.string(), source: z.string() })),
    problems: z.array(problemShape),
  }),
} as const;
