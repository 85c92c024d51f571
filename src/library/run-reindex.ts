import type { Problem } from '../catalog/types.ts';
import { LecternError } from '../core/errors.ts';
import { findCatalog, findPlugin } from './find-plugin.ts';
import { matchesGlob } from './glob.ts';
import type { LibraryParts, ReportProgress } from './parts.ts';
import type { LibraryPlugin, ScopeView } from './scope-view.ts';
import { parsePluginId } from './select-plugins.ts';
import { isEnabled } from './set-plugins-enabled.ts';
import { comparePlugin, takeSnapshot } from './source-changes.ts';

export interface ReindexRequest {
  scopes: readonly string[];
  catalogs: readonly string[];
  plugins: readonly string[];
  force: boolean;
}

export interface Reindexed {
  reindexed: {
    scope: string;
    plugins_visited: number;
    skills_checked: number;
    skills_re_embedded: number;
    skills_unchanged: number;
    duration_ms: number;
  } | null;
  problems: Problem[];
}

/**
 * Read enabled plugins again (library contract 3.9).
 *
 * @throws LecternError usage (2), catalog_not_found (3), plugin_not_found (20)
 */
export async function runReindex(
  parts: LibraryParts,
  view: ScopeView,
  request: ReindexRequest,
  report: ReportProgress,
): Promise<Reindexed> {
  const startedAt = performance.now();
  const visited = selectVisited(view, request);
  if (visited.length === 0) return { reindexed: null, problems: [] };
  const roots = [...new Set(visited.map((plugin) => plugin.home.root))];
  const before = new Map(roots.map((root) => [root, takeSnapshot(parts.indexer.view, root)]));
  const readings = await parts.indexer.reindex(roots, request.force, (progress) =>
    report(progress.stage, progress.done, progress.total),
  );
  let checked = 0;
  let changed = 0;
  for (const plugin of visited) {
    const after = takeSnapshot(parts.indexer.view, plugin.home.root).get(plugin.name);
    const difference = comparePlugin(before.get(plugin.home.root)?.get(plugin.name), after);
    checked += after?.size ?? 0;
    changed += request.force ? (after?.size ?? 0) : difference.added + difference.modified;
  }
  return {
    reindexed: {
      scope: describeScope(request, visited.length),
      plugins_visited: visited.length,
      skills_checked: checked,
      skills_re_embedded: changed,
      skills_unchanged: checked - changed,
      duration_ms: Math.round(performance.now() - startedAt),
    },
    problems: readings.flatMap((reading) => reading.problems),
  };
}

function selectVisited(view: ScopeView, request: ReindexRequest): LibraryPlugin[] {
  if (request.scopes.length > 0 && request.catalogs.length + request.plugins.length > 0) {
    throw new LecternError('usage', 'give scopes, or --catalog and --plugin: not both');
  }
  const visited = new Set<LibraryPlugin>();
  const all = view.catalogs.flatMap((catalog) => catalog.plugins).filter(isEnabled);
  const tokens = [...request.scopes, ...request.plugins];
  if (tokens.length + request.catalogs.length === 0) return all;
  for (const token of tokens)
    for (const plugin of selectScope(view, token, all)) visited.add(plugin);
  for (const name of request.catalogs) {
    for (const plugin of findCatalog(view, name).plugins) {
      if (isEnabled(plugin)) visited.add(plugin);
    }
  }
  return [...visited];
}

function selectScope(
  view: ScopeView,
  token: string,
  enabled: readonly LibraryPlugin[],
): LibraryPlugin[] {
  if (token.includes('*')) {
    const [catalogGlob, pluginGlob, ...rest] = token.split('/');
    const found = enabled.filter(
      (plugin) =>
        matchesGlob(plugin.catalog, catalogGlob!) && matchesGlob(plugin.name, pluginGlob ?? '*'),
    );
    if (found.length > 0 && rest.length === 0) return found;
    throw new LecternError('usage', `"${token}" matches no enabled plugin`);
  }
  if (!token.includes('/')) return findCatalog(view, token).plugins.filter(isEnabled);
  const plugin = findPlugin(view, parsePluginId(token));
  if (isEnabled(plugin)) return [plugin];
  throw new LecternError('plugin_not_found', `plugin "${token}" is not enabled`, {
    next: `lectern plugin enable ${token}`,
  });
}

function describeScope(request: ReindexRequest, plugins: number): string {
  const tokens = [...request.scopes, ...request.catalogs, ...request.plugins];
  if (tokens.length === 0) return 'all';
  return `${tokens.join(',')} (${plugins} ${plugins === 1 ? 'plugin' : 'plugins'})`;
}
