import { LecternError } from '../core/errors.ts';
import type { LibraryCatalog, LibraryPlugin, ScopeView } from './scope-view.ts';
import type { PluginRef } from './select-plugins.ts';

/** @throws LecternError catalog_not_found (3) */
export function findCatalog(view: ScopeView, name: string): LibraryCatalog {
  const catalog = view.catalogs.find((it) => it.name === name);
  if (catalog !== undefined) return catalog;
  const names = view.catalogs.map((it) => it.name).join(', ') || 'none';
  throw new LecternError(
    'catalog_not_found',
    `no catalog "${name}" in workspace "${view.workspace.name}"; it has: ${names}`,
  );
}

/** @throws LecternError catalog_not_found (3), plugin_not_found (20) */
export function findPlugin(view: ScopeView, ref: PluginRef): LibraryPlugin {
  const catalog = findCatalog(view, ref.catalog);
  const plugin = catalog.plugins.find((it) => it.name === ref.plugin);
  if (plugin !== undefined) return plugin;
  const external = catalog.source?.external.find((it) => it.name === ref.plugin);
  if (external !== undefined) {
    throw new LecternError(
      'plugin_not_found',
      `plugin "${ref.plugin}" of "${ref.catalog}" lies elsewhere and was not fetched: ${external.source}`,
      { next: `lectern catalog add ${external.source}` },
    );
  }
  throw new LecternError(
    'plugin_not_found',
    `catalog "${ref.catalog}" has no plugin "${ref.plugin}"`,
    { next: `lectern plugin list --catalog ${ref.catalog}` },
  );
}
