import { z } from 'zod';
import { entryKind, workspaceParam } from './shapes.ts';

/** `get_skill` from the command line: same input, same answer (library contract 6.3). */
export const getEntry = {
  method: 'entry.get',
  params: z.strictObject({
    workspace: workspaceParam,
    catalog: z.string().nullable().optional(),
    plugin: z.string().nullable().optional(),
    name: z.string().nullable().optional(),
    uri: z.string().nullable().optional(),
    kind: entryKind.nullable().optional(),
    metadata_only: z.boolean().default(false),
    raw: z.boolean().default(false),
    include_resource_bodies: z.boolean().default(false),
  }),
  /** The body, metadata or multi-match form; told apart by `content`, `resources`, `matches`. */
  result: z.looseObject({}),
} as const;
