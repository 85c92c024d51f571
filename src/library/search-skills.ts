import type { EntryKind } from '../catalog/types.ts';
import { CONFIG_DEFAULTS, type Config } from '../core/config.ts';
import { INVALID_PARAMS, LecternError } from '../core/errors.ts';
import type { Scoring, SearchEngine } from '../search/types.ts';
import type { LibraryEntry, ScopeView } from './scope-view.ts';

/** Library contract 6.2. */
const MAX_TOP_K = 100;
export const MAX_QUERY_CHARS = 4096;
const MAX_DESCRIPTION_CHARS = 100_000;

/** Input of `search_skills`; null and absent are the same. */
export interface SearchInput {
  query: string;
  top_k?: number | null;
  catalog?: string | null;
  plugin?: string | null;
  kind?: EntryKind | null;
  rerank?: boolean | null;
  min_score?: number | null;
  description_max_chars?: number | null;
}

export interface EntryRef {
  catalog: string;
  plugin: string;
  name: string;
  kind: EntryKind;
}

export interface SearchMatch extends EntryRef {
  description: string;
  plugin_version: string;
  path: string;
  score: number;
  prompt_name?: string;
  also_in?: EntryRef[];
}

/** Output of `search_skills`, members in the contract's order, ours last. */
export interface SearchOutput {
  matches: SearchMatch[];
  corpus_size: number;
  scoring: Scoring;
  no_results_reason?: 'index_empty' | 'no_match';
  hint?: string;
  relevance?: 'weak' | 'strong';
  degraded?: string;
  stale?: boolean;
}

/** What a search works on. */
export interface SearchScope {
  view: ScopeView;
  config: Config;
  engine: SearchEngine;
  /** False when a change on disk may not be in the view. */
  isFresh: boolean;
  /** Names that `prompts/get` takes, by entry. */
  promptName: (entry: LibraryEntry) => string | undefined;
  /** Told of the answer before any floor is applied. */
  onAnswer?: (query: string, answer: SearchOutput) => void;
}

/** Filters of one search; values of one combine with OR, the three with AND. */
export interface SearchFilters {
  catalogs: readonly string[];
  plugins: readonly string[];
  kinds: readonly EntryKind[];
}

/** The settings of one search after call, configuration and defaults (library contract 5.3). */
export interface SearchSettings {
  topK: number;
  rerank: boolean;
  descriptionMaxChars: number;
}

/**
 * Answer `search_skills`: validation in the order of library contract 6.2, the
 * floor after the cut, the reasons of 5.6.
 *
 * @throws LecternError usage, entry_not_found
 */
export async function searchSkills(input: SearchInput, scope: SearchScope): Promise<SearchOutput> {
  const settings = resolveSettings(input, scope.config);
  checkTopK(settings.topK, (input.top_k ?? null) === null);
  checkDescriptionMaxChars(settings.descriptionMaxChars);
  const query = input.query.trim();
  if (query === '') throw usage('the query is blank');
  checkQueryLength(input.query);
  if (input.plugin != null && input.catalog == null) {
    throw usage('`plugin` needs `catalog`: the same plugin name may be in several catalogs', {
      code: 'plugin_without_catalog',
    });
  }
  const floor = input.min_score == null ? null : toFloor(input.min_score);
  if (input.catalog != null) checkCatalog(input.catalog, scope.view);
  if (input.plugin != null) checkPlugin(input.catalog!, input.plugin, scope.view);

  const answer = await search(
    query,
    settings,
    {
      catalogs: input.catalog == null ? [] : [input.catalog],
      plugins: input.plugin == null ? [] : [input.plugin],
      kinds: input.kind == null ? [] : [input.kind],
    },
    scope,
  );
  return floor === null ? answer : applyFloor(answer, floor);
}

/**
 * Search without the checks of the MCP tool: filters are taken as they are,
 * nothing is cut by score.
 *
 * @param query trimmed, not blank
 */
export async function search(
  query: string,
  settings: SearchSettings,
  filters: SearchFilters,
  scope: SearchScope,
): Promise<SearchOutput> {
  const fits = (entry: LibraryEntry) => isIn(entry, filters);
  const { allowed, corpusSize } = selectSearched(
    scope.view,
    scope.config.search?.kinds ?? CONFIG_DEFAULTS['search.kinds'],
    filters,
  );
  const answer = await scope.engine.search({
    query,
    allowed,
    topK: settings.topK,
    rerank: settings.rerank,
  });
  const matches: SearchMatch[] = [];
  for (const hit of answer.hits) {
    const [entry, ...alsoIn] = [hit.entry, ...hit.alsoIn].flatMap((it) =>
      (scope.view.enabledById.get(it.id) ?? []).filter(fits),
    );
    // Gone since the view was made: the next search will not find it either.
    if (entry === undefined) continue;
    const promptName = scope.promptName(entry);
    matches.push({
      ...toRef(entry),
      description: truncate(entry.entry.description, settings.descriptionMaxChars),
      plugin_version: entry.entry.pluginVersion ?? '',
      path: entry.entry.path,
      score: toShownScore(hit.score),
      ...(promptName === undefined ? {} : { prompt_name: promptName }),
      ...(alsoIn.length === 0 ? {} : { also_in: alsoIn.map(toRef) }),
    });
  }
  const lack = describeLack(answer.degraded, scope.view, filters.catalogs);
  const output = explain(
    {
      matches,
      corpus_size: corpusSize,
      scoring: answer.scoring,
      ...(answer.relevance === null ? {} : { relevance: answer.relevance }),
      ...(lack === null ? {} : { degraded: lack }),
      ...(scope.isFresh ? {} : { stale: true }),
    },
    scope.view.unread.length > 0,
  );
  scope.onAnswer?.(query, output);
  return output;
}

/** What a search with these filters looks at, and how many entries it could. */
interface Searched {
  allowed: ReadonlySet<number>;
  corpusSize: number;
}

/** Selections kept for a view; sessions differ in few ways. */
const SELECTIONS_KEPT = 16;

const selections = new WeakMap<ScopeView, Map<string, Searched>>();

/** Select once for all searches that see the same view through the same filters. */
function selectSearched(
  view: ScopeView,
  defaultKinds: readonly string[],
  filters: SearchFilters,
): Searched {
  const key = JSON.stringify([defaultKinds, filters.kinds, filters.catalogs, filters.plugins]);
  let kept = selections.get(view);
  if (kept === undefined) selections.set(view, (kept = new Map()));
  const known = kept.get(key);
  if (known !== undefined) return known;
  const kinds = filters.kinds.length > 0 ? filters.kinds : defaultKinds;
  // Agents count where this search may return them, and only there (design 14, "Searchable").
  const countsAgents = defaultKinds.includes('agent') || filters.kinds.includes('agent');
  let corpusSize = 0;
  const allowed = new Set<number>();
  for (const [id, entries] of view.enabledById) {
    const { kind, entry } = entries[0]!;
    if (!entry.searchable) continue;
    if (kind !== 'agent' || countsAgents) corpusSize += entries.length;
    if (kinds.includes(kind) && entries.some((it) => isIn(it, filters))) allowed.add(id);
  }
  const selected = { allowed, corpusSize };
  kept.set(key, selected);
  if (kept.size > SELECTIONS_KEPT) kept.delete(kept.keys().next().value!);
  return selected;
}

/**
 * What an answer lacks, in a sentence: that of the engine, and the catalogs asked
 * for that are still to be read, as after an index was lost.
 *
 * @param catalogs those asked for; none means all
 */
export function describeLack(
  degraded: string | null,
  view: ScopeView,
  catalogs: readonly string[],
): string | null {
  const unread = view.unread.filter((name) => catalogs.length === 0 || catalogs.includes(name));
  if (unread.length === 0) return degraded;
  const without = `searched without ${listNames(unread)}: still to be read`;
  return degraded === null ? without : `${degraded}; ${without}`;
}

function isIn(entry: LibraryEntry, { catalogs, plugins }: SearchFilters): boolean {
  return (
    (catalogs.length === 0 || catalogs.includes(entry.catalog)) &&
    (plugins.length === 0 || plugins.includes(entry.plugin))
  );
}

/** Drop what lies under the floor, after the cut to `top_k` (library contract 5.2). */
export function applyFloor(answer: SearchOutput, floor: number): SearchOutput {
  if (answer.matches.length === 0) return answer;
  return explain({ ...answer, matches: answer.matches.filter((it) => reaches(it.score, floor)) });
}

/**
 * Four decimals: no ranking tells apart more, and a model reads every digit. A
 * floor is compared with what is shown.
 */
function toShownScore(score: number): number {
  return Number(score.toFixed(4));
}

/** `score >= floor` in 32-bit floats (library contract 5.4). */
export function reaches(score: number, floor: number): boolean {
  return Math.fround(score) >= Math.fround(floor);
}

/** Call, then configuration, then default (library contract 5.3). */
export function resolveSettings(
  input: Pick<SearchInput, 'top_k' | 'rerank' | 'description_max_chars'>,
  config: Config,
): SearchSettings {
  return {
    topK: input.top_k ?? config.query?.top_k ?? CONFIG_DEFAULTS['query.top_k'],
    rerank: input.rerank ?? config.query?.rerank ?? CONFIG_DEFAULTS['query.rerank'],
    descriptionMaxChars:
      input.description_max_chars ??
      config.mcp?.description_max_chars ??
      CONFIG_DEFAULTS['mcp.description_max_chars'],
  };
}

/**
 * @param isConfigured it comes from config.toml: nobody typed it
 * @throws LecternError usage, without data (library contract 6.2, row 1)
 */
export function checkTopK(topK: number, isConfigured: boolean): void {
  if (topK >= 1 && topK <= MAX_TOP_K) return;
  throw usage(
    `${isConfigured ? 'query.top_k of config.toml' : 'top_k'} must be between 1 and ${MAX_TOP_K}, not ${topK}`,
  );
}

/** @throws LecternError usage, `invalid_description_max_chars` */
export function checkDescriptionMaxChars(chars: number): void {
  if (chars >= 0 && chars <= MAX_DESCRIPTION_CHARS) return;
  throw usage(`description_max_chars must be at most ${MAX_DESCRIPTION_CHARS}, not ${chars}`, {
    code: 'invalid_description_max_chars',
    extras: { max: MAX_DESCRIPTION_CHARS },
  });
}

/** @throws LecternError usage, `query_too_long` */
export function checkQueryLength(query: string): void {
  // A string has at least half as many characters as code units: most need no counting.
  if (query.length <= MAX_QUERY_CHARS) return;
  const chars = query.length > 2 * MAX_QUERY_CHARS ? query.length : [...query].length;
  if (chars <= MAX_QUERY_CHARS) return;
  throw usage(`the query has ${chars} characters; at most ${MAX_QUERY_CHARS} are searched`, {
    code: 'query_too_long',
    extras: { max_chars: MAX_QUERY_CHARS },
  });
}

/**
 * Cut to that many Unicode characters and add `…` (library contract 5.7).
 * A text within the limit is unchanged; a limit of 0 gives the empty string.
 */
export function truncate(text: string, maxChars: number): string {
  if (maxChars === 0) return '';
  if (text.length <= maxChars) return text;
  let cut = '';
  let chars = 0;
  for (const character of text) {
    if (chars === maxChars) return `${cut}…`;
    cut += character;
    chars++;
  }
  return text;
}

export function toRef(entry: EntryRef): EntryRef {
  return { catalog: entry.catalog, plugin: entry.plugin, name: entry.name, kind: entry.kind };
}

function toFloor(minScore: number): number {
  const floor = Math.fround(minScore);
  if (Number.isFinite(floor)) return floor;
  throw usage('min_score must be a finite 32-bit number', { code: 'invalid_min_score' });
}

function checkCatalog(catalog: string, view: ScopeView): void {
  if (view.catalogs.some((it) => it.name === catalog)) return;
  throw new LecternError(
    'entry_not_found',
    `no catalog "${catalog}" in workspace "${view.workspace.name}"; it has ${listNames(view.catalogs.map((it) => it.name))}`,
    { code: 'unknown_catalog', extras: { catalog }, next: 'lectern catalog list' },
  );
}

function checkPlugin(catalog: string, plugin: string, view: ScopeView): void {
  const found = view.catalogs.find((it) => it.name === catalog)!;
  if (declares(found, plugin)) return;
  throw new LecternError(
    'entry_not_found',
    `catalog "${catalog}" has no plugin "${plugin}"; it has ${listNames(found.plugins.map((it) => it.name))}`,
    { code: 'unknown_plugin', extras: { catalog, plugin }, next: 'lectern plugin list' },
  );
}

/** Named by the catalog's manifest, wherever it lies. */
export function declares(catalog: ScopeView['catalogs'][number], plugin: string): boolean {
  return (
    catalog.plugins.some((it) => it.name === plugin) ||
    (catalog.source?.external.some((it) => it.name === plugin) ?? false)
  );
}

/** How many names a message shows; more would bury the sentence. */
const NAMES_SHOWN = 10;

function listNames(names: readonly string[]): string {
  if (names.length === 0) return 'none';
  const shown = names.slice(0, NAMES_SHOWN);
  const rest = names.length - shown.length;
  return shown.join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}

/**
 * The contract's members in their order, with the reason and the hint that fit the matches.
 *
 * @param lacksCatalog a catalog of the workspace has not been read: nobody is to enrol it again
 */
function explain(answer: SearchOutput, lacksCatalog = false): SearchOutput {
  const { matches, corpus_size, scoring, relevance, degraded, stale } = answer;
  const reason =
    matches.length > 0 ? undefined : corpus_size === 0 ? 'index_empty' : ('no_match' as const);
  const hint = hintFor(reason ?? relevance, lacksCatalog);
  return {
    matches,
    corpus_size,
    scoring,
    ...(reason === undefined ? {} : { no_results_reason: reason }),
    ...(hint === undefined ? {} : { hint }),
    ...(relevance === undefined || matches.length === 0 ? {} : { relevance }),
    ...(degraded === undefined ? {} : { degraded }),
    ...(stale === undefined ? {} : { stale }),
  };
}

const HINTS = {
  index_empty:
    'Nothing is indexed for this workspace. Enrol a catalog with `lectern catalog add`, enable its plugins with `lectern plugin enable`, or read again with `lectern reindex`; `status` shows what is there.',
  unread:
    'Nothing is indexed yet: catalogs of this workspace are still to be read. Ask again in a moment; `status` shows how far that is, and what cannot be read.',
  no_match:
    'Nothing matched. Rephrase or broaden the query, drop a filter or min_score, or check with `list_plugins` that the right plugin is enabled.',
  weak: 'Nothing here seems to fit this query well. Read a description before you rely on a match, try other words, or go on without a skill.',
} as const;

function hintFor(
  state: SearchOutput['no_results_reason'] | SearchOutput['relevance'],
  lacksCatalog: boolean,
): string | undefined {
  if (state === undefined || state === 'strong') return undefined;
  return state === 'index_empty' && lacksCatalog ? HINTS.unread : HINTS[state];
}

function usage(
  message: string,
  data?: { code: string; extras?: Record<string, unknown> },
): LecternError {
  return new LecternError(
    'usage',
    message,
    data === undefined ? { bare: true, rpc: INVALID_PARAMS } : { ...data, rpc: INVALID_PARAMS },
  );
}
