import { z } from 'zod';
import { META_SKILLS } from '../../library/meta-skill.ts';
import { entryKind } from '../../protocol/admin/shapes.ts';

/**
 * The six tools of the library surface (library contract 6), in name order.
 * Descriptions say the key fact first and stay under 2,048 characters; none
 * names a concrete catalog, plugin or entry.
 */
export interface LibraryTool {
  name: ToolName;
  title: string;
  description: string;
  input: z.ZodType;
  output: z.ZodType;
  readOnly: boolean;
}

export const TOOL_NAMES = [
  'get_skill',
  'list_catalogs',
  'list_plugins',
  'meta',
  'search_skills',
  'status',
] as const;
export type ToolName = (typeof TOOL_NAMES)[number];

/** Library contract 6.1: optional scalars accept null, and null is absence. */
const optional = <Schema extends z.ZodType>(schema: Schema, description: string) =>
  schema.nullable().optional().describe(description);

/** Flags with a default do not accept null. */
const flag = (fallback: boolean, description: string) =>
  z.boolean().default(fallback).describe(description);

const unsigned = z.number().int().min(0);

const entryRef = {
  catalog: z.string(),
  plugin: z.string(),
  name: z.string(),
  kind: entryKind,
};

export const searchInput = z.strictObject({
  query: z.string().describe('What you want to do, in plain words. 1 to 4096 characters.'),
  top_k: optional(unsigned, 'How many matches, 1 to 100. Default 10.'),
  catalog: optional(z.string(), 'Only this catalog.'),
  plugin: optional(z.string(), 'Only this plugin; needs catalog.'),
  kind: optional(entryKind, 'Only this kind. Without it: skills and commands.'),
  rerank: optional(z.boolean(), 'Order by the learned ranking. Default true.'),
  min_score: optional(
    z.number(),
    'Leave out matches that score lower. Default: nothing is left out.',
  ),
  description_max_chars: optional(
    unsigned,
    'Cut descriptions to this many characters. Default 150.',
  ),
});

export const getInput = z.strictObject({
  catalog: optional(
    z.string(),
    'Catalog of the entry, from a match. Together with plugin and name.',
  ),
  plugin: optional(z.string(), 'Plugin of the entry, from a match.'),
  name: optional(z.string(), 'Name of the entry; * matches any run of characters.'),
  uri: optional(
    z.string(),
    'Instead of the triple: catalog:plugin:name, plugin:name, a bare name, or a path to the entry or its folder.',
  ),
  kind: optional(entryKind, 'Kind of the entry. Without it: a skill, else a command.'),
  metadata_only: flag(false, 'Description, when_to_use and files only, without the body.'),
  raw: flag(false, 'Leave the variables in the body as they are written.'),
  include_resource_bodies: flag(false, 'Add the text of the small files of a skill.'),
});

export const listPluginsInput = z.strictObject({
  catalog: optional(z.string(), 'Only this catalog.'),
  enabled_only: flag(true, 'False: also plugins and entries that are not enabled.'),
  kind: optional(entryKind, 'Only entries of this kind.'),
});

export const listCatalogsInput = z.strictObject({});

export const statusInput = z.strictObject({
  include_doctor: flag(false, 'Add the findings of `lectern doctor`; nothing is repaired.'),
});

export const metaInput = z.strictObject({
  action: z.enum(['install']).default('install').describe('What to do.'),
  skill_id: z.string().describe(`Which bundled skill: ${[...META_SKILLS.keys()].join(', ')}.`),
  scope: z
    .enum(['project', 'global'])
    .default('project')
    .describe('Into the project, or for all projects of the user.'),
});

const searchOutput = z.looseObject({
  matches: z.array(
    z.looseObject({
      ...entryRef,
      description: z.string(),
      plugin_version: z.string(),
      path: z.string().describe('Relative to the plugin.'),
      score: z.number(),
      prompt_name: z.string().optional(),
      also_in: z
        .array(z.looseObject(entryRef))
        .optional()
        .describe('Entries of identical text, folded into this one.'),
    }),
  ),
  corpus_size: z.number().int(),
  scoring: z.enum(['reranked', 'embedding-similarity', 'lexical']),
  no_results_reason: z.enum(['index_empty', 'no_match']).optional(),
  hint: z.string().optional(),
  relevance: z.enum(['weak', 'strong']).optional(),
  degraded: z.string().optional(),
  stale: z.boolean().optional(),
});

/** Body, metadata and several matches share one flat object: hosts handle no unions. */
const getOutput = z.looseObject({
  catalog: z.string().optional(),
  plugin: z.string().optional(),
  name: z.string().optional(),
  kind: entryKind.optional(),
  path: z.string().optional(),
  content: z.string().optional().describe('The body, frontmatter stripped.'),
  description: z.string().optional(),
  resource_bodies: z.array(z.looseObject({ path: z.string(), content: z.string() })).optional(),
  substitutions_applied: z.boolean().optional(),
  prompt_name: z.string().optional(),
  matches: z
    .array(z.looseObject({ ...entryRef, path: z.string(), description: z.string() }))
    .optional(),
  next_actions: z.array(z.looseObject({ tool: z.string() })).optional(),
});

const listPluginsOutput = z.looseObject({
  workspace: z.string(),
  plugins: z.array(
    z.looseObject({
      catalog: z.string(),
      plugin: z.string(),
      version: z.string().optional(),
      enabled_entries: z.number().int(),
      entries: z.array(
        z.looseObject({
          name: z.string(),
          kind: entryKind,
          description: z.string(),
          enabled: z.boolean(),
          searchable: z.boolean(),
          user_invocable: z.boolean(),
          indexed_at: z.string().optional(),
        }),
      ),
    }),
  ),
});

const listCatalogsOutput = z.looseObject({
  workspace: z.string(),
  catalogs: z.array(
    z.looseObject({
      name: z.string(),
      url: z.string(),
      ref: z.string(),
      plugin_count: z.number().int(),
      last_synced: z.string().optional(),
    }),
  ),
});

const statusOutput = z.looseObject({
  status: z.looseObject({ overall: z.enum(['ok', 'degraded', 'unhealthy']) }),
  doctor: z.looseObject({}).optional(),
});

const metaOutput = z.looseObject({
  skill_id: z.string(),
  installed_at: z.looseObject({
    harness: z.string(),
    scope: z.enum(['project', 'global']),
    dir: z.string(),
    revision: z.string(),
  }),
});

export const LIBRARY_TOOLS: readonly LibraryTool[] = [
  {
    name: 'get_skill',
    title: 'Load a skill',
    description: `Load one skill, command or agent: its instructions with the frontmatter stripped and variables filled in, and the paths of its files. Use when search_skills found something that fits, or when the user names a skill.

Address it by catalog, plugin and name as a match gives them, or by uri. With metadata_only: true you get the full description, when_to_use and the files without loading the full body: use that to choose between candidates. include_resource_bodies: true adds the text of a skill's small files.

A uri that means several entries gives matches with next_actions instead of a body: pick one and call again. An unknown name is an error that lists what is there. Read files that the body refers to by the paths in resources.`,
    input: getInput,
    output: getOutput,
    readOnly: true,
  },
  {
    name: 'list_catalogs',
    title: 'List catalogs',
    description:
      'List the catalogs enrolled in this workspace: name, address, ref, number of plugins and time of the last update. Use when you need to know where skills come from, or which catalog names a filter may have.',
    input: listCatalogsInput,
    output: listCatalogsOutput,
    readOnly: true,
  },
  {
    name: 'list_plugins',
    title: 'List plugins',
    description:
      'List the enabled plugins of this workspace with their entries: name, kind and description. Use when you want to browse instead of search. enabled_only: false adds what is enrolled but not enabled; catalog and kind narrow the list. It can be long: search_skills is the better way to find one thing.',
    input: listPluginsInput,
    output: listPluginsOutput,
    readOnly: true,
  },
  {
    name: 'meta',
    title: 'Install a bundled skill',
    description:
      "Install a skill that comes with lectern into this host's own skills directory, where it stays for later sessions. Use when a prompt or the user asks for it. Works in hosts with native skills; elsewhere it fails and says so. Writes files.",
    input: metaInput,
    output: metaOutput,
    readOnly: false,
  },
  {
    name: 'search_skills',
    title: 'Search skills',
    description: `Find the most relevant skills and commands for a task, best first. Use when you begin any task that someone may have written instructions for: call it proactively, before you plan, with what you want to do in plain words. Then load the best match with get_skill and follow it.

Matches carry catalog, plugin, name, kind, a short description and a score. relevance: "weak" says that nothing here fits well: go on without a skill. An empty answer carries a reason and a hint. kind: "agent" searches agents. catalog, plugin and kind narrow the search; min_score leaves out weak matches.`,
    input: searchInput,
    output: searchOutput,
    readOnly: true,
  },
  {
    name: 'status',
    title: 'Show status',
    description:
      'A snapshot of this lectern environment: workspace, catalogs with how many entries were found and loaded, problems in files, state of model and index. Use when a search returned nothing or less than expected, or when something seems to be missing. include_doctor: true adds findings with the command that mends each. Changes nothing.',
    input: statusInput,
    output: statusOutput,
    readOnly: true,
  },
];
