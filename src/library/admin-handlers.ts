import type { z } from 'zod';
import { LecternError } from '../core/errors.ts';
import { addCatalog } from '../protocol/admin/add-catalog.ts';
import { currentWorkspace } from '../protocol/admin/current-workspace.ts';
import { disablePlugins as disablePluginsMethod } from '../protocol/admin/disable-plugins.ts';
import { enablePlugins as enablePluginsMethod } from '../protocol/admin/enable-plugins.ts';
import { explainQuery as explainQueryMethod } from '../protocol/admin/explain-query.ts';
import { exportState } from '../protocol/admin/export-state.ts';
import { getDoctor } from '../protocol/admin/get-doctor.ts';
import { getEntry } from '../protocol/admin/get-entry.ts';
import { getStatus } from '../protocol/admin/get-status.ts';
import { initWorkspace as initWorkspaceMethod } from '../protocol/admin/init-workspace.ts';
import { listCatalogs } from '../protocol/admin/list-catalogs.ts';
import { listPlugins } from '../protocol/admin/list-plugins.ts';
import { listProblems as listProblemsMethod } from '../protocol/admin/list-problems.ts';
import { listWorkspaces as listWorkspacesMethod } from '../protocol/admin/list-workspaces.ts';
import type { AdminMethod } from '../protocol/admin/method.ts';
import { releaseFile as releaseFileMethod } from '../protocol/admin/release-file.ts';
import { removeCatalog as removeCatalogMethod } from '../protocol/admin/remove-catalog.ts';
import { removeWorkspace as removeWorkspaceMethod } from '../protocol/admin/remove-workspace.ts';
import { renameWorkspace as renameWorkspaceMethod } from '../protocol/admin/rename-workspace.ts';
import { runQuery as runQueryMethod } from '../protocol/admin/run-query.ts';
import { runReindex as runReindexMethod } from '../protocol/admin/run-reindex.ts';
import { setEntryEnabled as setEntryEnabledMethod } from '../protocol/admin/set-entry-enabled.ts';
import {
  clearTiers as clearTiersMethod,
  listTiers as listTiersMethod,
  setTiers as setTiersMethod,
} from '../protocol/admin/set-tiers.ts';
import { showCatalog as showCatalogMethod } from '../protocol/admin/show-catalog.ts';
import { showPlugin as showPluginMethod } from '../protocol/admin/show-plugin.ts';
import { showWorkspace } from '../protocol/admin/show-workspace.ts';
import { updateCatalogs as updateCatalogsMethod } from '../protocol/admin/update-catalogs.ts';
import { useWorkspace as useWorkspaceMethod } from '../protocol/admin/use-workspace.ts';
import { exportDecisions } from '../store/state/export-decisions.ts';
import { enrolCatalog } from './enrol-catalog.ts';
import { explainQuery } from './explain-query.ts';
import { findCatalog } from './find-plugin.ts';
import type { Glance, Library } from './library.ts';
import { countPlugins, lastSynced, problemsOf, tallyEntries } from './list-catalogs.ts';
import type { LocatedSession, ReportProgress } from './parts.ts';
import { listPluginRows, setEntryEnabled, showPlugin } from './plugin-rows.ts';
import { releaseFile } from './release-file.ts';
import { removeCatalog } from './remove-catalog.ts';
import { runQuery } from './run-query.ts';
import { runReindex } from './run-reindex.ts';
import type { LibraryEntry } from './scope-view.ts';
import { disablePlugins, enablePlugins } from './set-plugins-enabled.ts';
import { listCatalogRows, listProblems, showCatalog } from './show-catalog.ts';
import { clearTiers, listTiers, setTiers } from './tiers.ts';
import { updateCatalogs } from './update-catalogs.ts';
import {
  describeCurrent,
  describeWorkspace,
  initWorkspace,
  listWorkspaces,
  removeWorkspace,
  renameWorkspace,
  useWorkspace,
} from './workspaces.ts';

/** Who asks, and how to tell how far a long method is. */
export interface LibraryAdminContext {
  session: LocatedSession;
  progress: ReportProgress;
}

/** One admin method's work; the caller has checked the parameters against the method's schema. */
// biome-ignore lint/suspicious/noExplicitAny: each handler narrows to its own method's params
export type LibraryAdminHandler = (params: any, context: LibraryAdminContext) => Promise<unknown>;

/** The schemas of every method that `libraryAdminHandlers` answers. */
export const libraryAdminMethods: readonly AdminMethod[] = [
  addCatalog,
  listCatalogs,
  showCatalogMethod,
  updateCatalogsMethod,
  removeCatalogMethod,
  listPlugins,
  showPluginMethod,
  enablePluginsMethod,
  disablePluginsMethod,
  setEntryEnabledMethod,
  runQueryMethod,
  explainQueryMethod,
  getEntry,
  runReindexMethod,
  releaseFileMethod,
  getStatus,
  getDoctor,
  listProblemsMethod,
  exportState,
  setTiersMethod,
  clearTiersMethod,
  listTiersMethod,
  currentWorkspace,
  listWorkspacesMethod,
  showWorkspace,
  initWorkspaceMethod,
  useWorkspaceMethod,
  renameWorkspaceMethod,
  removeWorkspaceMethod,
];

/** A handler with the checked parameters of its method. */
type Handle<Params, Result = unknown> = (
  params: Params,
  context: LibraryAdminContext,
) => Promise<Result>;

/** The library's admin methods, by json-rpc-2.0 name. */
export function libraryAdminHandlers(library: Library): Record<string, LibraryAdminHandler> {
  const { parts, locks } = library;

  /** Answer from a view that the session's project is part of. */
  const inScope =
    <Params extends { workspace?: string | null }>(
      answer: (glance: Glance, params: Params, context: LibraryAdminContext) => unknown,
    ): Handle<Params> =>
    async (params, context) => {
      const release = await library.holdProject(context.session);
      try {
        const glance = await library.lookStrictly(context.session, {
          workspace: params.workspace ?? null,
        });
        return await answer(glance, params, context);
      } finally {
        release();
      }
    };

  /** As above, for what changes which entries are enabled or how they are tiered. */
  const changing = <Params extends { workspace?: string | null }>(
    answer: (glance: Glance, params: Params, context: LibraryAdminContext) => unknown,
  ): Handle<Params> =>
    inScope(async (glance, params: Params, context) => {
      const result = await answer(glance, params, context);
      await library.refreshRules(glance.scope.workspace);
      return result;
    });

  const handlers: Record<string, LibraryAdminHandler> = {
    [addCatalog.method]: changing((glance, params: ParamsOf<typeof addCatalog>, context) =>
      add(library, glance, params, context),
    ),
    [listCatalogs.method]: inScope((glance) => listCatalogRows(glance.view)),
    [showCatalogMethod.method]: inScope((glance, params: ParamsOf<typeof showCatalogMethod>) =>
      showCatalog(glance.view, params.name),
    ),
    [updateCatalogsMethod.method]: changing(
      async (glance, params: ParamsOf<typeof updateCatalogsMethod>, { session, progress }) => {
        const name = params.name ?? null;
        const enrolments =
          name === null
            ? inWorkspaceFirst(glance, parts.state.enrolments.all())
            : [findCatalog(glance.view, name).enrolment].filter((row) => row !== null);
        const answer = await updateCatalogs(parts, locks, enrolments, session, progress);
        return answer;
      },
    ),
    [removeCatalogMethod.method]: changing((glance, params: ParamsOf<typeof removeCatalogMethod>) =>
      removeCatalog(parts, locks, glance.view, params.name, {
        force: params.force,
        dryRun: params.dry_run,
      }),
    ),
    [listPlugins.method]: inScope((glance, params: ParamsOf<typeof listPlugins>) =>
      listPluginRows(parts, glance.view, {
        catalog: params.catalog ?? null,
        enabledOnly: params.enabled_only,
        filter: params.filter ?? null,
        tier: params.tier ?? null,
      }),
    ),
    [showPluginMethod.method]: inScope((glance, params: ParamsOf<typeof showPluginMethod>) =>
      showPlugin(parts, glance.view, params.id, params.details, nameIn(glance)),
    ),
    [enablePluginsMethod.method]: changing((glance, params: ParamsOf<typeof enablePluginsMethod>) =>
      enablePlugins(parts, glance.view, params.tokens, params.catalog ?? null, params.tier ?? null),
    ),
    [disablePluginsMethod.method]: changing(
      (glance, params: ParamsOf<typeof disablePluginsMethod>) =>
        disablePlugins(parts, glance.view, params.tokens, params.catalog ?? null, params.dry_run),
    ),
    [setEntryEnabledMethod.method]: changing(
      (glance, params: ParamsOf<typeof setEntryEnabledMethod>) =>
        setEntryEnabled(parts, glance.view, params.id, params.kind ?? null, params.enabled),
    ),
    [runQueryMethod.method]: inScope(
      (glance, params: ParamsOf<typeof runQueryMethod>, { session }) =>
        runQuery(params, library.searchScope(glance, session, performance.now())),
    ),
    [explainQueryMethod.method]: inScope(
      (glance, params: ParamsOf<typeof explainQueryMethod>, { session }) =>
        explainQuery(params, library.searchScope(glance, session, performance.now())),
    ),
    [getEntry.method]: inScope(
      (_glance, { workspace, ...input }: ParamsOf<typeof getEntry>, { session }) =>
        library.getSkill(input, session, workspace ?? null),
    ),
    [runReindexMethod.method]: changing(
      (glance, params: ParamsOf<typeof runReindexMethod>, { progress }) =>
        runReindex(
          parts,
          glance.view,
          {
            scopes: params.scopes,
            catalogs: params.catalog,
            plugins: params.plugin,
            force: params.force,
          },
          progress,
        ),
    ),
    [releaseFileMethod.method]: async ({ file }: ParamsOf<typeof releaseFileMethod>) => ({
      released: await releaseFile(parts, file),
    }),

    [getStatus.method]: async (params: ParamsOf<typeof getStatus>, { session }) => {
      const release = await library.holdProject(session);
      try {
        const workspace = params.workspace ?? null;
        return (await library.status(session, { workspace, includeDoctor: false })).status;
      } finally {
        release();
      }
    },
    [getDoctor.method]: async (params: ParamsOf<typeof getDoctor>, { session }) => {
      const release = await library.holdProject(session);
      try {
        const workspace = params.workspace ?? null;
        return (await library.status(session, { workspace, includeDoctor: true })).doctor;
      } finally {
        release();
      }
    },
    [listProblemsMethod.method]: inScope((glance, params: ParamsOf<typeof listProblemsMethod>) =>
      listProblems(glance.view, params.catalog ?? null),
    ),
    [exportState.method]: async () => exportDecisions(parts.state, parts.now()),
    [setTiersMethod.method]: changing((glance, params: ParamsOf<typeof setTiersMethod>) =>
      setTiers(
        parts,
        glance.view,
        {
          id: params.id ?? null,
          plugins: params.plugin,
          kind: params.kind ?? null,
          all: false,
        },
        params.tier,
      ),
    ),
    [clearTiersMethod.method]: changing((glance, params: ParamsOf<typeof clearTiersMethod>) =>
      clearTiers(
        parts,
        glance.view,
        {
          id: params.id ?? null,
          plugins: params.plugin,
          kind: params.kind ?? null,
          all: params.all,
        },
        () => library.viewOf(glance.scope.workspace, glance.view.projectRoot),
      ),
    ),
    [listTiersMethod.method]: inScope((glance, params: ParamsOf<typeof listTiersMethod>) =>
      listTiers(glance.view, params.kind ?? null),
    ),
    [currentWorkspace.method]: inScope((glance) => describeCurrent(glance.scope)),
    [listWorkspacesMethod.method]: inScope((glance) =>
      listWorkspaces(parts, glance.scope.workspace, (it) => library.viewOf(it, null)),
    ),
    [showWorkspace.method]: inScope((glance, params: ParamsOf<typeof showWorkspace>) =>
      describeWorkspace(parts, glance.scope, glance.view, params.details),
    ),
    [initWorkspaceMethod.method]: (
      params: ParamsOf<typeof initWorkspaceMethod>,
      { session }: LibraryAdminContext,
    ) =>
      initWorkspace(
        parts,
        params.name,
        { inheritGlobal: params.inherit_global, bind: params.bind },
        session,
      ),
    [useWorkspaceMethod.method]: (
      params: ParamsOf<typeof useWorkspaceMethod>,
      { session }: LibraryAdminContext,
    ) => useWorkspace(parts, params.name, { create: params.create, force: params.force }, session),
    [renameWorkspaceMethod.method]: (params: ParamsOf<typeof renameWorkspaceMethod>) =>
      renameWorkspace(parts, params.old_name, params.new_name),
    [removeWorkspaceMethod.method]: (params: ParamsOf<typeof removeWorkspaceMethod>) =>
      removeWorkspace(parts, params.name, params.force),
  };
  const { readOnlyReason } = library;
  return readOnlyReason === undefined ? handlers : refuseWrites(handlers, readOnlyReason);
}

/** What a handler gets: the parameters after the schema has checked them and filled in defaults. */
type ParamsOf<M extends AdminMethod> = z.output<M['params']>;

async function add(
  library: Library,
  glance: Glance,
  params: ParamsOf<typeof addCatalog>,
  { session, progress }: LibraryAdminContext,
): Promise<object> {
  const { parts, locks } = library;
  const { workspace } = glance.scope;
  const request = { source: params.source, name: params.name ?? null, ref: params.ref ?? null };
  const enrolled = await enrolCatalog(parts, locks, workspace, request, session, progress);
  const view = library.viewOf(workspace, glance.view.projectRoot);
  const { name, url, ref, root, kind } = enrolled.enrolment;
  const catalog = findCatalog(view, name);
  const enabled =
    params.enable && catalog.plugins.length > 0
      ? enablePlugins(parts, view, [`${name}/*`], null, null).changed
      : [];
  const synced = await lastSynced(root);
  return {
    added: {
      name,
      url,
      ref,
      plugin_count: countPlugins(catalog),
      ...(synced === undefined ? {} : { last_synced: synced }),
      ...(enrolled.commit === null ? {} : { commit: enrolled.commit }),
    },
    in_place: kind === 'directory',
    format: enrolled.reading.format,
    entries: tallyEntries(catalog),
    external: (catalog.source?.external ?? []).map((it) => ({ name: it.name, source: it.source })),
    problems: problemsOf(catalog).map((it) => it.problem),
    enabled,
  };
}

/** Every enrolment, the session's own workspace first: its names are the ones that are shown. */
function inWorkspaceFirst<Row extends { workspaceId: number }>(
  glance: Glance,
  rows: readonly Row[],
): Row[] {
  const isOwn = (row: Row) => row.workspaceId === glance.scope.workspace.id;
  return [...rows.filter(isOwn), ...rows.filter((row) => !isOwn(row))];
}

function nameIn(glance: Glance): (entry: LibraryEntry) => string | undefined {
  return (entry) => glance.prompts.nameOf.get(entry);
}

/** Every method that would write is refused with the reason. */
function refuseWrites(
  handlers: Record<string, LibraryAdminHandler>,
  reason: string,
): Record<string, LibraryAdminHandler> {
  return Object.fromEntries(
    Object.entries(handlers).map(([name, handle]) => [
      name,
      READING.has(name)
        ? handle
        : async () => {
            throw new LecternError('io', `nothing can be changed: ${reason}`, {
              next: 'unset LECTERN_NO_DAEMON, or run this outside the sandbox',
            });
          },
    ]),
  );
}

const READING: ReadonlySet<string> = new Set<string>([
  listCatalogs.method,
  showCatalogMethod.method,
  listPlugins.method,
  showPluginMethod.method,
  runQueryMethod.method,
  explainQueryMethod.method,
  getEntry.method,
  getStatus.method,
  getDoctor.method,
  listProblemsMethod.method,
  exportState.method,
  listTiersMethod.method,
  currentWorkspace.method,
  listWorkspacesMethod.method,
  showWorkspace.method,
]);
