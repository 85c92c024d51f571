import { z } from 'zod';
import { catalogRow, problemShape, workspaceParam } from './shapes.ts';

export const modelStatus = z.object({
  name: z.string().nullable(),
  version: z.string().nullable(),
  state: z.enum(['ok', 'missing', 'corrupt', 'checksum_mismatched', 'not_applicable']),
});

export const overallVerdict = z.enum(['ok', 'degraded', 'unhealthy']);

/** The report of library contract 11.1, members in its order; ours follow. */
export const statusReport = z.object({
  lectern: z.string(),
  embedder: modelStatus,
  reranker: modelStatus,
  summariser: modelStatus,
  index: z.object({
    present: z.boolean(),
    schema_version: z.number().int().nullable(),
    plugins_enabled: z.number().int(),
    skills_indexed: z.number().int(),
    size_bytes: z.number().nullable(),
    integrity_ok: z.boolean(),
  }),
  drift: z.object({
    kind: z.string(),
    stored: z.string().optional(),
    configured: z.string().optional(),
  }),
  overall: overallVerdict,
  workspaces_total: z.number().int(),
  current_workspace: z.string(),
  current_scope: z.enum(['global', 'project']),
  entries: z.object({
    skills: z.number().int(),
    commands: z.number().int(),
    agents: z.number().int(),
  }),
  catalogs_enrolled: z.number().int(),
  /** Unix seconds. */
  reindexed_at: z.number().int().nullable(),
  models_on_disk_bytes: z.number(),
  harness_mcp: z.array(z.object({ harness: z.string(), state: z.string() })).optional(),
  unrepresented_agents: z.number().int(),
  hook_translation_harnesses: z.number().int(),
  unrepresented_hooks: z.number().int(),
  /** Only when config.toml is malformed. */
  config: z.object({ ok: z.literal(false), message: z.string() }).optional(),
  /** Found, loaded and dropped per catalog, the project's own folders included. */
  catalogs: z.array(catalogRow).optional(),
  /** At most 20; `problems.list` has all. */
  problems: z.array(problemShape).optional(),
  problems_total: z.number().int().optional(),
  indexing: z
    .object({ stage: z.string(), done: z.number().int(), total: z.number().int() })
    .optional(),
  /** How vectors are compared; absent without a model. */
  vectors: z
    .object({
      rows: z.number().int(),
      entries: z.enum(['exact', 'hnsw']),
      bodies: z.enum(['exact', 'hnsw']),
      loading: z.boolean(),
    })
    .optional(),
  /** One line each: what works less well than it could, and why. */
  notes: z.array(z.string()).optional(),
  daemon: z
    .object({
      pid: z.number().int(),
      uptime_seconds: z.number().int(),
      state_root: z.string(),
    })
    .optional(),
});

/** How things stand; a degraded verdict is data, not an error. */
export const getStatus = {
  method: 'status.get',
  params: z.strictObject({
    /** Unknown: 13. */
    workspace: workspaceParam,
    /** Check the digests of model files too. */
    verify: z.boolean().default(false),
  }),
  result: statusReport,
} as const;
