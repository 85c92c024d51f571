import type { EntryKind } from '../catalog/types.ts';
import { LecternError } from '../core/errors.ts';
import { disabledEntry, formsOf } from './entry-address.ts';
import { matchesGlob } from './glob.ts';
import type { LibraryParts } from './parts.ts';
import { compareText, type LibraryEntry, type ScopeView } from './scope-view.ts';
import { selectPlugins } from './select-plugins.ts';
import { checkTier } from './set-plugins-enabled.ts';

/** What a tier command is about (library contract 3.10). */
export interface TierSelection {
  /** `[<catalog>/]<plugin>/<entry>`, where the entry part may be a glob, or any form of `formsOf`. */
  id: string | null;
  plugins: readonly string[];
  kind: EntryKind | null;
  all: boolean;
}

export interface TierRecord {
  catalog: string;
  plugin: string;
  name: string;
  kind: EntryKind;
  tier: number;
}

/** @throws LecternError usage (2), entry_not_found (27) */
export function setTiers(
  parts: LibraryParts,
  view: ScopeView,
  selection: TierSelection,
  tier: number,
): TierRecord[] {
  checkTier(tier);
  const entries = selectEntries(view, selection);
  write(parts, entries, tier);
  return entries.map((entry) => ({ ...toRecord(entry), tier }));
}

/** Back to the tier of the plugin. @throws LecternError usage (2), entry_not_found (27) */
export function clearTiers(
  parts: LibraryParts,
  view: ScopeView,
  selection: TierSelection,
  read: () => ScopeView,
): TierRecord[] {
  const entries = selectEntries(view, selection);
  write(parts, entries, null);
  const cleared = new Set(entries.map((entry) => entry.entry.id));
  return read()
    .enabled.filter((entry) => cleared.has(entry.entry.id))
    .map(toRecord);
}

/** Every enabled skill and command, by tier, catalog, plugin, kind and name. */
export function listTiers(view: ScopeView, kind: EntryKind | null): TierRecord[] {
  return tierable(view)
    .filter((entry) => kind === null || entry.kind === kind)
    .map(toRecord)
    .sort((a, b) => a.tier - b.tier || compareText(a.catalog, b.catalog));
}

function selectEntries(view: ScopeView, selection: TierSelection): LibraryEntry[] {
  const { id, plugins, kind, all } = selection;
  const ways = (id === null ? 0 : 1) + (plugins.length > 0 ? 1 : 0) + (all ? 1 : 0);
  if (ways !== 1) {
    throw new LecternError('usage', 'name one entry, or give --plugin, or (to clear) --all');
  }
  const ofKind = tierable(view).filter((entry) => kind === null || entry.kind === kind);
  if (all) return ofKind;
  const found = id === null ? inPlugins(view, plugins, ofKind) : byId(id, ofKind);
  if (found.length > 0) return found;
  const off = id === null ? undefined : disabledEntry(view, id, kind);
  if (off !== undefined) {
    throw new LecternError('entry_not_found', off.message, { next: off.next });
  }
  const why = id === null ? undefined : whyTierless(view, id, kind);
  if (why !== undefined)
    throw new LecternError('entry_not_found', why, { next: 'lectern tier list' });
  throw new LecternError(
    'entry_not_found',
    `no enabled skill or command answers to ${id === null ? plugins.join(', ') : `"${id}"`}`,
    { next: 'lectern tier list' },
  );
}

function inPlugins(
  view: ScopeView,
  tokens: readonly string[],
  entries: readonly LibraryEntry[],
): LibraryEntry[] {
  const ids = new Set(
    selectPlugins(view, tokens, null).refs.map((ref) => `${ref.catalog}/${ref.plugin}`),
  );
  return entries.filter((entry) => ids.has(`${entry.catalog}/${entry.plugin}`));
}

function byId(id: string, entries: readonly LibraryEntry[]): LibraryEntry[] {
  const isGlob = id.includes('*');
  if (isGlob && !/[:/]/.test(id)) {
    throw new LecternError('usage', `"${id}" would be every plugin's: write <plugin>/<entry>`);
  }
  const found = entries.filter((entry) =>
    formsOf(entry).some((form) => (isGlob ? matchesGlob(form, id) : form === id)),
  );
  if (found.length > 1 && !isGlob) {
    const names = found.map((it) => `${it.catalog}/${it.plugin}/${it.name} (${it.kind})`);
    throw new LecternError('usage', `"${id}" is several entries: ${names.join(', ')}`);
  }
  return found;
}

/** For an enabled entry that takes no tier, as `tierable` has it. */
function whyTierless(view: ScopeView, id: string, kind: EntryKind | null): string | undefined {
  const entry = view.enabled.find(
    (it) => (kind === null || it.kind === kind) && formsOf(it).includes(id),
  );
  if (entry === undefined) return undefined;
  return entry.kind === 'agent'
    ? `"${id}" is an agent, and agents take no tier`
    : `"${id}" is the project's own, and takes no tier`;
}

/** Agents never take a tier; neither do a project's own entries, which no state row describes. */
function tierable(view: ScopeView): LibraryEntry[] {
  return view.enabled.filter((it) => it.kind !== 'agent' && it.home.home.enrolment !== null);
}

function write(parts: LibraryParts, entries: readonly LibraryEntry[], tier: number | null): void {
  parts.state.tiers.set(
    entries.map((entry) => ({
      catalogId: entry.home.home.enrolment!.id,
      plugin: entry.plugin,
      kind: entry.kind,
      name: entry.name,
      tier,
    })),
  );
}

function toRecord(entry: LibraryEntry): TierRecord {
  return {
    catalog: entry.catalog,
    plugin: entry.plugin,
    name: entry.name,
    kind: entry.kind,
    tier: entry.tier,
  };
}
