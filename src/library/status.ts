import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Problem } from '../catalog/types.ts';
import { VERSION } from '../core/version.ts';
import type { VectorsInUse } from '../search/types.ts';
import type { IndexHealth } from '../store/indexer-port.ts';
import { GLOBAL_WORKSPACE } from '../store/state/global-workspace.ts';
import { fixOfRoot, isRootUnreadable, problemsOf } from './list-catalogs.ts';
import type { LibraryParts } from './parts.ts';
import type { ResolvedScope } from './resolve-scope.ts';
import type { LibraryCatalog, ScopeView } from './scope-view.ts';
import { isEnabled } from './set-plugins-enabled.ts';
import { describeRow } from './show-catalog.ts';

/** A report is read by a model: what does not fit is in `problems.list`. */
const PROBLEMS_SHOWN = 20;

type Verdict = 'ok' | 'degraded' | 'unhealthy';

export interface StatusReport {
  lectern: string;
  embedder: ModelState;
  reranker: ModelState;
  summariser: ModelState;
  index: {
    present: boolean;
    schema_version: number | null;
    plugins_enabled: number;
    skills_indexed: number;
    size_bytes: number | null;
    integrity_ok: boolean;
  };
  drift: { kind: string };
  overall: Verdict;
  workspaces_total: number;
  current_workspace: string;
  current_scope: 'global' | 'project';
  entries: { skills: number; commands: number; agents: number };
  catalogs_enrolled: number;
  reindexed_at: number | null;
  models_on_disk_bytes: number;
  unrepresented_agents: number;
  hook_translation_harnesses: number;
  unrepresented_hooks: number;
  config?: { ok: false; message: string };
  catalogs: object[];
  problems: Problem[];
  problems_total: number;
  indexing: { stage: string; done: number; total: number };
  vectors?: VectorsInUse;
  notes: string[];
  daemon: { pid: number; uptime_seconds: number; state_root: string };
}

interface ModelState {
  name: string | null;
  version: string | null;
  state: string;
}

const NOT_APPLICABLE: ModelState = { name: null, version: null, state: 'not_applicable' };

/**
 * How things stand (library contract 11.1), with the counts of every catalog,
 * the problems found and what works less well than it could.
 */
export async function describeStatus(
  parts: LibraryParts,
  scope: ResolvedScope,
  view: ScopeView,
  malformedConfig: string | null,
): Promise<StatusReport> {
  const model = parts.search.model();
  const health = parts.indexer.health();
  const embedder: ModelState = { name: model.name, version: model.version, state: model.state };
  const count = (kind: string) => view.enabled.filter((it) => it.kind === kind).length;
  const enrolled = view.catalogs.filter((it) => it.enrolment !== null);
  const problems = worstFirst(view.catalogs, enrolled);
  const enabled = enrolled.flatMap((catalog) => catalog.plugins.filter(isEnabled));
  const notes = describeNotes(parts, view, malformedConfig);
  const vectors = parts.search.vectors?.();
  return {
    lectern: VERSION,
    embedder,
    // The learned ranking comes with the embedding model; there is no model of its own to miss.
    reranker: model.state === 'ok' ? embedder : { ...embedder, state: model.state },
    summariser: NOT_APPLICABLE,
    index: {
      present: true,
      schema_version: health.schemaVersion,
      plugins_enabled: enabled.length,
      skills_indexed: view.enabled.length,
      size_bytes: health.sizeBytes,
      integrity_ok: health.integrityOk,
    },
    drift: { kind: 'none' },
    overall: judge(model.state, health, malformedConfig, enrolled.some(isLacking)),
    workspaces_total: parts.state.workspaces.all().filter((it) => it.name !== GLOBAL_WORKSPACE)
      .length,
    current_workspace: scope.workspace.name,
    current_scope: scope.workspace.name === GLOBAL_WORKSPACE ? 'global' : 'project',
    entries: { skills: count('skill'), commands: count('command'), agents: count('agent') },
    catalogs_enrolled: enrolled.length,
    reindexed_at: health.reindexedAt === null ? null : Math.floor(health.reindexedAt / 1000),
    models_on_disk_bytes: await sizeOf(parts.paths.models),
    unrepresented_agents: 0,
    hook_translation_harnesses: 0,
    unrepresented_hooks: 0,
    ...(malformedConfig === null ? {} : { config: { ok: false, message: malformedConfig } }),
    catalogs: await Promise.all(view.catalogs.map(describeRow)),
    problems: problems.slice(0, PROBLEMS_SHOWN),
    problems_total: problems.length,
    indexing: health.progress,
    ...(vectors == null ? {} : { vectors }),
    notes,
    daemon: {
      pid: process.pid,
      uptime_seconds: Math.round(process.uptime()),
      state_root: parts.paths.root,
    },
  };
}

/**
 * The part of `doctor` that the library knows (library contract 11.2): models,
 * index, catalogs and what to do about each. Reads only.
 */
export async function describeDoctor(
  parts: LibraryParts,
  scope: ResolvedScope,
  view: ScopeView,
  status: StatusReport,
  workspace: object,
): Promise<object> {
  const catalogs = await Promise.all(
    view.catalogs
      .filter((catalog) => catalog.enrolment !== null)
      .map(async (catalog) => ({
        name: catalog.name,
        url: catalog.enrolment!.url,
        cache_path: catalog.root,
        state: await catalogState(catalog),
        fix: fixOfRoot(catalog),
        isUnread: catalog.source === undefined,
      })),
  );
  const broken = catalogs.filter((catalog) => catalog.state !== 'ok');
  return {
    lectern_version: VERSION,
    workspace,
    ...(scope.projectRoot === null
      ? {}
      : {
          project_binding: {
            project_root: scope.projectRoot,
            bound_workspace: scope.workspace.name,
            config_well_formed: true,
            rules_file_drift: 'source_missing',
          },
        }),
    embedder: status.embedder,
    reranker: status.reranker,
    summariser: status.summariser,
    index: status.index,
    drift: status.drift,
    catalogs: catalogs.map(({ fix: _, isUnread: __, ...row }) => row),
    workspace_registry: { present: true, tracked: parts.state.bindings.all().length },
    harnesses: [],
    harness_rules: [],
    harness_mcp: [],
    detected_uninstalled_harnesses: [],
    entry_counts: { ...status.entries, pending_re_embedding: pending(status) },
    telemetry: { enabled: false },
    model_registry: { present: false },
    overall: broken.length > 0 && status.overall === 'ok' ? 'degraded' : status.overall,
    suggested_fixes: [
      ...(status.config === undefined
        ? []
        : [
            {
              subsystem: 'config',
              diagnosis: describeMalformed(status.config.message),
              command: 'mend it, then: lectern daemon reload',
              auto_fixable: false,
            },
          ]),
      ...(status.embedder.state === 'ok'
        ? []
        : [
            {
              subsystem: 'embedder',
              diagnosis: `the embedding model is ${status.embedder.state}; search is lexical`,
              command: 'lectern models verify',
              auto_fixable: false,
            },
          ]),
      ...broken.map((catalog) => ({
        subsystem: `catalog:${catalog.name}`,
        diagnosis: `${catalog.cache_path} is ${catalog.state}`,
        command: catalog.fix,
        auto_fixable: false,
      })),
      ...catalogs
        .filter(({ state, isUnread }) => state === 'ok' && isUnread)
        .map(({ name, cache_path }) => ({
          subsystem: `catalog:${name}`,
          diagnosis: `${cache_path} has not been read yet`,
          command: 'wait; lectern status tells how far it is',
          auto_fixable: false,
        })),
      ...(status.index.integrity_ok
        ? []
        : [
            {
              subsystem: 'index',
              diagnosis: 'the index is damaged',
              command: 'lectern reindex --force',
              auto_fixable: true,
            },
          ]),
      ...describeUnread(parts),
      ...(parts.notes?.() ?? []).map((note) => ({ ...note, auto_fixable: false })),
    ],
  };
}

/** Files and roots that are not read as they should be, each with what a person can do. */
function describeUnread(parts: LibraryParts) {
  const { quarantined, polled } = parts.indexer.health();
  return [
    ...quarantined.map(({ file, reason }) => ({
      subsystem: 'index',
      diagnosis: `${file} is left out: ${reason}`,
      command: `lectern reindex --release ${file}`,
      auto_fixable: false,
    })),
    ...polled.map(({ root, reason, remedy }) => ({
      subsystem: 'watcher',
      diagnosis: `${root} is polled every few seconds: ${reason}`,
      command: remedy,
      auto_fixable: false,
    })),
  ];
}

function pending(status: StatusReport): number {
  return status.indexing.stage === 'idle' ? 0 : status.indexing.total - status.indexing.done;
}

/** A catalog that is gone comes before a plugin's errors, and those before warnings. */
function worstFirst(
  catalogs: readonly LibraryCatalog[],
  enrolled: readonly LibraryCatalog[],
): Problem[] {
  const roots = new Set(enrolled.filter(isRootUnreadable).map((catalog) => catalog.root));
  const rank = ({ severity, file }: Problem): number =>
    severity === 'warning' ? 2 : roots.has(file) ? 0 : 1;
  return catalogs
    .flatMap(problemsOf)
    .map((it) => it.problem)
    .sort((a, b) => rank(a) - rank(b));
}

/** A word of library contract 11. One that is yet to be read is not broken, and not to be removed. */
async function catalogState(catalog: LibraryCatalog): Promise<string> {
  if ((await stat(catalog.root).catch(() => undefined)) === undefined) return 'missing';
  return isRootUnreadable(catalog) ? 'manifest_invalid' : 'ok';
}

/** Nothing of it can be found, or only what was read before it was gone. */
function isLacking(catalog: LibraryCatalog): boolean {
  return catalog.source === undefined || isRootUnreadable(catalog);
}

/** Lexical search works without a model, so nothing but damage is unhealthy (design 14). */
function judge(
  model: string,
  health: IndexHealth,
  malformedConfig: string | null,
  lacksCatalog: boolean,
): Verdict {
  if (!health.integrityOk || malformedConfig !== null) return 'unhealthy';
  return lacksCatalog || model !== 'ok' || health.state !== 'ready' ? 'degraded' : 'ok';
}

function describeNotes(
  parts: LibraryParts,
  view: ScopeView,
  malformedConfig: string | null,
): string[] {
  const health = parts.indexer.health();
  const model = parts.search.model();
  const notes: string[] = [];
  if (malformedConfig !== null) notes.push(describeMalformed(malformedConfig));
  if (model.state !== 'ok') {
    const what = `the embedding model is ${model.state}${because(model.detail)}`;
    notes.push(`search is lexical: ${what}; what to do: lectern doctor`);
  }
  if (health.state !== 'ready') notes.push(`the index is ${health.state}${because(health.detail)}`);
  for (const { root, reason } of health.polled) notes.push(`${root} is polled: ${reason}`);
  for (const { file, reason } of health.quarantined)
    notes.push(`${file} is left out: ${reason} (again: lectern reindex --release ${file})`);
  for (const catalog of view.catalogs) {
    if (catalog.source !== undefined) continue;
    notes.push(`catalog "${catalog.name}" has not been read: ${catalog.root}`);
  }
  for (const { diagnosis, command } of parts.notes?.() ?? []) {
    notes.push(`${diagnosis} (${command})`);
  }
  return notes;
}

function describeMalformed(message: string): string {
  return `config.toml is malformed (commands exit 5, agents get the defaults): ${message}`;
}

function because(detail: string | null): string {
  return detail === null ? '' : ` (${detail})`;
}

/** Bytes of the files in a directory of directories; two levels hold all models. */
async function sizeOf(directory: string, depth = 2): Promise<number> {
  let bytes = 0;
  for (const item of await readdir(directory, { withFileTypes: true }).catch(() => [])) {
    const path = join(directory, item.name);
    if (item.isDirectory() && depth > 0) bytes += await sizeOf(path, depth - 1);
    else if (item.isFile()) bytes += (await stat(path).catch(() => undefined))?.size ?? 0;
  }
  return bytes;
}
