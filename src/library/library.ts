import { createHash } from 'node:crypto';
import { sweepClones } from '../catalog/git.ts';
import type { Config, LenientConfig } from '../core/config.ts';
import { followConfig, readConfig } from '../core/config.ts';
import { LecternError } from '../core/errors.ts';
import type { StatePaths } from '../protocol/link/state-paths.ts';
import type { SearchEngine } from '../search/types.ts';
import type { Indexer, IndexProgress } from '../store/indexer-port.ts';
import type { StateStore } from '../store/state/state-store.ts';
import type { WorkspaceRow } from '../store/state/workspaces.ts';
import { type GetInput, getSkill } from './get-skill.ts';
import type { GitPort } from './git-port.ts';
import { installMeta, type MetaInput } from './install-meta.ts';
import { KeyedLock } from './keyed-lock.ts';
import { type CatalogRow, listCatalogs } from './list-catalogs.ts';
import { type ListedPlugin, type ListPluginsInput, listPlugins } from './list-plugins.ts';
import type {
  AnsweredSearch,
  LibraryLog,
  LibraryParts,
  LibrarySession,
  PartNote,
} from './parts.ts';
import { ProjectHold } from './project-hold.ts';
import { findProjectRoot } from './project-root.ts';
import { buildPromptTable, getPrompt, type PromptAnswer, type PromptTable } from './prompts.ts';
import type { RenderContext } from './render-body.ts';
import { findMarker, type ResolvedScope, resolveScope } from './resolve-scope.ts';
import { buildRoutingDirective } from './routing-directive.ts';
import { writeRules } from './rules-file.ts';
import { buildScopeView, hasOwnSkills, type LibraryEntry, type ScopeView } from './scope-view.ts';
import {
  MAX_QUERY_CHARS,
  type SearchInput,
  type SearchOutput,
  type SearchScope,
  searchSkills,
} from './search-skills.ts';
import {
  findSkillItem,
  listSkillFolder,
  listSkillItems,
  readSkillFile,
  type SkillChild,
  type SkillItem,
} from './skill-resources.ts';
import { describeDoctor, describeStatus } from './status.ts';
import { UsageCounter } from './usage-counter.ts';
import { describeWorkspace } from './workspaces.ts';

/**
 * How long a call waits for changes saved before it. A save is usually indexed
 * within 100 ms; an agent notices no quarter second, and after it an answer
 * that says `stale` is worth more than a later one.
 */
const CATCH_UP_MS = 250;

/**
 * How long a resolved scope and project may be reused. Markers change by hand
 * and rarely; walking up the directories on every call would cost more than
 * the call.
 */
const SCOPE_KEPT_MS = 1_000;

/** Views kept: one for each workspace and project in use, which are few. */
const VIEWS_KEPT = 64;

export interface LibraryOptions {
  state: StateStore;
  indexer: Indexer;
  search: SearchEngine;
  paths: StatePaths;
  git: GitPort;
  log: LibraryLog;
  /** Why nothing may be written in this process; absent where writing is allowed. */
  readOnlyReason?: string;
  /** See LibraryParts. */
  notes?: () => readonly PartNote[];
  /** See LibraryParts. */
  onSearch?: (search: AnsweredSearch) => void;
  /** Unix ms; replaced in tests. */
  now?: () => number;
}

/** Everything one answer works with: scope, view and prompts of one moment. */
export interface Glance {
  scope: ResolvedScope;
  view: ScopeView;
  prompts: PromptTable;
  config: LenientConfig;
  /** False when a change on disk may not be in the view. */
  isFresh: boolean;
}

interface KeptScope {
  keptUntil: number;
  stateClock: number;
  scope: ResolvedScope;
  projectRoot: string | null;
}

/**
 * The library of one daemon: what the MCP surface and the admin methods ask.
 * Its parts belong to whoever made them; close it before them.
 */
export class Library {
  readonly parts: LibraryParts;
  readonly locks = new KeyedLock();
  readonly readOnlyReason: string | undefined;
  readonly #usage: UsageCounter;
  #isClosed = false;
  /** By the working directory of their sessions. */
  readonly #holds = new Map<string, Set<ProjectHold>>();
  readonly #scopes = new Map<string, KeptScope>();
  readonly #views = new Map<string, { stamp: string; view: ScopeView }>();
  readonly #digests = new WeakMap<PromptTable, string>();
  readonly #prompts = new WeakMap<ScopeView, Map<boolean, PromptTable>>();

  constructor(options: LibraryOptions) {
    const { paths } = options;
    this.readOnlyReason = options.readOnlyReason;
    this.parts = {
      ...options,
      now: options.now ?? Date.now,
      readConfig: followConfig(paths.config),
    };
    this.#usage = new UsageCounter(options.state.usage);
  }

  /**
   * Have the index hold what is enrolled and nothing else: they differ after
   * the index was made anew, or when a command was cut short. A catalog that
   * cannot be read is a line in the log and a note in `status`.
   */
  async reconcile(): Promise<void> {
    const { state, indexer, log } = this.parts;
    const isEnrolled = (root: string) => this.#isEnrolled(root);
    for (const root of new Set(state.enrolments.all().map((row) => row.root))) {
      await this.locks.run(root, async () => {
        const isMissing = indexer.view.sourceByRoot(root)?.kind !== 'catalog';
        if (this.#isClosed || !isMissing || !isEnrolled(root)) return;
        await indexer
          .addRoot({ root, kind: 'catalog' })
          .catch((error) => log.warn({ root, error: String(error) }, 'a catalog cannot be read'));
      });
    }
    for (const source of [...indexer.view.sources.values()]) {
      if (source.kind !== 'catalog') continue;
      await this.locks.run(source.root, async () => {
        if (!this.#isClosed && !isEnrolled(source.root)) await indexer.removeRoot(source.root);
      });
    }
  }

  /**
   * Keep the project of a session read and watched until the returned function is
   * called. A directory may become one, or get one within it, while its session lasts.
   */
  async holdProject(session: LibrarySession): Promise<() => void> {
    const { cwd } = session;
    if (cwd === null) return () => {};
    const hold = new ProjectHold((root) => this.#leaseProject(root));
    const beside = this.#holds.get(cwd) ?? new Set();
    this.#holds.set(cwd, beside.add(hold));
    const letGo = () => {
      hold.close();
      beside.delete(hold);
      if (beside.size === 0 && this.#holds.get(cwd) === beside) this.#holds.delete(cwd);
    };
    try {
      const { config } = await this.parts.readConfig();
      await hold.follow(this.#toLease(await findSessionProject(session, config)));
      return letGo;
    } catch (error) {
      letGo();
      throw error;
    }
  }

  /** Null where nothing has to be leased: an enrolled directory is read anyway. */
  #toLease(root: string | null): string | null {
    return root === null || this.#isEnrolled(root) ? null : root;
  }

  async #leaseProject(root: string): Promise<() => void> {
    try {
      return await this.parts.indexer.leaseRoot({ root, kind: 'project' });
    } catch (error) {
      // The catalogs are searched without it.
      this.parts.log.warn({ root, error: String(error) }, 'the project cannot be read');
      return () => {};
    }
  }

  /** What the indexer is at, for progress notifications. */
  indexing(): IndexProgress {
    return this.parts.indexer.health().progress;
  }

  /** Note that a workspace is in use, for `workspace list`. Never fails. */
  async touch(session: LibrarySession): Promise<void> {
    try {
      const { scope } = await this.look(session, { waits: false });
      this.parts.state.workspaces.touch(scope.workspace.id);
    } catch (error) {
      this.parts.log.info({ cwd: session.cwd, error: String(error) }, 'no workspace in use');
    }
  }

  /** Called after each change of the index or of what people decided. @returns stops it */
  onChange(listener: () => void): () => void {
    const stops = [this.parts.indexer.onChange(listener), this.parts.state.onChange(listener)];
    return () => {
      for (const stop of stops) stop();
    };
  }

  /**
   * Scope, view and prompts as they are now.
   *
   * @param waits false: answer from what is known, without waiting for the watcher
   * @throws LecternError workspace_not_found (13), workspace_name_invalid (15), workspace_malformed (70)
   */
  async look(
    session: LibrarySession,
    options: { workspace?: string | null; waits?: boolean } = {},
  ): Promise<Glance> {
    const [config, isFresh] = await Promise.all([
      this.parts.readConfig(),
      options.waits === false ? true : this.parts.indexer.caughtUp(CATCH_UP_MS),
    ]);
    const { scope, projectRoot } = await this.#resolve(session, options.workspace ?? null, config);
    const view = this.viewOf(scope.workspace, projectRoot);
    session.onLook?.(this.parts.indexer.view.clock);
    const withPersonas =
      scope.marker?.expose_agents_as_personas ??
      config.config.harness?.expose_agents_as_personas ??
      false;
    return { scope, view, prompts: this.#promptsOf(view, withPersonas), config, isFresh };
  }

  /**
   * The scope for a command, which a malformed config.toml stops.
   *
   * @throws LecternError manifest_invalid (5), and those of `look`
   */
  async lookStrictly(
    session: LibrarySession,
    options: { workspace?: string | null } = {},
  ): Promise<Glance> {
    await readConfig(this.parts.paths.config);
    return this.look(session, options);
  }

  /** The view of a workspace, made anew when the index or the state changed. */
  viewOf(workspace: WorkspaceRow, projectRoot: string | null): ScopeView {
    const { state, indexer } = this.parts;
    // A project without skills of its own sees what every other one sees: they share one view.
    if (projectRoot !== null && !hasOwnSkills(projectRoot, indexer.view)) {
      return this.viewOf(workspace, null);
    }
    const key = `${workspace.id}\0${projectRoot ?? ''}`;
    const stamp = `${indexer.view.clock}/${state.clock}`;
    const kept = this.#views.get(key);
    if (kept?.stamp === stamp) return kept.view;
    const view = buildScopeView(workspace, projectRoot, state, indexer.view);
    this.#views.delete(key);
    this.#views.set(key, { stamp, view });
    if (this.#views.size > VIEWS_KEPT) this.#views.delete(this.#views.keys().next().value!);
    return view;
  }

  async searchSkills(input: SearchInput, session: LibrarySession): Promise<SearchOutput> {
    const startedAt = performance.now();
    // Embedding takes longer than the watcher's answer; they need not wait for each other.
    if (input.query.length <= MAX_QUERY_CHARS) this.parts.search.prepare(input.query.trim());
    return searchSkills(input, this.searchScope(await this.look(session), session, startedAt));
  }

  /**
   * What a search of that glance works on.
   *
   * @param startedAt `performance.now()` when it was asked for
   */
  searchScope(glance: Glance, session: LibrarySession, startedAt: number): SearchScope {
    return {
      view: glance.view,
      config: glance.config.config,
      engine: this.parts.search,
      isFresh: glance.isFresh,
      promptName: (entry) => promptName(glance, entry),
      onAnswer: (query, answer) =>
        this.parts.onSearch?.({
          at: this.parts.now(),
          query,
          harness: session.harness,
          workspace: glance.scope.workspace.name,
          ms: performance.now() - startedAt,
          matches: answer.matches.length,
          best: answer.matches[0]?.name ?? null,
          scoring: answer.scoring,
          relevance: answer.relevance ?? null,
        }),
    };
  }

  async getSkill(
    input: GetInput,
    session: LibrarySession,
    workspace: string | null = null,
  ): Promise<object> {
    const answer = async (waits: boolean) => {
      const glance = await this.look(session, { workspace, waits });
      return getSkill(input, {
        view: glance.view,
        roots: this.#roots(glance.view),
        render: await this.renderContext(glance, session),
        promptName: (entry) => promptName(glance, entry),
        onLoad: (entry) => this.#usage.count(entry),
      });
    };
    try {
      return await answer(false);
    } catch (caught) {
      // What was saved a moment ago may be what is asked for: look again when the watcher is through.
      if ((caught as LecternError).category !== 'entry_not_found') throw caught;
      return answer(true);
    }
  }

  async listPlugins(
    input: ListPluginsInput,
    session: LibrarySession,
  ): Promise<{ workspace: string; plugins: ListedPlugin[] }> {
    return listPlugins(input, (await this.look(session)).view);
  }

  async listCatalogs(
    session: LibrarySession,
  ): Promise<{ workspace: string; catalogs: CatalogRow[] }> {
    return listCatalogs((await this.look(session)).view);
  }

  /** Never fails for a malformed config.toml; an unknown workspace is an error all the same. */
  async status(
    session: LibrarySession,
    options: { workspace?: string | null; includeDoctor: boolean },
  ): Promise<{ status: object; doctor?: object }> {
    const glance = await this.look(session, { workspace: options.workspace ?? null });
    const { scope, view, config } = glance;
    const malformed = config.malformed?.message ?? null;
    const status = await describeStatus(this.parts, scope, view, malformed);
    if (!options.includeDoctor) return { status };
    const workspace = describeWorkspace(this.parts, scope, view, false);
    return { status, doctor: await describeDoctor(this.parts, scope, view, status, workspace) };
  }

  async installMeta(input: MetaInput, session: LibrarySession): Promise<object> {
    const { scope } = await this.look(session, { waits: false });
    if (this.readOnlyReason !== undefined) {
      throw new LecternError('meta_install_failed', `nothing is written: ${this.readOnlyReason}`);
    }
    return installMeta(input, session, scope.projectRoot);
  }

  async listPrompts(session: LibrarySession): Promise<PromptTable['items']> {
    return (await this.look(session)).prompts.items;
  }

  /** Tells one list of prompts from another; made once a view, whatever the number of sessions. */
  async promptDigest(session: LibrarySession): Promise<string> {
    const { prompts } = await this.look(session, { waits: false });
    let digest = this.#digests.get(prompts);
    if (digest === undefined) {
      digest = createHash('sha256').update(JSON.stringify(prompts.items)).digest('hex');
      this.#digests.set(prompts, digest);
    }
    return digest;
  }

  async getPrompt(
    name: string,
    supplied: Readonly<Record<string, unknown>> | undefined,
    session: LibrarySession,
  ): Promise<PromptAnswer> {
    const glance = await this.look(session);
    const answer = await getPrompt(
      name,
      supplied,
      glance.prompts,
      this.#roots(glance.view),
      await this.renderContext(glance, session),
    );
    const entry = glance.prompts.entries.get(name);
    if (entry !== undefined) this.#usage.count(entry);
    return answer;
  }

  /** Enabled skills for the MCP Skills extension, sorted by URI. */
  async listSkillItems(session: LibrarySession): Promise<SkillItem[]> {
    return listSkillItems((await this.look(session)).view);
  }

  /** What a URI of that extension names: a skill, and the path below its folder. */
  async findSkillItem(
    uri: string,
    session: LibrarySession,
  ): Promise<{ item: SkillItem; path: string } | undefined> {
    return findSkillItem((await this.look(session)).view, uri);
  }

  async readSkillFile(found: { item: SkillItem; path: string }): Promise<Buffer | undefined> {
    const bytes = await readSkillFile(found.item, found.path);
    if (bytes !== undefined && found.path === 'SKILL.md') this.#usage.count(found.item.entry);
    return bytes;
  }

  async listSkillFolder(found: {
    item: SkillItem;
    path: string;
  }): Promise<SkillChild[] | undefined> {
    return listSkillFolder(found.item, found.path);
  }

  async renderContext(glance: Glance, session: LibrarySession): Promise<RenderContext> {
    const { paths, now } = this.parts;
    return {
      workspace: glance.scope.workspace.name,
      projectRoot: glance.scope.projectRoot ?? (await this.#markedProject(session)),
      cwd: session.cwd,
      env: session.env,
      paths,
      now: now(),
    };
  }

  /**
   * Write the workspace's RULES.md for what is enabled now. A directive that
   * cannot be written is a line in the log: the change it follows is made.
   */
  async refreshRules(workspace: WorkspaceRow): Promise<void> {
    const view = this.viewOf(workspace, null);
    const { nameOf } = this.#promptsOf(view, false);
    try {
      const text = buildRoutingDirective(view, (entry) => nameOf.get(entry));
      await writeRules(this.parts.paths, workspace.name, text);
    } catch (error) {
      this.parts.log.warn({ error: String(error) }, 'RULES.md cannot be written');
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#usage.flush();
  }

  /** The scope's own project, else the marker's from the working directory (library contract 7.2). */
  async #markedProject(session: LibrarySession): Promise<string | null> {
    if (session.cwd === null) return null;
    try {
      const found = await findMarker(session.cwd, session.env['HOME'], this.parts.paths.root);
      return found?.projectRoot ?? null;
    } catch {
      // A malformed marker names no project; whoever resolves by it is told.
      return null;
    }
  }

  async #resolve(
    session: LibrarySession,
    workspace: string | null,
    config: LenientConfig,
  ): Promise<KeptScope> {
    const { state, paths } = this.parts;
    const flag = workspace ?? session.workspaceFlag;
    const configured = config.config.workspace?.default ?? null;
    const key = JSON.stringify([flag, session.cwd, session.env['LECTERN_WORKSPACE'], configured]);
    const kept = this.#scopes.get(key);
    if (
      kept !== undefined &&
      kept.stateClock === state.clock &&
      performance.now() < kept.keptUntil
    ) {
      return kept;
    }
    const [scope, projectRoot] = await Promise.all([
      resolveScope({ flag, cwd: session.cwd, env: session.env }, config.config, state, paths.root),
      findSessionProject(session, config.config),
    ]);
    const holds = this.#holds.get(session.cwd ?? '') ?? [];
    await Promise.all([...holds].map((hold) => hold.follow(this.#toLease(projectRoot))));
    const fresh: KeptScope = {
      keptUntil: performance.now() + SCOPE_KEPT_MS,
      stateClock: state.clock,
      scope,
      projectRoot,
    };
    this.#scopes.set(key, fresh);
    if (this.#scopes.size > VIEWS_KEPT) this.#scopes.delete(this.#scopes.keys().next().value!);
    return fresh;
  }

  #promptsOf(view: ScopeView, withPersonas: boolean): PromptTable {
    let tables = this.#prompts.get(view);
    if (tables === undefined) this.#prompts.set(view, (tables = new Map()));
    let table = tables.get(withPersonas);
    if (table === undefined) {
      table = buildPromptTable(view, withPersonas);
      tables.set(withPersonas, table);
    }
    return table;
  }

  #roots(view: ScopeView): string[] {
    return view.catalogs.map((catalog) => catalog.root);
  }

  #isEnrolled(root: string): boolean {
    return this.parts.state.enrolments.all().some((row) => row.root === root);
  }
}

/** A library whose index is brought in line with what is enrolled, in the background. */
export function createLibrary(options: LibraryOptions): Library {
  const library = new Library(options);
  if (options.readOnlyReason === undefined) {
    void sweepClones(options.paths.catalogs);
    library.reconcile().catch((error) => {
      options.log.warn(
        { error: String(error) },
        'the index was not compared with what is enrolled',
      );
    });
  }
  return library;
}

/** The project that a session works in, as its directory is now; null where none is looked for. */
async function findSessionProject(session: LibrarySession, config: Config): Promise<string | null> {
  if (session.cwd === null || config.search?.project_folders === false) return null;
  return findProjectRoot(session.cwd, session.env['HOME']);
}

/** An agent's persona is no prompt that the outputs of tools name. */
function promptName(glance: Glance, entry: LibraryEntry): string | undefined {
  return entry.kind === 'agent' ? undefined : glance.prompts.nameOf.get(entry);
}
