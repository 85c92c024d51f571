import { toRfc3339 } from '../../core/rfc3339.ts';
import { VERSION } from '../../core/version.ts';
import type { EnrolmentKind } from './enrolments.ts';
import type { StateStore } from './state-store.ts';
import type { WorkspaceRow } from './workspaces.ts';

/** What `lectern state export` prints. */
export interface StateExport {
  lectern: string;
  schema_version: number;
  exported_at: string;
  workspaces: {
    name: string;
    created_at: string;
    last_used_at: string | null;
    catalogs: {
      name: string;
      kind: EnrolmentKind;
      url: string;
      ref: string;
      root: string;
      added_at: string;
    }[];
    plugins: { catalog: string; plugin: string; enabled_at: string; tier: number }[];
    exceptions: {
      catalog: string;
      plugin: string;
      kind: string;
      name: string;
      enabled: boolean;
    }[];
    tiers: { catalog: string; plugin: string; kind: string; name: string; tier: number }[];
    bindings: { project_path: string; bound_at: string }[];
  }[];
  trust: { digest: string; subject: string; trusted_at: string }[];
  settings: Record<string, string>;
}

/**
 * The whole state but the counts, as one document that a person can read.
 *
 * @param now Unix ms of the export
 */
export function exportDecisions(state: StateStore, now: number): StateExport {
  return {
    lectern: VERSION,
    schema_version: state.schemaVersion,
    exported_at: toRfc3339(now),
    workspaces: state.workspaces.all().map((workspace) => exportWorkspace(state, workspace)),
    trust: state.trust.all().map(({ digest, subject, trustedAt }) => ({
      digest,
      subject,
      trusted_at: toRfc3339(trustedAt),
    })),
    settings: Object.fromEntries(state.settings.all().map(({ key, value }) => [key, value])),
  };
}

function exportWorkspace(
  state: StateStore,
  workspace: WorkspaceRow,
): StateExport['workspaces'][number] {
  const enrolments = state.enrolments.of(workspace.id);
  const names = new Map(enrolments.map((row) => [row.id, row.name]));
  const named = <Row extends { catalogId: number }>({ catalogId, ...rest }: Row) => ({
    catalog: names.get(catalogId)!,
    ...rest,
  });
  return {
    name: workspace.name,
    created_at: toRfc3339(workspace.createdAt),
    last_used_at: workspace.lastUsedAt === null ? null : toRfc3339(workspace.lastUsedAt),
    catalogs: enrolments.map((row) => ({
      name: row.name,
      kind: row.kind,
      url: row.url,
      ref: row.ref,
      root: row.root,
      added_at: toRfc3339(row.addedAt),
    })),
    plugins: state.enablement
      .pluginsOf(workspace.id)
      .map(named)
      .map(({ catalog, plugin, enabledAt, tier }) => ({
        catalog,
        plugin,
        enabled_at: toRfc3339(enabledAt),
        tier,
      })),
    exceptions: state.enablement.exceptionsOf(workspace.id).map(named),
    tiers: state.tiers.of(workspace.id).map(named),
    bindings: state.bindings
      .all()
      .filter((row) => row.workspaceId === workspace.id)
      .map((row) => ({ project_path: row.projectPath, bound_at: toRfc3339(row.boundAt) })),
  };
}
