import { systemGit } from '../src/catalog/git.ts';
import { readConfigLeniently } from '../src/core/config.ts';
import { createLibrary } from '../src/library/library.ts';
import type { PartNote } from '../src/library/parts.ts';
import { resolveScope } from '../src/library/resolve-scope.ts';
import { openLibrarySurface } from '../src/mcp/library.ts';
import { openTuiSurface } from '../src/mcp/tui-surface.ts';
import { explainBirthLimit, FORGIVES_BIRTHS, findBirthLimit } from '../src/protocol/link/births.ts';
import type { Hello } from '../src/protocol/link/hello.ts';
import { isOn } from '../src/protocol/link/is-on.ts';
import type { StatePaths } from '../src/protocol/link/state-paths.ts';
import { openStateStore } from '../src/store/state/open-state-store.ts';
import type { StateStore } from '../src/store/state/state-store.ts';
import type { ComposeOptions, Composition } from './composition.ts';
import { checkRootsVisible } from './confinement.ts';
import { startEmbedder } from './embedder/client.ts';
import { findMisplaced } from './find-misplaced.ts';
import { startHangWatch } from './hang-watch/start.ts';
import { type HttpEndpoint, openHttpEndpoint } from './http/endpoint.ts';
import { startIndexer } from './indexer/client.ts';
import { keepState } from './keep-state.ts';
import { openFrozenIndex } from './open-frozen-index.ts';
import { openQueryGuard } from './query-guard.ts';
import { rememberSearches } from './recent-searches.ts';
import { refuseWorkspace } from './refuse-workspace.ts';
import { startSearch } from './search/start-search.ts';
import { openTuiThread } from './tui/client.ts';
import { startHeartbeat } from './watchdog.ts';

/**
 * Wire stores, indexer, search, library and surfaces together: the only place
 * that knows all of them. What is opened here belongs to the scope and closes
 * in reverse, before the owner lock is released.
 */
export async function composeDaemon(options: ComposeOptions): Promise<Composition> {
  const { paths, scope, log, readOnly } = options;
  const reason = readOnlyReason(process.env, options.because);
  // First, since loading the model takes longest; everything below goes on beside it.
  const embedderLog = log.child({ target: 'embedder' });
  const modelCache = { dir: paths.models, isWritable: !readOnly };
  const embedder = startEmbedder({
    scope,
    log: embedderLog,
    cache: modelCache,
    ...(options.embedder === undefined ? {} : { booted: options.embedder }),
  });
  const state = openStateStore({ path: paths.stateDb, backups: paths.backups, readOnly });
  scope.own(state, (open) => open.close(), 'state');
  if (!readOnly) {
    checkRootsVisible(paths, [
      ...new Set(state.enrolments.all().map((enrolment) => enrolment.root)),
    ]);
  }
  if (readOnly) startHangWatch(scope);
  const indexer = readOnly
    ? openFrozenIndex(paths.indexDb, scope, reason)
    : await startIndexer({
        paths,
        scope,
        log: log.child({ target: 'indexer' }),
        breadcrumb: paths.indexerBreadcrumb,
        watched: { beats: startHeartbeat(scope), log: paths.daemonLog },
      });
  const queries = readOnly ? undefined : openQueryGuard(paths.breadcrumb, scope);
  const search = startSearch({
    scope,
    log: embedderLog,
    indexer,
    embedder,
    canWrite: !readOnly,
    snapshotDir: paths.vectorSnapshot,
    ...(queries === undefined ? {} : { onWork: queries.enter }),
  });
  const tui = openTuiThread({ scope, log: log.child({ target: 'tui' }) });
  const searches = rememberSearches();
  const library = createLibrary({
    state,
    indexer,
    search: search.engine,
    paths,
    git: systemGit,
    log: log.child({ target: 'library' }),
    ...(readOnly ? { readOnlyReason: reason } : {}),
    notes: () => [
      ...keeper.notes(),
      ...(http?.notes() ?? []),
      ...(queries?.notes() ?? []),
      ...search.notes(),
      ...birthNotes(paths),
      ...findMisplaced(paths),
    ],
    onSearch: searches.add,
  });
  scope.own(library, (open) => open.close(), 'library');
  const keeper = keepState(state, paths.stateDb, log, () => {
    library
      .reconcile()
      .catch((error: unknown) => log.error({ err: error }, 'the new state is not yet indexed'));
  });
  const http: HttpEndpoint | undefined = readOnly
    ? undefined
    : openHttpEndpoint({
        library,
        paths,
        scope,
        log: log.child({ target: 'http' }),
        home: process.env['HOME'],
      });
  const readConfig = async () => {
    const { config, malformed } = await readConfigLeniently(paths.config);
    // Reading it again while somebody edits it takes nothing away.
    if (malformed === null) await http?.follow(config);
    else log.error(`config.toml is ignored: ${malformed.message}`);
    return { config, malformed };
  };
  const { config } = await readConfig();
  const idleMinutes = config.daemon?.idle_minutes;
  return {
    surfaces: { library: openLibrarySurface(library), tui: openTuiSurface(tui) },
    admin: async () => {
      const { composeAdmin } = await import('./compose-admin.ts');
      return composeAdmin({ library, embedder, modelCache, queries });
    },
    answersAsRecorded: true,
    refuse: refuseWorkspace,
    clock: () => indexer.view.clock,
    workspacesOf: (hellos) => nameWorkspaces(hellos, state, paths),
    reload: async () => {
      const { malformed } = await readConfig();
      if (malformed !== null) throw malformed;
    },
    configFailure: async () => (await readConfigLeniently(paths.config)).malformed?.message ?? null,
    keepFiles: (isUrgent) => {
      keeper.look(isUrgent);
      indexer.keepFile();
    },
    drain: async (timeoutMs) => http?.drain(timeoutMs),
    staysWhileIdle: () => http?.describe() != null,
    http: () => http?.describe() ?? null,
    activity: () => ({
      searches: searches.list(),
      polled: indexer.health().polled.map(({ root, reason }) => ({ root, reason })),
    }),
    ...(idleMinutes === undefined ? {} : { idleExitMs: idleMinutes * 60_000 }),
  };
}

/** Null on tui, and where the session's own calls fail for want of a workspace. */
async function nameWorkspaces(
  hellos: readonly Hello[],
  state: StateStore,
  paths: StatePaths,
): Promise<(string | null)[]> {
  const { config } = await readConfigLeniently(paths.config);
  return Promise.all(
    hellos.map(async ({ surface, workspace, cwd, env }) => {
      if (surface === 'tui') return null;
      const request = { flag: workspace, cwd, env };
      return resolveScope(request, config, state, paths.root).then(
        (scope) => scope.workspace.name,
        () => null,
      );
    }),
  );
}

/** A crash loop shows in how often the daemon was born; the next birth may have to wait. */
function birthNotes(paths: StatePaths): PartNote[] {
  const limit = findBirthLimit(paths);
  if (limit === undefined) return [];
  return [{ subsystem: 'daemon', diagnosis: explainBirthLimit(limit), command: FORGIVES_BIRTHS }];
}

/** Why a daemon over stdio does not write, with what changes that where a person set it so. */
export function readOnlyReason(env: NodeJS.ProcessEnv, because: string | null = null): string {
  if (isOn(env['LECTERN_NO_DAEMON'])) return 'LECTERN_NO_DAEMON is set';
  return because === null || because === ''
    ? 'this session runs without a daemon of its own'
    : `this session runs without a daemon: ${because}`;
}
