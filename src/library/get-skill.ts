import type { EntryKind } from '../catalog/types.ts';
import { INVALID_PARAMS, LecternError } from '../core/errors.ts';
import { groupResources, listResources, readResourceBodies } from './entry-resources.ts';
import { findByTriple, findByUri, unknownUri } from './find-entry.ts';
import { readEntryBody } from './read-entry.ts';
import { type RenderContext, renderBody } from './render-body.ts';
import type { LibraryEntry, ScopeView } from './scope-view.ts';

/** Input of `get_skill`; null and absent are the same. */
export interface GetInput {
  catalog?: string | null;
  plugin?: string | null;
  name?: string | null;
  uri?: string | null;
  kind?: EntryKind | null;
  metadata_only?: boolean;
  raw?: boolean;
  include_resource_bodies?: boolean;
}

/** What `get_skill` works on. */
export interface GetScope {
  view: ScopeView;
  /** Every enrolled root: where links may lead. */
  roots: readonly string[];
  render: RenderContext;
  promptName: (entry: LibraryEntry) => string | undefined;
  /** Told of each entry whose body was loaded. */
  onLoad: (entry: LibraryEntry) => void;
}

/** What a shape-checked input asks for. */
type Address = { uri: string } | { uri: null; catalog: string; plugin: string; name: string };

/**
 * Answer `get_skill` (library contract 6.3): body, metadata, or the several
 * entries that a URI may mean.
 *
 * @throws LecternError usage without data for a bad shape; entry_not_found; the errors of 6.3.5
 */
export async function getSkill(input: GetInput, scope: GetScope): Promise<object> {
  const address = checkShape(input);
  const kind = input.kind ?? null;
  if (address.uri === null) {
    const { catalog, plugin, name } = address;
    return describe(findByTriple(scope.view, catalog, plugin, name, kind), input, scope);
  }
  const found = await findByUri(scope.view, address.uri, kind, scope.render.cwd);
  if (found.length === 0) throw await unknownUri(scope.view, address.uri, kind, scope.render.cwd);
  return found.length === 1 ? describe(found[0]!, input, scope) : listMatches(found);
}

/** @throws LecternError usage, without data (library contract 6.3) */
export function checkShape(input: GetInput): Address {
  const { catalog = null, plugin = null, name = null, uri = null } = input;
  const triple = [catalog, plugin, name];
  const given = triple.filter((it) => it !== null).length;
  if (uri !== null) {
    if (given > 0) throw shape('give `uri`, or `catalog`, `plugin` and `name`: not both');
    if (uri.trim() === '') throw shape('`uri` must not be empty');
    return { uri: uri.trim() };
  }
  if (given === 0) throw shape('give `uri`, or `catalog`, `plugin` and `name`');
  if (given < triple.length) {
    throw shape(
      '`catalog`, `plugin` and `name` go together: all three are needed; `uri` takes a bare name too',
    );
  }
  if (triple.includes('')) throw shape('`catalog`, `plugin` and `name` must not be empty');
  return { uri: null, catalog: catalog!, plugin: plugin!, name: name! };
}

function shape(message: string): LecternError {
  return new LecternError('usage', message, { bare: true, rpc: INVALID_PARAMS });
}

async function describe(entry: LibraryEntry, input: GetInput, scope: GetScope): Promise<object> {
  return input.metadata_only === true ? describeOnly(entry, scope) : load(entry, input, scope);
}

async function load(entry: LibraryEntry, input: GetInput, scope: GetScope): Promise<object> {
  const body = await readEntryBody(entry, scope.roots);
  const isRaw = input.raw === true;
  const content = isRaw ? body : await renderBody(body, entry, scope.render);
  const resources =
    entry.kind === 'skill'
      ? await listResources(entry.entry.file)
      : { paths: [] as string[], isCut: false };
  const bodies =
    input.include_resource_bodies === true && entry.kind === 'skill'
      ? await readResourceBodies(resources.paths)
      : undefined;
  const promptName = scope.promptName(entry);
  scope.onLoad(entry);
  return {
    ...identify(entry),
    content,
    resources: resources.paths,
    substitutions_applied: !isRaw,
    ...(bodies === undefined ? {} : { resource_bodies: bodies }),
    ...(promptName === undefined ? {} : { prompt_name: promptName }),
    ...(resources.isCut ? { resources_truncated: true } : {}),
  };
}

async function describeOnly(entry: LibraryEntry, scope: GetScope): Promise<object> {
  const promptName = scope.promptName(entry);
  const resources = entry.kind === 'skill' ? await groupResources(entry.entry.file) : undefined;
  return {
    ...identify(entry),
    description: entry.entry.description,
    when_to_use: entry.entry.whenToUse,
    plugin_version: entry.entry.pluginVersion ?? '',
    user_invocable: entry.entry.userInvocable,
    ...(resources === undefined ? {} : { resources }),
    ...(promptName === undefined ? {} : { prompt_name: promptName }),
  };
}

/** Previews, paired by index with the calls that load them (library contract 6.3.2). */
function listMatches(found: readonly LibraryEntry[]): object {
  return {
    matches: found.map((entry) => ({ ...identify(entry), description: entry.entry.description })),
    next_actions: found.map((entry) => ({
      tool: 'get_skill',
      arguments: {
        catalog: entry.catalog,
        plugin: entry.plugin,
        name: entry.name,
        kind: entry.kind,
      },
    })),
  };
}

function identify(entry: LibraryEntry) {
  return {
    catalog: entry.catalog,
    plugin: entry.plugin,
    name: entry.name,
    kind: entry.kind,
    path: entry.entry.file,
  };
}
