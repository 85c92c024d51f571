import { z } from 'zod';
import { entryKind, workspaceParam } from './shapes.ts';

const tierRecord = z.object({
  catalog: z.string(),
  plugin: z.string(),
  name: z.string(),
  kind: entryKind,
  tier: z.number().int(),
});

/** What a tier command is about: entries by id or glob, or whole plugins (library contract 3.10). */
const selection = {
  workspace: workspaceParam,
  /** `[<catalog>/]<plugin>/<entry>`; the entry part may be a glob. */
  id: z.string().nullable().optional(),
  /** Selectors as `plugin enable` takes them. */
  plugin: z.array(z.string()).default([]),
  kind: entryKind.nullable().optional(),
};

/** No match 27, ambiguous literal or a tier outside 1 to 3 usage; agents never take a tier. */
export const setTiers = {
  method: 'tier.set',
  params: z.strictObject({ ...selection, tier: z.number().int() }),
  result: z.array(tierRecord),
} as const;

/** Back to the plugin's tier. */
export const clearTiers = {
  method: 'tier.clear',
  params: z.strictObject({ ...selection, all: z.boolean().default(false) }),
  result: z.array(tierRecord),
} as const;

/** Every enabled skill and command with its tier, sorted by tier, catalog, plugin, kind and name. */
export const listTiers = {
  method: 'tier.list',
  params: z.strictObject({ workspace: workspaceParam, kind: entryKind.nullable().optional() }),
  result: z.array(tierRecord),
} as const;
