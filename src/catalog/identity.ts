import { basename, dirname } from 'node:path/posix';
import { stripHidden } from './hidden-characters.ts';
import type { EntryReading, Problem } from './types.ts';

/** A name as one component of an id: no slash, star or hidden character, no leading dot. */
export function toSafeSegment(name: string): string {
  const safe = stripHidden(name)
    .text.replace(/[/\\*\s]+/g, '-')
    .replace(/^[.-]+/, '')
    .slice(0, 100);
  return safe === '' ? 'plugin' : safe;
}

/**
 * Give every entry of one plugin a name of its own within its kind (design 1).
 * Of those that share one, the entry whose folder or file is called so keeps
 * it; the others go by their path below the plugin and say so.
 *
 * @param entries in discovery order; renamed in place
 */
export function makeNamesUnique(entries: readonly EntryReading[]): void {
  const groups = new Map<string, EntryReading[]>();
  for (const entry of entries) {
    const key = `${entry.kind} ${entry.name}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [entry]);
    else group.push(entry);
  }
  const taken = new Set(groups.keys());
  for (const group of groups.values()) {
    if (group.length === 1) continue;
    const keeper = group.find((entry) => ownName(entry) === entry.name) ?? group[0]!;
    for (const entry of group) {
      if (entry !== keeper) renameByPath(entry, keeper, taken);
    }
  }
}

/** What the entry's folder (skill) or file (command, agent) is called. */
function ownName(entry: EntryReading): string {
  return entry.kind === 'skill'
    ? basename(dirname(entry.path))
    : basename(entry.path).replace(/\.md$/i, '');
}

function renameByPath(entry: EntryReading, keeper: EntryReading, taken: Set<string>): void {
  const declared = entry.declaredName;
  const names = pathNames(entry);
  let name = names.next().value;
  while (taken.has(`${entry.kind} ${name}`)) name = names.next().value;
  taken.add(`${entry.kind} ${name}`);
  entry.name = name;
  entry.problems.push({
    severity: 'warning',
    file: entry.file,
    message: `${keeper.path} is named "${declared}" too; this one goes by "${name}"`,
    fix: `give one of the two ${entry.kind}s another name`,
  });
}

/** Names from the path, shortest first; the last kind never runs out. */
function* pathNames(entry: EntryReading): Generator<string, never> {
  const written = entry.kind === 'skill' ? dirname(entry.path) : entry.path.replace(/\.md$/i, '');
  const path = stripHidden(written).text.replace(/\s+/g, ' ');
  const parts = path
    .split('/')
    .map((part) => part.replace(/^\.+/, ''))
    .filter((part) => part !== '');
  const at = parts.lastIndexOf(`${entry.kind}s`);
  // `skills/sdk/linux` is `sdk/linux`; below a nested `skills/` the part before it tells more.
  const below = parts[0] === `${entry.kind}s` ? parts.slice(1) : parts.slice(at + 1);
  if (below.length > 0) yield below.join('/');
  if (parts.length > 0) yield parts.join('/');
  for (let number = 2; ; number += 1) yield `${below.join('/') || entry.name}-${number}`;
}

/** A plugin as far as its name matters. */
export interface NamedPlugin {
  name: string;
  /** Relative to the catalog root. */
  source: string;
  problems: Problem[];
}

/** Give every plugin of a catalog a name of its own: the first keeps it, later ones take their parent's before it. */
export function makePluginNamesUnique(plugins: readonly NamedPlugin[], root: string): void {
  const taken = new Set<string>();
  for (const plugin of plugins) {
    const declared = plugin.name;
    if (taken.has(declared)) {
      plugin.name =
        [...alternatives(plugin)].find((name) => !taken.has(name)) ?? countUp(declared, taken);
      plugin.problems.push({
        severity: 'warning',
        file: root,
        message: `another plugin is named "${declared}" too; the one in ${plugin.source} goes by "${plugin.name}"`,
        fix: 'give one of the two plugins another name',
      });
    }
    taken.add(plugin.name);
  }
}

function* alternatives(plugin: NamedPlugin): Generator<string> {
  const parts = plugin.source.split('/').filter((part) => part !== '' && part !== '.');
  const parents = parts.slice(0, -1);
  for (let from = parents.length - 1; from >= 0; from -= 1) {
    yield toSafeSegment([...parents.slice(from), plugin.name].join('-'));
  }
}

function countUp(name: string, taken: ReadonlySet<string>): string {
  let number = 2;
  while (taken.has(`${name}-${number}`)) number += 1;
  return `${name}-${number}`;
}
