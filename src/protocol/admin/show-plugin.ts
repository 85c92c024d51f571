import { z } from 'zod';
import { pluginRow, problemShape, workspaceParam } from './shapes.ts';

const entryDetails = z.object({
  name: z.string(),
  description: z.string(),
  when_to_use: z.string().nullable(),
  searchable: z.boolean(),
  user_invocable: z.boolean(),
  prompt_name: z.string().nullable(),
  /** Names only. */
  arguments: z.array(z.string()),
  argument_hint: z.string().optional(),
  /** Agents only, while personas are on. */
  persona_name: z.string().optional(),
  /** Only with `details`; absent for agents and entries that are not enabled. */
  tier: z.number().int().optional(),
  /** Relative to the plugin root. */
  path: z.string(),
  enabled: z.boolean(),
});

/** One plugin with its entries (library contract 3.8): malformed id 2, unknown catalog 3, unknown plugin 20. */
export const showPlugin = {
  method: 'plugin.show',
  params: z.strictObject({
    workspace: workspaceParam,
    /** `<catalog>/<plugin>` */
    id: z.string(),
    details: z.boolean().default(false),
  }),
  result: pluginRow.omit({ problems: true }).extend({
    license: z.string().nullable(),
    skills: z.array(entryDetails),
    commands: z.array(entryDetails),
    agents: z.array(entryDetails),
    ships_hooks_json: z.boolean(),
    ships_guardrails_md: z.boolean(),
    format: z.enum(['tome', 'claude', 'folder', 'project']).nullable(),
    /** Absolute; null for a plugin that lives elsewhere. */
    root: z.string().nullable(),
    problems: z.array(problemShape),
  }),
} as const;
