import { isCommitRef } from '../catalog/git.ts';
import { LecternError, toLecternError } from '../core/errors.ts';
import type { IndexProgress } from '../store/indexer-port.ts';
import type { EnrolmentRow } from '../store/state/enrolments.ts';
import { type Failure, toFailure } from './failure.ts';
import type { KeyedLock } from './keyed-lock.ts';
import { lastSynced } from './list-catalogs.ts';
import type { LibraryParts, LocatedSession, ReportProgress } from './parts.ts';
import { comparePlugin, type SourceSnapshot, takeSnapshot } from './source-changes.ts';

export type UpdateRecord =
  | { pinned: { name: string; ref: string } }
  | {
      refreshed: {
        name: string;
        ref: string;
        plugin_count: number;
        advanced_commits: number | null;
        last_synced?: string;
      };
    }
  | {
      plugin_change: {
        catalog: string;
        plugin: string;
        skills_added?: number;
        skills_modified?: number;
        skills_removed?: number;
        skills_unchanged?: number;
        auto_disabled_reason?: string;
      };
    };

/**
 * Bring enrolments up to date (library contract 3.3): clones are fetched and
 * reset, directories read in place are only read again.
 *
 * @param enrolments what to update, in order; one directory is done once
 */
export async function updateCatalogs(
  parts: LibraryParts,
  locks: KeyedLock,
  enrolments: readonly EnrolmentRow[],
  session: LocatedSession,
  report: ReportProgress,
): Promise<{
  records: UpdateRecord[];
  failures: Failure[];
  in_place: { catalog: string; directory: string }[];
}> {
  const records: UpdateRecord[] = [];
  const failures: Failure[] = [];
  const done = new Set<string>();
  for (const enrolment of enrolments) {
    if (done.has(enrolment.root)) continue;
    done.add(enrolment.root);
    report(`updating ${enrolment.name}`, done.size - 1, null);
    try {
      records.push(
        ...(await locks.run(enrolment.root, () => updateOne(parts, enrolment, session, report))),
      );
    } catch (caught) {
      failures.push(toFailure(enrolment.name, toLecternError(caught)));
    }
  }
  const directories = enrolments.filter((row) => row.kind === 'directory' && done.has(row.root));
  return {
    records,
    failures,
    in_place: directories.map(({ name, root }) => ({ catalog: name, directory: root })),
  };
}

async function updateOne(
  parts: LibraryParts,
  enrolment: EnrolmentRow,
  session: LocatedSession,
  report: ReportProgress,
): Promise<UpdateRecord[]> {
  const { name, ref, root } = enrolment;
  if (enrolment.kind === 'git' && isCommitRef(ref)) return [{ pinned: { name, ref } }];
  const before = takeSnapshot(parts.indexer.view, root);
  const fetched =
    enrolment.kind === 'git' ? await fetch(parts, enrolment, session) : { advancedCommits: null };
  if ((await lastSynced(root)) === undefined) {
    throw new LecternError('io', `the directory of catalog "${name}" is gone: ${root}`, {
      next: `lectern catalog remove ${name}`,
    });
  }
  const tell = (progress: IndexProgress) => report(progress.stage, progress.done, progress.total);
  // A catalog that was gone when the daemon started is not in the index.
  if (parts.indexer.view.sourceByRoot(root) === undefined) {
    await parts.indexer.addRoot({ root, kind: 'catalog' }, tell);
  } else {
    await parts.indexer.reindex([root], false, tell);
  }
  const after = takeSnapshot(parts.indexer.view, root);
  const synced = await lastSynced(root);
  return [
    {
      refreshed: {
        name,
        ref,
        plugin_count: countDeclared(parts, root),
        advanced_commits: fetched.advancedCommits,
        ...(synced === undefined ? {} : { last_synced: synced }),
      },
    },
    ...describePlugins(parts, enrolment, before, after),
  ];
}

/** Fetch into the clone; one that is gone is made again. */
async function fetch(
  parts: LibraryParts,
  { root, url, ref, refGiven }: EnrolmentRow,
  session: LocatedSession,
): Promise<{ advancedCommits: number | null }> {
  if ((await lastSynced(root)) !== undefined) return parts.git.update(root, ref, session.env);
  await parts.git.clone(url, refGiven ? ref : null, root, session.env);
  return { advancedCommits: null };
}

/** One record for each plugin that is enabled anywhere; those that are gone are disabled everywhere. */
function describePlugins(
  parts: LibraryParts,
  enrolment: EnrolmentRow,
  before: SourceSnapshot,
  after: SourceSnapshot,
): UpdateRecord[] {
  const enrolled = parts.state.enrolments.all().filter((row) => row.root === enrolment.root);
  const enabled = new Map<string, number[]>();
  for (const row of enrolled) {
    for (const plugin of parts.state.enablement.pluginsOf(row.workspaceId)) {
      if (plugin.catalogId !== row.id) continue;
      enabled.set(plugin.plugin, [...(enabled.get(plugin.plugin) ?? []), row.id]);
    }
  }
  const records: UpdateRecord[] = [];
  for (const [plugin, catalogIds] of [...enabled].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (!after.has(plugin)) {
      parts.state.enablement.disable(catalogIds.map((catalogId) => ({ catalogId, plugin })));
      records.push({
        plugin_change: {
          catalog: enrolment.name,
          plugin,
          auto_disabled_reason: explainAbsence(parts, enrolment.root, plugin),
        },
      });
      continue;
    }
    const difference = comparePlugin(before.get(plugin), after.get(plugin));
    records.push({
      plugin_change: {
        catalog: enrolment.name,
        plugin,
        skills_added: difference.added,
        skills_modified: difference.modified,
        skills_removed: difference.removed,
        skills_unchanged: difference.unchanged,
      },
    });
  }
  return records;
}

function explainAbsence(parts: LibraryParts, root: string, plugin: string): string {
  const source = parts.indexer.view.sourceByRoot(root);
  const row =
    source === undefined
      ? undefined
      : parts.indexer.view.pluginsOf(source.id).find((it) => it.name === plugin);
  return row?.unusable === undefined || row.unusable === null
    ? 'the plugin is no longer in the catalog'
    : `${row.unusable.file}: ${row.unusable.message}`;
}

function countDeclared(parts: LibraryParts, root: string): number {
  const source = parts.indexer.view.sourceByRoot(root);
  if (source === undefined) return 0;
  return parts.indexer.view.pluginsOf(source.id).length + source.external.length;
}
