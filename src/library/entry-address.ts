import type { EntryKind } from '../catalog/types.ts';
import { shellWord } from '../core/entry-id.ts';
import { LecternError } from '../core/errors.ts';
import { nearNames } from './near-names.ts';
import type { LibraryEntry, ScopeView } from './scope-view.ts';

/**
 * The ways people write an entry: the full id or less of it, with slashes as in
 * a listing or with colons as `get` takes it. Every command takes all of them.
 */
export function formsOf({ catalog, plugin, name }: LibraryEntry): string[] {
  return [
    `${catalog}/${plugin}/${name}`,
    `${catalog}:${plugin}:${name}`,
    `${plugin}/${name}`,
    `${plugin}:${name}`,
    name,
  ];
}

/**
 * The full address of an id that may be short: `<catalog>/<plugin>/<entry>` is
 * taken as it is, so that each wrong part gets its own error; anything shorter,
 * or with colons, must name one entry.
 *
 * @throws LecternError usage (2) when it names several, entry_not_found (27) when none
 */
export function addressOf(
  view: ScopeView,
  id: string,
  kind: EntryKind | null,
): { catalog: string; plugin: string; name: string } {
  const [catalog = '', plugin = '', ...rest] = id.split('/');
  if (rest.length > 0) return { catalog, plugin, name: rest.join('/') };
  const entries = view.catalogs
    .flatMap((home) => home.plugins.flatMap((it) => it.entries))
    .filter((it) => kind === null || it.kind === kind);
  const found = entries.filter((it) => formsOf(it).includes(id));
  const [first] = found;
  if (first === undefined) throw notFound(id, entries);
  const ids = [...new Set(found.map(slashId))];
  if (ids.length > 1) {
    throw new LecternError('usage', `"${id}" is several entries; name one of: ${shorten(ids)}`);
  }
  return { catalog: first.catalog, plugin: first.plugin, name: first.name };
}

/**
 * For a name that nothing enabled answers to: the entry that is there and not
 * enabled, with the command that enables it.
 */
export function disabledEntry(
  view: ScopeView,
  id: string,
  kind: EntryKind | null,
): { message: string; next: string } | undefined {
  for (const home of view.catalogs) {
    for (const plugin of home.plugins) {
      for (const entry of plugin.entries) {
        if (entry.isEnabled || (kind !== null && entry.kind !== kind)) continue;
        if (!formsOf(entry).includes(id)) continue;
        const full = slashId(entry);
        const found = id === full ? `${full} is there` : `"${id}" is ${full}`;
        const what = plugin.isEnabled ? 'it' : `plugin ${entry.catalog}/${entry.plugin}`;
        return {
          message: `${found}, but ${what} is not enabled`,
          next: plugin.isEnabled
            ? `lectern entry enable ${shellWord(full)}`
            : `lectern plugin enable ${shellWord(`${entry.catalog}/${entry.plugin}`)}`,
        };
      }
    }
  }
  return undefined;
}

function notFound(id: string, entries: readonly LibraryEntry[]): LecternError {
  const near = [...new Set(nearNames(id, entries).map(slashId))];
  const hint = near.length === 0 ? '' : `; did you mean ${near.join(', ')}?`;
  return new LecternError('entry_not_found', `no plugin has an entry "${id}"${hint}`, {
    next: 'lectern plugin list',
  });
}

function slashId({ catalog, plugin, name }: LibraryEntry): string {
  return `${catalog}/${plugin}/${name}`;
}

/** Ids that a message names: enough to choose from on a line. */
const IDS_NAMED = 6;

function shorten(ids: readonly string[]): string {
  const more = ids.length - IDS_NAMED;
  return ids.slice(0, IDS_NAMED).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
