import { existsSync } from 'node:fs';
import { access, constants, realpath, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { isInside, resolveReal } from '../catalog/contain.ts';
import { toSafeSegment } from '../catalog/identity.ts';
import { catalogKey, parseSource } from '../catalog/source.ts';
import { LecternError } from '../core/errors.ts';
import type { RootReading } from '../store/indexer-port.ts';
import type { EnrolmentRow } from '../store/state/enrolments.ts';
import type { WorkspaceRow } from '../store/state/workspaces.ts';
import type { KeyedLock } from './keyed-lock.ts';
import { toFileUrl } from './list-catalogs.ts';
import type { LibraryParts, LocatedSession, ReportProgress } from './parts.ts';
import { PROJECT_CATALOG } from './scope-view.ts';
import { isSafeSegment } from './select-plugins.ts';

/** The ref that is recorded where nobody gave one and no branch is known (library contract 3.2). */
const DEFAULT_REF = 'main';

export interface EnrolRequest {
  source: string;
  name: string | null;
  ref: string | null;
}

export interface Enrolled {
  enrolment: EnrolmentRow;
  reading: RootReading;
  commit: string | null;
}

/** A directory that is ready to be read, and how to undo what was done for it. */
interface Prepared {
  kind: EnrolmentRow['kind'];
  url: string;
  root: string;
  ref: string;
  commit: string | null;
  /** The name that the source suggests. */
  name: string;
  /** Deletes the clone, if this call made it. */
  undo: () => Promise<void>;
}

/**
 * Enrol a catalog in a workspace (library contract 3.2; design 1): a directory
 * in place, anything else as a clone. Nothing is half-enrolled: a failure
 * leaves neither clone nor rows.
 *
 * @throws LecternError usage, io, git_failed, manifest_invalid, catalog_already_exists
 */
export async function enrolCatalog(
  parts: LibraryParts,
  locks: KeyedLock,
  workspace: WorkspaceRow,
  request: EnrolRequest,
  session: LocatedSession,
  report: ReportProgress,
): Promise<Enrolled> {
  if (request.name !== null) {
    checkDisplayName(request.name);
    checkFree(parts, workspace, request.name);
  }
  const source = parseSource(request.source, session.cwd);
  if (source.kind === 'directory') {
    const prepared = await prepareDirectory(parts, source.path, request, session);
    return locks.run(prepared.root, () => finish(parts, workspace, request, prepared, report));
  }
  const directory = cloneDirectory(parts, source.publicUrl, request.ref);
  return locks.run(directory, async () => {
    const prepared = await prepareClone(parts, source, directory, request, session, report);
    return finish(parts, workspace, request, prepared, report);
  });
}

async function prepareDirectory(
  parts: LibraryParts,
  path: string,
  request: EnrolRequest,
  session: LocatedSession,
): Promise<Prepared> {
  if (request.ref !== null) {
    throw new LecternError(
      'usage',
      `${path} is a directory and is read as it is; --ref needs a clone`,
      { next: `lectern catalog add ${toFileUrl(path)} --ref ${request.ref}` },
    );
  }
  const root = await realpath(path).catch((cause: NodeJS.ErrnoException) => {
    throw explainUnreadable(path, request.source, cause);
  });
  const found = await stat(root);
  if (!found.isDirectory()) throw new LecternError('io', `${root} is not a directory`);
  await access(root, constants.R_OK | constants.X_OK).catch((cause: NodeJS.ErrnoException) => {
    throw new LecternError('io', `cannot read ${root}: ${cause.code}`, { cause });
  });
  const home = session.env['HOME'] ?? homedir();
  if (isInside(root, resolveReal(home) ?? home)) {
    throw new LecternError('usage', `${root} holds the home directory`, {
      next: 'enrol the directory that holds the skills',
    });
  }
  // Its own files would be watched, read and indexed for ever, each change causing the next.
  const state = resolveReal(parts.paths.root) ?? parts.paths.root;
  if (isInside(root, state) || isInside(state, root)) {
    throw new LecternError('usage', `${root} is, or holds, lectern's own state`, {
      next: 'enrol the directory that holds the skills',
    });
  }
  const { branch, commit } = await parts.git.head(root);
  return {
    kind: 'directory',
    url: toFileUrl(root),
    root,
    ref: branch ?? DEFAULT_REF,
    commit,
    name: basename(root),
    undo: async () => {},
  };
}

/** What is wrong with a source that was taken for a path, in words. */
function explainUnreadable(
  path: string,
  source: string,
  cause: NodeJS.ErrnoException,
): LecternError {
  const isGone = cause.code === 'ENOENT' || cause.code === 'ENOTDIR';
  const host = /^(gh|gl|bb):/.exec(source.trim())?.[1];
  if (isGone && host !== undefined) {
    return new LecternError(
      'io',
      `"${source}" is not of the form ${host}:OWNER/REPO, and no directory of that name is here`,
      { cause, next: `lectern catalog add ${host}:OWNER/REPO` },
    );
  }
  return new LecternError(
    'io',
    isGone ? `no such directory: ${path}` : `cannot read ${path}: ${cause.code}`,
    {
      cause,
      ...(isGone ? { next: 'name a directory, a URL, or owner/repo of GitHub' } : {}),
    },
  );
}

/**
 * Where the clone of a URL lies: one per URL (library contract 1.1), and one
 * more for each other ref, so that two workspaces can hold different refs.
 */
function cloneDirectory(parts: LibraryParts, url: string, ref: string | null): string {
  const directory = join(parts.paths.catalogs, catalogKey(url));
  const first = parts.state.enrolments.all().find((row) => row.root === directory);
  if (first === undefined || ref === null || ref === first.ref) return directory;
  return `${directory}-${catalogKey(`${url}#${ref}`).slice(0, 12)}`;
}

async function prepareClone(
  parts: LibraryParts,
  source: { url: string; publicUrl: string; name: string },
  directory: string,
  request: EnrolRequest,
  session: LocatedSession,
  report: ReportProgress,
): Promise<Prepared> {
  const known = parts.state.enrolments.all().find((row) => row.root === directory);
  const shared = {
    kind: 'git',
    url: source.publicUrl,
    root: directory,
    name: source.name,
  } as const;
  if (known !== undefined && (await stat(directory).catch(() => undefined)) !== undefined) {
    const { commit } = await parts.git.head(directory);
    return { ...shared, ref: known.ref, commit, undo: async () => {} };
  }
  report('cloning', 0, null);
  // A directory that no enrolment knows is left over from a clone that was cut short.
  await rm(directory, { recursive: true, force: true });
  const cloned = await parts.git
    .clone(source.url, request.ref, directory, session.env)
    .catch((error) => {
      throw remindOfPath(error, request.source, session.cwd);
    });
  return {
    ...shared,
    ref: request.ref ?? cloned.branch ?? DEFAULT_REF,
    commit: cloned.commit,
    undo: async () => {
      if (known === undefined) await rm(directory, { recursive: true, force: true });
    },
  };
}

/** `owner/repo` is a repository even where a directory of that name lies here (library contract 3.1). */
function remindOfPath(error: unknown, source: string, cwd: string): unknown {
  const isMeant = /^[^:]+\/[^/]+$/.test(source) && existsSync(resolve(cwd, source));
  if (!isMeant || !(error instanceof LecternError)) return error;
  return new LecternError(error.category, error.message, {
    ...error.details,
    next: `lectern catalog add ./${source}`,
  });
}

async function finish(
  parts: LibraryParts,
  workspace: WorkspaceRow,
  request: EnrolRequest,
  prepared: Prepared,
  report: ReportProgress,
): Promise<Enrolled> {
  const isKnown = parts.state.enrolments.all().some((row) => row.root === prepared.root);
  try {
    report('reading', 0, null);
    const reading = await parts.indexer.addRoot(
      { root: prepared.root, kind: 'catalog' },
      (progress) => report(progress.stage, progress.done, progress.total),
    );
    checkHoldsSomething(prepared, reading);
    const name = chooseName(parts, workspace, request, prepared, reading);
    const enrolment = parts.state.enrolments.add({
      workspaceId: workspace.id,
      name,
      kind: prepared.kind,
      url: prepared.url,
      ref: prepared.ref,
      refGiven: request.ref !== null,
      root: prepared.root,
    });
    return { enrolment, reading, commit: prepared.commit };
  } catch (error) {
    if (!isKnown) await parts.indexer.removeRoot(prepared.root);
    await prepared.undo();
    throw error;
  }
}

/**
 * A directory of something else is a mistake that is told at once, with what
 * kept its files from being read, if anything did.
 *
 * @throws LecternError manifest_invalid (5)
 */
function checkHoldsSomething({ kind, url, root }: Prepared, reading: RootReading): void {
  if (reading.format !== 'folder' || reading.plugins > 0) return;
  const where = kind === 'git' ? url : root;
  const problem = reading.problems.find(({ severity }) => severity === 'error');
  const why = problem === undefined ? '' : ` (${problem.file}: ${problem.message})`;
  throw new LecternError(
    'manifest_invalid',
    `${where} is not a catalog: it has no manifest and holds no skills, commands or agents${why}`,
    {
      next: problem?.fix ?? 'name the directory that holds skills/, commands/ or agents/',
    },
  );
}

/**
 * The display name: the one given, else the manifest's, else the source's. One
 * that a Tome manifest declares is never changed; a derived one is made unique.
 *
 * @throws LecternError catalog_already_exists (4)
 */
function chooseName(
  parts: LibraryParts,
  workspace: WorkspaceRow,
  request: EnrolRequest,
  prepared: Prepared,
  reading: RootReading,
): string {
  const rows = parts.state.enrolments.of(workspace.id);
  const wanted = request.name ?? toSafeSegment(reading.name || prepared.name);
  const same = rows.find((row) => row.root === prepared.root);
  if (same !== undefined && (request.name === null || request.name === same.name)) {
    throw new LecternError(
      'catalog_already_exists',
      `workspace "${workspace.name}" has ${prepared.url} already, as "${same.name}"`,
      { next: `lectern catalog show ${same.name}` },
    );
  }
  if (request.name !== null || reading.format === 'tome') {
    if (wanted === PROJECT_CATALOG) return firstFree(rows, wanted);
    checkFree(parts, workspace, wanted);
    return wanted;
  }
  return firstFree(rows, wanted);
}

function firstFree(rows: readonly EnrolmentRow[], wanted: string): string {
  const taken = new Set([PROJECT_CATALOG, ...rows.map((row) => row.name)]);
  if (!taken.has(wanted)) return wanted;
  for (let number = 2; ; number++) {
    if (!taken.has(`${wanted}-${number}`)) return `${wanted}-${number}`;
  }
}

function checkFree(parts: LibraryParts, workspace: WorkspaceRow, name: string): void {
  const row = parts.state.enrolments.named(workspace.id, name);
  if (row === undefined) return;
  throw new LecternError(
    'catalog_already_exists',
    `workspace "${workspace.name}" has a catalog "${name}" already: ${row.url}`,
  );
}

function checkDisplayName(name: string): void {
  if (!isSafeSegment(name)) {
    throw new LecternError(
      'usage',
      `"${name}" cannot name a catalog: no slash, no star, no leading dot, not empty`,
    );
  }
  if (name === PROJECT_CATALOG) {
    throw new LecternError(
      'usage',
      `"${name}" is the name of the project's own skills; choose another`,
    );
  }
}
