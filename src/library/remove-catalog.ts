import { rm } from 'node:fs/promises';
import { isInside } from '../catalog/contain.ts';
import { LecternError } from '../core/errors.ts';
import type { EnrolmentRow } from '../store/state/enrolments.ts';
import { findCatalog } from './find-plugin.ts';
import type { KeyedLock } from './keyed-lock.ts';
import type { LibraryParts } from './parts.ts';
import type { ScopeView } from './scope-view.ts';
import { isEnabled } from './set-plugins-enabled.ts';

/** Plugins that a refusal names: enough to know what is meant. */
const PLUGINS_NAMED = 3;

export interface RemovedCatalog {
  removed: {
    name: string;
    url: string;
    cache_path: string;
    cascade?: { plugin: string; skills_dropped: number }[];
  };
  deleted: boolean;
  dry_run?: boolean;
}

/**
 * End an enrolment (library contract 3.3). A clone of ours goes with its last
 * enrolment; a directory that was read in place is never deleted.
 *
 * @throws LecternError catalog_not_found (3), catalog_has_enabled_plugins (53)
 */
export async function removeCatalog(
  parts: LibraryParts,
  locks: KeyedLock,
  view: ScopeView,
  name: string,
  options: { force: boolean; dryRun: boolean },
): Promise<RemovedCatalog> {
  const catalog = findCatalog(view, name);
  const { enrolment } = catalog;
  if (enrolment === null) {
    throw new LecternError('usage', `"${name}" is the project's own folders; nothing is enrolled`);
  }
  const enabled = catalog.plugins.filter(isEnabled);
  if (enabled.length > 0 && !options.force) {
    const ids = enabled.slice(0, PLUGINS_NAMED).map((plugin) => `${name}/${plugin.name}`);
    const more = enabled.length - ids.length;
    const count = enabled.length === 1 ? '1 plugin' : `${enabled.length} plugins`;
    const list = `${ids.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
    throw new LecternError(
      'catalog_has_enabled_plugins',
      `${count} of "${name}" ${enabled.length === 1 ? 'is' : 'are'} enabled: ${list}`,
      { next: `lectern catalog remove ${name} --force` },
    );
  }
  const cascade = enabled.map((plugin) => ({
    plugin: plugin.name,
    skills_dropped: plugin.entries.filter((it) => it.isEnabled).length,
  }));
  const removed: RemovedCatalog['removed'] = {
    name,
    url: enrolment.url,
    cache_path: enrolment.root,
    ...(cascade.length === 0 ? {} : { cascade }),
  };
  if (options.dryRun) return { removed, deleted: false, dry_run: true };
  const deleted = await locks.run(enrolment.root, async () => {
    parts.state.enrolments.remove(enrolment.id);
    return forgetRoot(parts, enrolment);
  });
  return { removed, deleted };
}

/**
 * Let go of a root that no workspace has enrolled any more.
 *
 * @returns whether its clone was deleted
 */
export async function forgetRoot(parts: LibraryParts, enrolment: EnrolmentRow): Promise<boolean> {
  if (parts.state.enrolments.all().some((row) => row.root === enrolment.root)) return false;
  await parts.indexer.removeRoot(enrolment.root);
  // Only what lectern cloned, where it clones: no row in a database may delete anything else.
  if (enrolment.kind !== 'git' || enrolment.root === parts.paths.catalogs) return false;
  if (!isInside(parts.paths.catalogs, enrolment.root)) return false;
  await rm(enrolment.root, { recursive: true, force: true });
  return true;
}
