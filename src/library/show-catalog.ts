import { stat } from 'node:fs/promises';
import { LecternError } from '../core/errors.ts';
import { findCatalog } from './find-plugin.ts';
import { describeCatalog, problemsOf, tallyEntries } from './list-catalogs.ts';
import type { LibraryCatalog, ScopeView } from './scope-view.ts';

/** `catalog list` rows: the contract's members, then ours. */
export async function listCatalogRows(view: ScopeView): Promise<object[]> {
  return Promise.all(
    view.catalogs.filter((catalog) => catalog.enrolment !== null).map(describeRow),
  );
}

/** One catalog's row with what was found in it. */
export async function describeRow(catalog: LibraryCatalog): Promise<object> {
  const format = catalog.source?.format ?? null;
  return {
    ...(await describeCatalog(catalog)),
    in_place: catalog.enrolment?.kind !== 'git',
    ...(format === null ? {} : { format }),
    entries: tallyEntries(catalog),
    problems: problemsOf(catalog).length,
  };
}

/**
 * One catalog as its manifest describes it (library contract 3.3).
 *
 * @throws LecternError catalog_not_found (3), io (7) when it is gone from disk
 */
export async function showCatalog(view: ScopeView, name: string): Promise<object> {
  const catalog = findCatalog(view, name);
  const { source } = catalog;
  const isThere = (await stat(catalog.root).catch(() => undefined)) !== undefined;
  if (source === undefined || !isThere) {
    throw new LecternError('io', `catalog "${name}" is not on disk: ${catalog.root}`, {
      next: `lectern catalog update ${name}`,
    });
  }
  const row = await describeCatalog(catalog);
  return {
    name: source.name ?? name,
    description: source.description,
    version: source.version,
    owner: source.owner,
    registered: {
      url: row.url,
      ref: row.ref,
      ...(row.last_synced === undefined ? {} : { last_synced: row.last_synced }),
    },
    plugins: catalog.plugins.map((plugin) => ({
      name: plugin.name,
      source: plugin.plugin.source,
    })),
    in_place: catalog.enrolment?.kind !== 'git',
    format: source.format,
    root: catalog.root,
    entries: tallyEntries(catalog),
    external: source.external.map(({ name: plugin, source: where }) => ({
      name: plugin,
      source: where,
    })),
    problems: problemsOf(catalog).map((it) => it.problem),
  };
}

/** Every problem of the workspace's catalogs, or of one (problems.list). */
export function listProblems(view: ScopeView, name: string | null): object[] {
  const catalogs = name === null ? view.catalogs : [findCatalog(view, name)];
  return catalogs.flatMap((catalog) =>
    problemsOf(catalog).map(({ plugin, problem }) => ({
      catalog: catalog.name,
      plugin,
      ...problem,
    })),
  );
}
