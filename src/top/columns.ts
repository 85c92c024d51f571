import type { Catalog, Problem, Search, SessionRow } from './snapshot.ts';

/** The views that are tables, by the ids of their tables. */
export type TableName = 'sessions' | 'searches' | 'catalogs' | 'problems';

export interface Sort {
  readonly by: string;
  readonly isDescending: boolean;
}

/** What a row is sorted by, column by column, in the order that `s` goes through. */
type Columns<T> = Record<string, (row: T) => string | number>;

/** A catalog and whether the system tells its changes. */
export interface CatalogRow extends Catalog {
  polled: string | null;
}

export const sessionColumns: Columns<SessionRow> = {
  pid: (row) => row.pid,
  agent: agentOf,
  surface: (row) => row.surface,
  workspace: workspaceOf,
  calls: (row) => row.calls,
  age: (row) => row.ageMs,
  directory: (row) => row.cwd,
};

export const searchColumns: Columns<Search> = {
  time: (row) => row.id,
  query: (row) => row.query,
  best: (row) => row.best ?? '',
  took: (row) => row.ms,
  agent: (row) => row.harness ?? '',
  workspace: (row) => row.workspace,
};

export const catalogColumns: Columns<CatalogRow> = {
  name: (row) => row.name,
  loaded: (row) => row.entries?.loaded ?? 0,
  dropped: (row) => row.entries?.dropped ?? 0,
  problems: (row) => row.problems ?? 0,
  format: (row) => row.format ?? '',
  source: (row) => row.url,
};

/** A problem has no name of its own: its place in the list stands for one. */
export interface ProblemRow extends Problem {
  id: number;
}

export const problemColumns: Columns<ProblemRow> = {
  kind: (row) => row.severity,
  catalog: (row) => row.catalog,
  file: (row) => row.file,
  message: (row) => row.message,
};

/** The names of every table's columns, first to last. */
export const COLUMN_NAMES: Readonly<Record<TableName, readonly string[]>> = {
  sessions: Object.keys(sessionColumns),
  searches: Object.keys(searchColumns),
  catalogs: Object.keys(catalogColumns),
  problems: Object.keys(problemColumns),
};

/** What a person wants to see first: who works now, what was just asked, what is worst. */
export const FIRST_SORTS: Readonly<Record<TableName, Sort>> = {
  sessions: { by: 'calls', isDescending: true },
  searches: { by: 'time', isDescending: true },
  catalogs: { by: 'name', isDescending: false },
  problems: { by: 'kind', isDescending: false },
};

/** Who a session belongs to, for people. */
export function agentOf({ harness, client, role }: SessionRow): string {
  return harness ?? client ?? (role === 'admin' ? 'command' : 'unnamed');
}

/** The workspace that a session works in; an older daemon does not tell what its directory says. */
export function workspaceOf({ resolvedWorkspace, workspace }: SessionRow): string {
  return resolvedWorkspace ?? workspace ?? 'by folder';
}

/** Rows in the order of `sort`; equal ones keep their order. An unknown column changes nothing. */
export function sortRows<T>(rows: readonly T[], columns: Columns<T>, sort: Sort): T[] {
  const read = columns[sort.by];
  if (read === undefined) return [...rows];
  const sign = sort.isDescending ? -1 : 1;
  return [...rows].sort((a, b) => sign * compare(read(a), read(b)));
}

function compare(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a).localeCompare(String(b));
}
