import { lstat, mkdir, readFile, realpath, rename, rm, rmdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { isInside } from '../catalog/contain.ts';
import { replaceFile } from '../core/atomic-file.ts';
import { shellWord } from '../core/entry-id.ts';
import { LecternError } from '../core/errors.ts';
import { toRfc3339 } from '../core/rfc3339.ts';
import { GLOBAL_WORKSPACE } from '../store/state/global-workspace.ts';
import type { WorkspaceRow } from '../store/state/workspaces.ts';
import type { LibraryParts, LocatedSession } from './parts.ts';
import { forgetRoot } from './remove-catalog.ts';
import { checkWorkspaceName, findWorkspace, type ResolvedScope } from './resolve-scope.ts';
import type { ScopeView } from './scope-view.ts';
import { isEnabled } from './set-plugins-enabled.ts';

const MARKER_FOLDER = '.lectern';
const MARKER_FILE = 'config.toml';
const RULES_FILE = 'RULES.md';

/** `workspace current` (library contract 4.4). @throws LecternError workspace_not_bound (12) */
export function describeCurrent(scope: ResolvedScope): object {
  if (scope.source === 'global_fallback') {
    throw new LecternError(
      'workspace_not_bound',
      'no workspace is bound to this directory; "global" is used',
      { next: 'lectern workspace use NAME' },
    );
  }
  return {
    workspace: scope.workspace.name,
    scope: scopeOf(scope.workspace),
    source: scope.source,
    ...(scope.projectRoot === null ? {} : { project_root: scope.projectRoot }),
  };
}

/** `workspace list` rows, sorted by name; exactly one is current. */
export function listWorkspaces(
  parts: LibraryParts,
  current: WorkspaceRow,
  viewOf: (workspace: WorkspaceRow) => ScopeView,
): object[] {
  const bindings = parts.state.bindings.all();
  return parts.state.workspaces.all().map((workspace) => {
    const view = viewOf(workspace);
    return {
      name: workspace.name,
      catalogs: view.catalogs.length,
      enabled_plugins: enabledPlugins(view).length,
      indexed_skills: view.enabled.length,
      bound_projects: bindings.filter((it) => it.workspaceId === workspace.id).length,
      last_used_at: workspace.lastUsedAt === null ? null : toRfc3339(workspace.lastUsedAt),
      current: workspace.id === current.id,
    };
  });
}

/** `workspace info` (library contract 4.4). */
export function describeWorkspace(
  parts: LibraryParts,
  scope: ResolvedScope,
  view: ScopeView,
  withDetails: boolean,
): object {
  const { workspace } = scope;
  // The project's own folders are of the directory, not of the workspace.
  const enrolled = view.catalogs.filter((it) => it.enrolment !== null);
  const enabled = enabledPlugins(view);
  const model = parts.search.model();
  return {
    name: workspace.name,
    scope: scopeOf(workspace),
    path: workspaceDirectory(parts, workspace.name),
    source: scope.source,
    catalogs: enrolled.length,
    plugins_total: enrolled.reduce((sum, it) => sum + it.plugins.length, 0),
    plugins_enabled: enabled.length,
    skills_indexed: view.enabled.length,
    schema_version: parts.indexer.health().schemaVersion,
    embedder: { name: model.name, version: model.version },
    enrolled_catalogs: parts.state.enrolments
      .of(workspace.id)
      .map((row) => ({ name: row.name, url: row.url, pinned_ref: row.ref })),
    enabled_plugins: enabled.map((plugin) => ({
      catalog: plugin.catalog,
      plugin: plugin.name,
      skill_count: plugin.entries.filter((it) => it.isEnabled).length,
    })),
    bound_projects: parts.state.bindings
      .all()
      .filter((it) => it.workspaceId === workspace.id)
      .map((it) => it.projectPath),
    summary_cache: null,
    ...(withDetails
      ? {
          plugin_details: enabled.map((plugin) => ({
            catalog: plugin.catalog,
            plugin: plugin.name,
            version: plugin.plugin.version,
            description: plugin.plugin.description,
          })),
        }
      : {}),
  };
}

/**
 * Create a workspace (library contract 4.4).
 *
 * @throws LecternError workspace_name_invalid (15), workspace_already_exists (14)
 */
export async function initWorkspace(
  parts: LibraryParts,
  name: string,
  options: { inheritGlobal: boolean; bind: boolean },
  session: LocatedSession,
): Promise<object> {
  const workspace = create(parts, name);
  const inherited = options.inheritGlobal ? inheritGlobal(parts, workspace) : 0;
  const path = workspaceDirectory(parts, name);
  await mkdir(path, { recursive: true, mode: 0o700 });
  if (options.bind) await bindDirectory(parts, workspace, session, false);
  return {
    name,
    path,
    catalogs_inherited: inherited,
    id: workspace.id,
    ...(options.bind ? { bound: true } : {}),
  };
}

/**
 * Bind the session's directory to a workspace (library contract 4.4).
 *
 * @throws LecternError usage (2) for home, `/` and above; workspace_not_found (13)
 */
export async function useWorkspace(
  parts: LibraryParts,
  name: string,
  options: { create: boolean; force: boolean },
  session: LocatedSession,
): Promise<object> {
  checkWorkspaceName(name);
  await checkBindable(parts, session, options.force);
  const isNew = options.create && parts.state.workspaces.named(name) === undefined;
  const workspace = isNew ? create(parts, name) : findWorkspace(name, parts.state);
  const bound = await bindDirectory(parts, workspace, session, options.force);
  return { workspace: name, ...bound, ...(isNew ? { created: true } : {}) };
}

/**
 * Remove a workspace (library contract 4.4). With `force` its projects lose
 * their marker; other files in them stay.
 *
 * @throws LecternError workspace_name_invalid (15), workspace_not_found (13), workspace_has_bound_projects (16)
 */
export async function removeWorkspace(
  parts: LibraryParts,
  name: string,
  force: boolean,
): Promise<object> {
  checkOrdinary(name);
  const workspace = findWorkspace(name, parts.state);
  const bound = parts.state.bindings.all().filter((it) => it.workspaceId === workspace.id);
  if (bound.length > 0 && !force) {
    const paths = bound.map((it) => it.projectPath).join(', ');
    throw new LecternError(
      'workspace_has_bound_projects',
      `${bound.length === 1 ? '1 project is' : `${bound.length} projects are`} bound to "${name}": ${paths}`,
      { next: `lectern workspace remove ${name} --force` },
    );
  }
  const orphaned: string[] = [];
  for (const { projectPath } of bound) {
    await removeMarker(projectPath).catch(() => orphaned.push(markerPath(projectPath)));
  }
  const enrolments = parts.state.enrolments.of(workspace.id);
  parts.state.workspaces.remove(workspace.id);
  const cleaned: string[] = [];
  for (const enrolment of enrolments) {
    if (await forgetRoot(parts, enrolment)) cleaned.push(enrolment.root);
  }
  await rm(workspaceDirectory(parts, name), { recursive: true, force: true });
  return {
    removed: name,
    bound_projects_torn_down: bound.length,
    catalog_caches_cleaned: cleaned,
    orphaned_paths: orphaned,
  };
}

/**
 * Rename a workspace (library contract 4.4): its markers keep their other
 * keys, its directory moves with its plugin data.
 *
 * @throws LecternError workspace_name_invalid (15), workspace_not_found (13),
 *   workspace_already_exists (14), workspace_malformed (70)
 */
export async function renameWorkspace(
  parts: LibraryParts,
  oldName: string,
  newName: string,
): Promise<object> {
  checkOrdinary(oldName);
  checkOrdinary(newName);
  if (oldName === newName) {
    throw new LecternError(
      'workspace_name_invalid',
      `the workspace is called "${oldName}" already`,
    );
  }
  const workspace = findWorkspace(oldName, parts.state);
  if (parts.state.workspaces.named(newName) !== undefined) throw exists(newName);
  const bound = parts.state.bindings.all().filter((it) => it.workspaceId === workspace.id);
  for (const { projectPath } of bound) {
    if ((await stat(projectPath).catch(() => undefined)) === undefined) {
      throw new LecternError('workspace_malformed', `a bound project is missing: ${projectPath}`, {
        next: `mkdir ${shellWord(projectPath)}, then again; lectern workspace remove ${oldName} --force lets go of it`,
      });
    }
  }
  parts.state.workspaces.rename(workspace.id, newName);
  const directory = workspaceDirectory(parts, newName);
  await rename(workspaceDirectory(parts, oldName), directory).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    },
  );
  for (const { projectPath } of bound) await writeMarker(projectPath, newName);
  return {
    old_name: oldName,
    new_name: newName,
    bound_projects_updated: bound.length,
    workspace_dir: directory,
  };
}

/** Plugins that count as enabled, in listing order; the project's own are no one's decision. */
function enabledPlugins(view: ScopeView) {
  return view.catalogs
    .filter((catalog) => catalog.enrolment !== null)
    .flatMap((catalog) => catalog.plugins.filter(isEnabled));
}

function create(parts: LibraryParts, name: string): WorkspaceRow {
  checkOrdinary(name);
  if (parts.state.workspaces.named(name) !== undefined) throw exists(name);
  return parts.state.workspaces.create(name);
}

function exists(name: string): LecternError {
  return new LecternError('workspace_already_exists', `there is a workspace "${name}" already`, {
    next: `lectern workspace use ${name}`,
  });
}

function checkOrdinary(name: string): void {
  checkWorkspaceName(name);
  if (name !== GLOBAL_WORKSPACE) return;
  throw new LecternError('workspace_name_invalid', `"${GLOBAL_WORKSPACE}" is reserved`);
}

function inheritGlobal(parts: LibraryParts, workspace: WorkspaceRow): number {
  const global = parts.state.workspaces.named(GLOBAL_WORKSPACE)!;
  const rows = parts.state.enrolments.of(global.id);
  for (const { id: _id, addedAt: _addedAt, ...row } of rows) {
    parts.state.enrolments.add({ ...row, workspaceId: workspace.id });
  }
  return rows.length;
}

/** @returns the canonical directory of the session */
async function checkBindable(
  parts: LibraryParts,
  session: LocatedSession,
  force: boolean,
): Promise<string> {
  const project = await realpath(session.cwd).catch((cause: NodeJS.ErrnoException) => {
    throw new LecternError('io', `cannot read ${session.cwd}: ${cause.code}`, { cause });
  });
  if (join(project, MARKER_FOLDER) === parts.paths.root) {
    throw new LecternError(
      'usage',
      `${project} holds the state of lectern and cannot be a project`,
    );
  }
  const home = session.env['HOME'] ?? homedir();
  const realHome = await realpath(home).catch(() => home);
  if (isInside(project, realHome) && !force) {
    throw new LecternError('usage', `${project} is or holds the home directory`, {
      next: 'run it in the directory of a project, or add --force',
    });
  }
  return project;
}

async function bindDirectory(
  parts: LibraryParts,
  workspace: WorkspaceRow,
  session: LocatedSession,
  force: boolean,
): Promise<{ project_root: string; created_marker: boolean; rebind_from: string | null }> {
  const project = await checkBindable(parts, session, force);
  const before = parts.state.bindings.all().find((it) => it.projectPath === project);
  const from = parts.state.workspaces.all().find((it) => it.id === before?.workspaceId);
  const created = await writeMarker(project, workspace.name);
  parts.state.bindings.bind(project, workspace.id);
  return {
    project_root: project,
    created_marker: created,
    rebind_from: from === undefined || from.id === workspace.id ? null : from.name,
  };
}

/** Write the marker, or change its workspace and keep the rest. @returns whether it is new */
async function writeMarker(project: string, workspace: string): Promise<boolean> {
  const path = markerPath(project);
  // A repository may bring a link along: what is written goes into the project, or nowhere.
  const folder = await lstat(dirname(path)).catch(() => undefined);
  if (folder?.isSymbolicLink()) throw new LecternError('io', `${dirname(path)} is a link`);
  const found = await readFile(path, 'utf8').catch(() => undefined);
  const line = `workspace = "${workspace}"`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const key = /^[ \t]*workspace[ \t]*=.*$/m;
  const content =
    found === undefined
      ? `${line}\n`
      : key.test(found)
        ? found.replace(key, line)
        : `${line}\n${found}`;
  await replaceFile(path, content);
  return found === undefined;
}

/** What lectern wrote there goes, and the folder with it unless somebody put something else in. */
async function removeMarker(project: string): Promise<void> {
  const folder = join(project, MARKER_FOLDER);
  const found = await lstat(folder).catch(() => undefined);
  if (found === undefined) return;
  if (!found.isDirectory()) throw new LecternError('io', `${folder} is a link`);
  for (const file of [MARKER_FILE, RULES_FILE]) await rm(join(folder, file), { force: true });
  await rmdir(folder).catch(() => {});
}

function markerPath(project: string): string {
  return join(project, MARKER_FOLDER, MARKER_FILE);
}

function workspaceDirectory(parts: LibraryParts, name: string): string {
  return join(parts.paths.workspaces, name);
}

function scopeOf(workspace: WorkspaceRow): 'global' | 'workspace' {
  return workspace.name === GLOBAL_WORKSPACE ? 'global' : 'workspace';
}
