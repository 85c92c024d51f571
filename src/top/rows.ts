import { agentOf, type CatalogRow, type ProblemRow, workspaceOf } from './columns.ts';
import { clockTime, shortAge, shortCount, shortLatency } from './numbers.ts';
import type { Catalog, Search, SessionRow } from './snapshot.ts';

/** Rows of the tables as the document shows them: text in every cell, facts for the colours. */

export function shapeSession(session: SessionRow, home: string) {
  return {
    id: session.id,
    pid: String(session.pid),
    agent: agentOf(session),
    surface: session.role === 'admin' ? 'admin' : session.surface,
    workspace: workspaceOf(session),
    calls: shortCount(session.calls),
    busy: session.inFlight === 0 ? '' : shortCount(session.inFlight),
    is_busy: session.inFlight > 0,
    age: shortAge(session.ageMs),
    directory: withTilde(session.cwd, home),
  };
}

export function shapeSearch(search: Search) {
  return {
    id: search.id,
    time: clockTime(search.at),
    query: search.query,
    best: search.best ?? 'nothing',
    is_weak: search.best === null || search.relevance === 'weak',
    matches: String(search.matches),
    took: shortLatency(search.ms),
    agent: search.harness ?? 'command',
    workspace: search.workspace,
  };
}

export function shapeCatalog(catalog: CatalogRow, home: string) {
  const dropped = catalog.entries?.dropped ?? 0;
  const problems = catalog.problems ?? 0;
  return {
    id: catalog.name,
    name: catalog.name,
    loaded: catalog.entries === undefined ? '–' : shortCount(catalog.entries.loaded),
    dropped: dropped === 0 ? '' : shortCount(dropped),
    has_dropped: dropped > 0,
    problems: problems === 0 ? '' : shortCount(problems),
    has_problems: problems > 0,
    format: catalog.format ?? '',
    changes: catalog.polled !== null ? 'polled' : catalog.in_place === true ? 'watched' : 'clone',
    is_polled: catalog.polled !== null,
    source: withTilde(pathOf(catalog.url), home),
  };
}

export function shapeProblem(problem: ProblemRow, home: string) {
  const line = problem.line === undefined ? '' : `:${problem.line}`;
  return {
    id: problem.id,
    kind: problem.severity,
    is_error: problem.severity === 'error',
    is_warning: problem.severity === 'warning',
    catalog: problem.catalog,
    file: `${withTilde(problem.file, home)}${line}`,
    message: problem.message,
  };
}

/** Catalogs with the reason for which theirs are polled. */
export function joinPolled(
  catalogs: readonly Catalog[],
  polled: readonly { root: string; reason: string }[],
): CatalogRow[] {
  return catalogs.map((catalog) => ({
    ...catalog,
    // Where a clone lies is not told; a polled one is named among the facts all the same.
    polled: polled.find(({ root }) => root === pathOf(catalog.url))?.reason ?? null,
  }));
}

/** The directory that a `file://` URL names; other URLs as they are. */
function pathOf(url: string): string {
  return url.startsWith('file:///') ? url.slice('file://'.length) : url;
}

/** A path below the home directory the way people write it. */
export function withTilde(path: string, home: string): string {
  if (home === '' || home === '/') return path;
  return path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

/** Rows of which some cell holds every word of the filter's text, case aside. */
export function filterRows<T extends Record<string, unknown>>(
  rows: readonly T[],
  filter: string,
): T[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...rows];
  return rows.filter((row) => {
    const text = Object.values(row)
      .filter((cell) => typeof cell === 'string')
      .join('\n')
      .toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
