import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { EntryKind } from '../catalog/types.ts';
import { entryId, getCommand, shellWord } from '../core/entry-id.ts';
import { type ErrorDetails, INVALID_PARAMS, LecternError } from '../core/errors.ts';
import { disabledEntry } from './entry-address.ts';
import { matchesGlob } from './glob.ts';
import { NEAR_SHOWN, nearNames } from './near-names.ts';
import { compareText, type LibraryEntry, type ScopeView } from './scope-view.ts';

/** A name as errors list it. */
export interface NamedEntry {
  name: string;
  kind: EntryKind;
}

/** How many names a message repeats; `data` has all of them. */
const NAMES_IN_MESSAGE = 12;

/**
 * Resolve a triple (library contract 6.3.1): exact or with `*`; without a kind,
 * and with kind `skill`, a command of the exact name will do.
 *
 * @throws LecternError entry_not_found: `unknown_catalog`, `unknown_plugin`, `unknown_skill`, `ambiguous_name`
 */
export function findByTriple(
  view: ScopeView,
  catalog: string,
  plugin: string,
  name: string,
  kind: EntryKind | null,
): LibraryEntry {
  const siblings = view.enabled.filter((it) => it.catalog === catalog && it.plugin === plugin);
  if (name.includes('*')) {
    const found = siblings.filter(
      (it) => it.kind === (kind ?? 'skill') && matchesGlob(it.name, name),
    );
    if (found.length === 1) return found[0]!;
    if (found.length > 1) {
      const candidates = found.map(toNamed);
      throw new LecternError(
        'entry_not_found',
        `"${name}" matches ${found.length} entries of ${catalog}/${plugin}: ${listNamed(candidates)}`,
        { code: 'ambiguous_name', extras: { catalog, plugin, name, candidates } },
      );
    }
  } else {
    const kinds: EntryKind[] = kind === null || kind === 'skill' ? ['skill', 'command'] : [kind];
    for (const wanted of kinds) {
      const found = siblings.find((it) => it.kind === wanted && it.name === name);
      if (found !== undefined) return found;
    }
  }
  throw explainMiss(view, catalog, plugin, name, kind, siblings);
}

function explainMiss(
  view: ScopeView,
  catalog: string,
  plugin: string,
  name: string,
  kind: EntryKind | null,
  siblings: readonly LibraryEntry[],
): LecternError {
  const home = view.catalogs.find((it) => it.name === catalog);
  if (home === undefined) {
    return new LecternError(
      'entry_not_found',
      `no catalog "${catalog}" in workspace "${view.workspace.name}"; it has ${listWords(view.catalogs.map((it) => it.name))}`,
      { code: 'unknown_catalog', extras: { catalog } },
    );
  }
  const owner = home.plugins.find((it) => it.name === plugin);
  if (owner === undefined || owner.entries.length === 0) {
    return new LecternError(
      'entry_not_found',
      `catalog "${catalog}" has no plugin "${plugin}" with entries; it has ${listWords(home.plugins.map((it) => it.name))}`,
      { code: 'unknown_plugin', extras: { catalog, plugin } },
    );
  }
  const available = siblings.map(toNamed).sort(byKindThenName);
  const details = { code: 'unknown_skill', extras: { catalog, plugin, name, available } };
  const others = siblings.filter((it) => it.name === name);
  if (others[0] !== undefined)
    return otherKind(`${catalog}/${plugin}/${name}`, kind, others, details);
  const off = disabledEntry(view, `${catalog}/${plugin}/${name}`, kind);
  if (off !== undefined) {
    return new LecternError('entry_not_found', off.message, { ...details, next: off.next });
  }
  const near = nearNames(name, siblings);
  const hint =
    near.length > 0 ? `did you mean ${listIds(near)}?` : `enabled there: ${listNamed(available)}`;
  return new LecternError('entry_not_found', `"${name}" is not in ${catalog}/${plugin}; ${hint}`, {
    ...details,
    next:
      near[0] === undefined
        ? `lectern plugin show ${shellWord(`${catalog}/${plugin}`)}`
        : getCommand(near[0]),
  });
}

/** What was asked for is there, as another kind than the one looked for. */
function otherKind(
  asked: string,
  kind: EntryKind | null,
  others: readonly LibraryEntry[],
  details: ErrorDetails,
): LecternError {
  const [first] = others as [LibraryEntry];
  return new LecternError(
    'entry_not_found',
    `"${asked}" is ${withArticle(first.kind)}, not ${withArticle(kind ?? 'skill or command')}: ${listIds(others)}; ask for it with kind "${first.kind}"`,
    { ...details, next: getCommand(first) },
  );
}

/**
 * Every enabled entry that a URI may mean (library contract 6.3.2), sorted by
 * catalog, plugin, kind and name.
 *
 * @param uri trimmed, not blank
 * @param kind null: skills and commands
 * @param cwd what a relative path is taken from; null: it names nothing
 */
export async function findByUri(
  view: ScopeView,
  uri: string,
  kind: EntryKind | null,
  cwd: string | null,
): Promise<LibraryEntry[]> {
  const names = namesOf(view);
  const found = new Set<LibraryEntry>();
  const take = (entries: readonly LibraryEntry[] | undefined) => {
    for (const entry of entries ?? []) found.add(entry);
  };
  const takePath = async () => {
    for (const entry of await findByPath(view, uri, cwd)) found.add(entry);
  };
  if (looksLikePath(uri)) {
    await takePath();
  } else if (uri.includes(':')) {
    take(names.qualified.get(toQualified(uri.split(':'))));
  } else if (uri.includes('__')) {
    take(names.qualified.get(toQualified(uri.split('__'))));
  } else if (uri.includes('_')) {
    // Every split of the string into plugin and name, or catalog, plugin and name, joins to the string itself.
    take(names.joined.get(uri));
    if (!/^_+$/.test(uri)) take(names.bare.get(uri));
  } else {
    await takePath();
    take(names.bare.get(uri));
  }
  return view.enabled.filter(
    (it) => found.has(it) && (kind === null ? it.kind !== 'agent' : it.kind === kind),
  );
}

/**
 * What a URI that means nothing is answered with (library contract 6.3.2):
 * an entry of another kind by that name, else the few names that it may be a
 * slip of. `available` has every entry; the message stays short, because hosts
 * may show it to an agent as it is.
 *
 * @param kind what was looked for; null: skills and commands
 */
export async function unknownUri(
  view: ScopeView,
  uri: string,
  kind: EntryKind | null,
  cwd: string | null,
): Promise<LecternError> {
  const available = view.enabled.map(toNamed).sort(byKindThenName);
  const details = { code: 'unknown_skill', rpc: INVALID_PARAMS, extras: { uri, available } };
  const others: LibraryEntry[] = [];
  for (const each of ['skill', 'command', 'agent'] as const) {
    if (each !== kind) others.push(...(await findByUri(view, uri, each, cwd)));
  }
  if (others.length > 0) return otherKind(uri, kind, others, details);
  const off = disabledEntry(view, uri, kind);
  if (off !== undefined) {
    return new LecternError('entry_not_found', off.message, { ...details, next: off.next });
  }
  const near = nearNames(uri, view.enabled);
  const asked = near.length === 0 ? '' : `; did you mean ${listIds(near)}?`;
  return new LecternError('entry_not_found', `nothing enabled answers to "${uri}"${asked}`, {
    ...details,
    ...(near[0] === undefined ? {} : { next: getCommand(near[0]) }),
  });
}

/** `an agent`, `a skill`. */
function withArticle(kind: string): string {
  return `${kind.startsWith('a') ? 'an' : 'a'} ${kind}`;
}

function listIds(entries: readonly LibraryEntry[]): string {
  const ids = entries.slice(0, NEAR_SHOWN).map(entryId);
  const more = entries.length - ids.length;
  return ids.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

interface NameIndex {
  bare: Map<string, LibraryEntry[]>;
  /** `<plugin>\0<name>` and `<catalog>\0<plugin>\0<name>` */
  qualified: Map<string, LibraryEntry[]>;
  /** `<plugin>_<name>` and `<catalog>_<plugin>_<name>` */
  joined: Map<string, LibraryEntry[]>;
  /** Every path form of 6.3.2. */
  paths: Map<string, LibraryEntry[]>;
}

const indexes = new WeakMap<ScopeView, NameIndex>();

/** Made once a view: a look-up must not cost a walk over every entry. */
function namesOf(view: ScopeView): NameIndex {
  const known = indexes.get(view);
  if (known !== undefined) return known;
  const index: NameIndex = {
    bare: new Map(),
    qualified: new Map(),
    joined: new Map(),
    paths: new Map(),
  };
  const add = (map: Map<string, LibraryEntry[]>, key: string, entry: LibraryEntry) => {
    const entries = map.get(key);
    if (entries === undefined) map.set(key, [entry]);
    else if (!entries.includes(entry)) entries.push(entry);
  };
  for (const entry of view.enabled) {
    const { catalog, plugin, name } = entry;
    add(index.bare, name, entry);
    add(index.qualified, [plugin, name].join('\0'), entry);
    add(index.qualified, [catalog, plugin, name].join('\0'), entry);
    add(index.joined, `${plugin}_${name}`, entry);
    add(index.joined, `${catalog}_${plugin}_${name}`, entry);
    for (const form of pathForms(entry)) add(index.paths, form, entry);
  }
  indexes.set(view, index);
  return index;
}

/** The body path and its directory: absolute, by plugin, by catalog; and the directory's name. */
function pathForms(entry: LibraryEntry): string[] {
  const file = entry.entry.file;
  const directory = dirname(file);
  const inPlugin = entry.entry.path;
  const inCatalog = join(relative(entry.home.home.root, entry.home.plugin.root), inPlugin);
  const byCatalog = inCatalog.startsWith('..') ? [] : [inCatalog, dirname(inCatalog)];
  return [
    file,
    directory,
    directory.slice(directory.lastIndexOf(sep) + 1),
    inPlugin,
    dirname(inPlugin),
    ...byCatalog,
  ].filter((form) => form !== '' && form !== '.');
}

async function findByPath(
  view: ScopeView,
  target: string,
  cwd: string | null,
): Promise<LibraryEntry[]> {
  const components = target.split(/[/\\]/);
  if (components.includes('..')) return [];
  const paths = namesOf(view).paths;
  const tidy = tidyPath(target);
  const found = new Set<LibraryEntry>(paths.get(tidy) ?? []);
  const path = cwd === null && !isAbsolute(target) ? undefined : resolve(cwd ?? '/', target);
  const real = path === undefined ? undefined : await realpath(path).catch(() => undefined);
  if (real !== undefined) for (const entry of paths.get(real) ?? []) found.add(entry);
  if (found.size > 0) return [...found];
  // Not paths, but what is made of a listing: `catalog/plugin/name`, `plugin/name`, and names that hold a `/`.
  const [catalog, plugin, ...rest] = target.split('/');
  const names = namesOf(view);
  const inPlugin = [plugin ?? '', ...rest].join('/');
  return [
    ...(names.qualified.get(toQualified([catalog!, plugin ?? '', rest.join('/')])) ?? []),
    ...(names.qualified.get(toQualified([catalog!, inPlugin])) ?? []),
    ...(names.bare.get(target) ?? []),
  ];
}

/** `.` components, doubled and trailing separators removed. */
function tidyPath(path: string): string {
  const lead = isAbsolute(path) ? sep : '';
  const parts = path.split(sep === '\\' ? /[/\\]/ : '/');
  return lead + parts.filter((part) => part !== '' && part !== '.').join(sep);
}

function looksLikePath(uri: string): boolean {
  return (
    uri.includes('/') ||
    uri.includes(sep) ||
    uri.startsWith('.') ||
    uri.startsWith('~') ||
    isAbsolute(uri) ||
    uri.endsWith('.md')
  );
}

/** A key that no entry has, unless there are two or three parts and none is empty. */
function toQualified(parts: readonly string[]): string {
  const isUsable = (parts.length === 2 || parts.length === 3) && !parts.includes('');
  return isUsable ? parts.join('\0') : '\0';
}

function toNamed(entry: LibraryEntry): NamedEntry {
  return { name: entry.name, kind: entry.kind };
}

function byKindThenName(a: NamedEntry, b: NamedEntry): number {
  return compareText(a.kind, b.kind) || compareText(a.name, b.name);
}

function listNamed(entries: readonly NamedEntry[]): string {
  return listWords(entries.map((it) => `${it.name} (${it.kind})`));
}

function listWords(words: readonly string[]): string {
  if (words.length === 0) return 'none';
  const more = words.length - NAMES_IN_MESSAGE;
  return words.slice(0, NAMES_IN_MESSAGE).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
