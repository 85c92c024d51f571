import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parse } from 'smol-toml';
import { z } from 'zod';
import type { Config } from '../core/config.ts';
import { LecternError } from '../core/errors.ts';
import { GLOBAL_WORKSPACE } from '../store/state/global-workspace.ts';
import type { StateStore } from '../store/state/state-store.ts';
import type { WorkspaceRow } from '../store/state/workspaces.ts';

export type ScopeSource = 'flag' | 'env' | 'config' | 'project_marker' | 'global_fallback';

/** The workspace that a session works in (library contract 4.1). */
export interface ResolvedScope {
  workspace: WorkspaceRow;
  source: ScopeSource;
  /** Canonical; only a project marker yields one. */
  projectRoot: string | null;
  /** The marker's own settings, when one decided. */
  marker: ProjectMarker | null;
}

/** What a session brings to the resolution. */
export interface ScopeRequest {
  flag: string | null;
  /** Null: no directory is known, and no project marker consulted. */
  cwd: string | null;
  env: Readonly<Record<string, string | undefined>>;
}

/** `<project>/.lectern/config.toml` (library contract 4.2). */
const markerSchema = z.strictObject({
  workspace: z.string(),
  harnesses: z.array(z.string()).optional(),
  expose_agents_as_personas: z.boolean().optional(),
  strip_plugin_agent_privileges: z.boolean().optional(),
});
export type ProjectMarker = z.output<typeof markerSchema>;

export interface FoundMarker {
  /** Canonical directory that holds the marker. */
  projectRoot: string;
  /** Absolute path of the file. */
  path: string;
  /** Written for Tome, and read by us too (design 1). */
  isTome: boolean;
  marker: ProjectMarker;
}

/** Library contract 2.1. */
const MAX_MARKER_BYTES = 1024 * 1024;

/** Deeper than any real project; bounds the walk on a crafted working directory. */
const MAX_LEVELS = 256;

/** 1–64 of `A–Z a–z 0–9 - _`, first and last alphanumeric (library contract 4.1). */
export function isWorkspaceName(name: string): boolean {
  return /^[A-Za-z0-9](?:[A-Za-z0-9_-]{0,62}[A-Za-z0-9])?$/.test(name);
}

/**
 * @param namedBy what says the name, where no person just typed it
 * @throws LecternError workspace_name_invalid (15)
 */
export function checkWorkspaceName(name: string, namedBy?: string): void {
  if (isWorkspaceName(name)) return;
  throw new LecternError(
    'workspace_name_invalid',
    `"${name}"${namedBy === undefined ? '' : ` (${namedBy})`} is no workspace name: 1 to 64 of A-Z a-z 0-9 - _, with a letter or digit at both ends`,
  );
}

/**
 * Resolve the workspace of a session: flag, `LECTERN_WORKSPACE`, configured
 * default, nearest project marker, `global`.
 *
 * @param stateRoot its own config.toml is never taken for a marker
 * @throws LecternError workspace_name_invalid, workspace_not_found, workspace_malformed
 */
export async function resolveScope(
  request: ScopeRequest,
  config: Config,
  state: StateStore,
  stateRoot: string,
): Promise<ResolvedScope> {
  const named = (name: string, source: ScopeSource, namedBy?: string): ResolvedScope => ({
    workspace: findWorkspace(name, state, namedBy),
    source,
    projectRoot: null,
    marker: null,
  });
  if (request.flag !== null) return named(request.flag, 'flag');
  const fromEnv = request.env['LECTERN_WORKSPACE'];
  if (fromEnv !== undefined && fromEnv !== '') {
    return named(fromEnv, 'env', 'LECTERN_WORKSPACE');
  }
  const configured = config.workspace?.default;
  if (configured !== undefined) {
    return named(configured, 'config', `workspace.default of ${join(stateRoot, 'config.toml')}`);
  }
  const found =
    request.cwd === null ? null : await findMarker(request.cwd, request.env['HOME'], stateRoot);
  // A marker written for Tome names a workspace of Tome's; where we have none of that name it says nothing to us.
  if (
    found !== null &&
    !(found.isTome && state.workspaces.named(found.marker.workspace) === undefined)
  ) {
    return {
      workspace: findWorkspace(found.marker.workspace, state, found.path),
      source: 'project_marker',
      projectRoot: found.projectRoot,
      marker: found.marker,
    };
  }
  return named(GLOBAL_WORKSPACE, 'global_fallback');
}

/** @throws LecternError workspace_name_invalid (15), workspace_not_found (13) */
export function findWorkspace(name: string, state: StateStore, namedBy?: string): WorkspaceRow {
  checkWorkspaceName(name, namedBy);
  const row = state.workspaces.named(name);
  if (row !== undefined) return row;
  const where = namedBy === undefined ? '' : `, which ${namedBy} names`;
  throw new LecternError('workspace_not_found', `there is no workspace "${name}"${where}`, {
    next: `lectern workspace init ${name}`,
  });
}

/**
 * The nearest marker from `cwd` up. A directory that cannot be read ends the walk.
 *
 * @throws LecternError workspace_malformed (70)
 */
export async function findMarker(
  cwd: string,
  home: string | undefined,
  stateRoot: string,
): Promise<FoundMarker | null> {
  let directory = cwd;
  for (let level = 0; level < MAX_LEVELS; level++) {
    for (const [folder, isTome] of [
      ['.lectern', false],
      ['.tome', true],
    ] as const) {
      // `~/.lectern/config.toml` is the configuration, and `~/.tome/config.toml` Tome's (L-073).
      if (directory === home || join(directory, folder) === stateRoot) continue;
      const path = join(directory, folder, 'config.toml');
      const text = await readMarker(path);
      if (text === 'unreadable') return null;
      if (text === 'absent') continue;
      return {
        projectRoot: await realpath(directory),
        path,
        isTome,
        marker: parseMarker(text.content, path),
      };
    }
    const parent = dirname(directory);
    if (parent === directory) return null;
    directory = parent;
  }
  return null;
}

async function readMarker(path: string): Promise<{ content: string } | 'absent' | 'unreadable'> {
  try {
    const found = await stat(path);
    if (!found.isFile()) return 'absent';
    if (found.size > MAX_MARKER_BYTES) {
      throw new LecternError('workspace_malformed', `${path}: over ${MAX_MARKER_BYTES} bytes`);
    }
    return { content: await readFile(path, 'utf8') };
  } catch (error) {
    if (error instanceof LecternError) throw error;
    const code = (error as NodeJS.ErrnoException).code;
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'absent' : 'unreadable';
  }
}

function parseMarker(text: string, path: string): ProjectMarker {
  let document: unknown;
  try {
    document = parse(text);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message.split('\n', 1)[0]! : String(cause);
    throw new LecternError('workspace_malformed', `${path}: ${message}`, { cause });
  }
  const checked = markerSchema.safeParse(document);
  if (checked.success) return checked.data;
  const issue = checked.error.issues[0]!;
  const what =
    issue.code === 'unrecognized_keys'
      ? `unknown key ${issue.keys[0]}`
      : `${issue.path.join('.')}: ${issue.message}`;
  throw new LecternError('workspace_malformed', `${path}: ${what}`);
}
