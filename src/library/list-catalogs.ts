import { stat } from 'node:fs/promises';
import type { Problem } from '../catalog/types.ts';
import { toRfc3339 } from '../core/rfc3339.ts';
import type { LibraryCatalog, ScopeView } from './scope-view.ts';

/** What a project's own folders have in place of a URL and a ref. */
const NO_REF = '';

export interface CatalogRow {
  name: string;
  url: string;
  ref: string;
  plugin_count: number;
  /** RFC 3339; absent when the directory is missing. */
  last_synced?: string;
}

export interface EntryTally {
  found: number;
  loaded: number;
  dropped: number;
}

/** Answer `list_catalogs` (library contract 6.5), and the first members of `catalog list`. */
export async function listCatalogs(
  view: ScopeView,
): Promise<{ workspace: string; catalogs: CatalogRow[] }> {
  return {
    workspace: view.workspace.name,
    catalogs: await Promise.all(view.catalogs.map(describeCatalog)),
  };
}

/** One catalog's row; the modification time of its directory stands for the last sync. */
export async function describeCatalog(catalog: LibraryCatalog): Promise<CatalogRow> {
  const synced = await lastSynced(catalog.root);
  return {
    name: catalog.name,
    url: catalog.enrolment?.url ?? toFileUrl(catalog.root),
    ref: catalog.enrolment?.ref ?? NO_REF,
    plugin_count: countPlugins(catalog),
    ...(synced === undefined ? {} : { last_synced: synced }),
  };
}

/** RFC 3339 modification time of a directory, undefined when it is missing. */
export async function lastSynced(root: string): Promise<string | undefined> {
  const found = await stat(root).catch(() => undefined);
  return found?.isDirectory() === true ? toRfc3339(found.mtimeMs) : undefined;
}

/** Declared plugins, wherever they lie. */
export function countPlugins(catalog: LibraryCatalog): number {
  return catalog.plugins.length + (catalog.source?.external.length ?? 0);
}

export function toFileUrl(root: string): string {
  return `file://${root}`;
}

/** True while the directory itself cannot be read: it is gone, replaced or closed to us. */
export function isRootUnreadable({ source, root }: LibraryCatalog): boolean {
  return source?.problems.some((it) => it.severity === 'error' && it.file === root) === true;
}

/** What a person can do about a catalog whose directory is gone. */
export function fixOfRoot({ name, enrolment }: LibraryCatalog): string {
  return enrolment?.kind === 'git'
    ? `lectern catalog update ${name}`
    : `put the directory back, or: lectern catalog remove ${name}`;
}

/** Every problem of a catalog with where it belongs; entries' own included. */
export function problemsOf(catalog: LibraryCatalog): { plugin: string | null; problem: Problem }[] {
  return [
    ...(catalog.source?.problems ?? []).map((problem) => ({
      plugin: null,
      problem:
        catalog.enrolment !== null && problem.severity === 'error' && problem.file === catalog.root
          ? { ...problem, fix: fixOfRoot(catalog) }
          : problem,
    })),
    ...catalog.plugins.flatMap((plugin) =>
      [
        ...(plugin.plugin.unusable === null ? [] : [plugin.plugin.unusable]),
        ...plugin.plugin.problems,
        ...plugin.entries.flatMap((entry) => entry.entry.problems),
      ].map((problem) => ({ plugin: plugin.name, problem })),
    ),
  ];
}

/** How many entries were found, and how many of them could be loaded. */
export function tallyEntries(catalog: LibraryCatalog): EntryTally {
  if (catalog.source === undefined) return { found: 0, loaded: 0, dropped: 0 };
  const found = total(catalog.source.found);
  const loaded = total(catalog.source.loaded);
  return { found, loaded, dropped: found - loaded };
}

function total(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}
