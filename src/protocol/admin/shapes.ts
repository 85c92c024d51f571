import { z } from 'zod';

/**
 * Shapes that several admin methods share. Member order is the order printed
 * by `--json`; members after the contract's own are optional additions.
 */

/** The workspace a call is about; null or absent: resolved from the session (library contract 4.1). */
export const workspaceParam = z.string().nullable().optional();

/** Something found while reading files: shown, never thrown (src/catalog/types.ts). */
export const problemShape = z.object({
  severity: z.enum(['error', 'warning']),
  /** Absolute path. */
  file: z.string(),
  /** 1-based. */
  line: z.number().int().optional(),
  message: z.string(),
  fix: z.string().optional(),
});

/** How many entries a catalog has, and how many of them could be loaded. */
export const entryCounts = z.object({
  found: z.number().int(),
  loaded: z.number().int(),
  dropped: z.number().int(),
});

/** One failure inside a batch that goes on; the exit status is the first one's. */
export const failureShape = z.object({
  /** What it was about, as the caller named it. */
  subject: z.string(),
  category: z.string(),
  exit_code: z.number().int(),
  message: z.string(),
  retryable: z.boolean(),
  remediation: z.string().optional(),
  /** The `next:` line for people. */
  next: z.string().optional(),
});
export type FailureShape = z.output<typeof failureShape>;

export const entryKind = z.enum(['skill', 'command', 'agent']);

/** What is searched for, and where; the parameters of every method that searches. */
export const searchParams = {
  workspace: workspaceParam,
  text: z.string(),
  top_k: z.number().int().nullable().optional(),
  /** Values of one filter combine with OR, filters with AND. */
  catalog: z.array(z.string()).default([]),
  plugin: z.array(z.string()).default([]),
  kind: z.array(entryKind).default([]),
  rerank: z.boolean().nullable().optional(),
};

/** The scale of the scores (library contract 5.4). */
export const scoring = z.enum(['reranked', 'embedding-similarity', 'lexical']);

/** Whether the best of an answer fits well enough (design 7). */
export const relevance = z.enum(['weak', 'strong']);

/** `catalog list` and `list_catalogs` rows (library contract 3.3, 6.5). */
export const catalogRow = z.object({
  name: z.string(),
  /** Without credentials. */
  url: z.string(),
  ref: z.string(),
  plugin_count: z.number().int(),
  /** RFC 3339; absent when the directory is missing. */
  last_synced: z.string().optional(),
  /** True for a directory that is read where it is; git never touches it. */
  in_place: z.boolean().optional(),
  format: z.enum(['tome', 'marketplace', 'plugin', 'folder', 'project']).optional(),
  entries: entryCounts.optional(),
  /** How many problems `problems.list` would show for it. */
  problems: z.number().int().optional(),
});

/** `plugin list` rows (library contract 3.8). */
export const pluginRow = z.object({
  id: z.object({ catalog: z.string(), plugin: z.string() }),
  version: z.string().nullable(),
  /** The author's name. */
  author: z.string().nullable(),
  description: z.string().nullable(),
  /** RFC 3339 of the newest commit known; null for a directory read in place. */
  last_upstream_change: z.string().nullable(),
  status: z.enum(['enabled', 'disabled', 'unindexable']),
  component_counts: z.object({
    skills: z.number().int(),
    agents: z.number().int(),
    commands: z.number().int(),
    hooks: z.number().int(),
    mcp_servers: z.number().int(),
  }),
  /** RFC 3339. */
  last_indexed_at: z.string().nullable(),
  /** Set when the plugin lives elsewhere and was not fetched: where, in one line. */
  external_source: z.string().optional(),
  problems: z.number().int().optional(),
});

/** One plugin that was enabled or disabled (library contract 3.6, 3.7). */
export const pluginChange = z.object({
  /** `<catalog>/<plugin>` */
  plugin: z.string(),
  status: z.enum(['enabled', 'disabled']),
  skills_indexed: z.number().int(),
  skills_newly_embedded: z.number().int(),
  duration_ms: z.number().int(),
});

/** The answer to a batch of enables or disables. */
export const pluginChanges = z.object({
  changed: z.array(pluginChange),
  /** Ids that were in that state already, in a batch or glob. */
  skipped: z.array(z.string()),
  failures: z.array(failureShape),
  /** True when nothing was changed because `dry_run` was asked. */
  dry_run: z.boolean().optional(),
});
