import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { LecternError } from '../../core/errors.ts';
import type { addCatalog } from '../../protocol/admin/add-catalog.ts';
import type { showPlugin } from '../../protocol/admin/show-plugin.ts';
import { formatDuration, toTenths } from '../measure.ts';
import { formatEntryCounts } from '../print/catalogs.ts';
import { count, oneLine } from '../text.ts';
import type { DemoEntry } from './demo-queries.ts';
import type { Tour, TourReport } from './tour.ts';

/** Plugins whose entries the tour looks at for something to ask: more would only take longer. */
const PLUGINS_READ = 12;

/** What was enrolled, with some of its entries. */
export interface Enrolled {
  catalogs: TourReport['catalogs'];
  entries: DemoEntry[];
}

/** Enrol folders, one after another. */
export async function enrolFolders(folders: readonly string[], tour: Tour): Promise<Enrolled> {
  const all: Enrolled = { catalogs: [], entries: [] };
  for (const folder of folders) {
    const { catalog, entries } = await enrol(folder, tour);
    all.catalogs.push(catalog);
    all.entries.push(...entries);
  }
  return all;
}

/**
 * The folders among what was named. A shell's `*` also names the files that lie
 * beside them: those are left out, and a path that is nothing is an error.
 *
 * @throws LecternError io
 */
export async function findFolders(named: readonly string[]): Promise<string[]> {
  const paths = named.map((folder) => resolve(folder));
  const stats = await Promise.all(paths.map((path) => stat(path).catch(() => undefined)));
  const folders = paths.filter((_, at) => stats[at]?.isDirectory() === true);
  const absent = paths.find((_, at) => stats[at] === undefined);
  if (absent !== undefined || folders.length === 0) {
    throw new LecternError('io', `${absent ?? paths[0]} is not a directory`, {
      next: 'lectern quickstart FOLDER…',
    });
  }
  return folders;
}

/** Enrol one folder; some of its entries, and what came of it. */
async function enrol(
  folder: string,
  tour: Tour,
): Promise<{ entries: DemoEntry[]; catalog: TourReport['catalogs'][number] }> {
  const startedAt = performance.now();
  const answer = await tour.ask<typeof addCatalog>('catalog.add', {
    source: folder,
    name: null,
    ref: null,
    enable: true,
  });
  const took = performance.now() - startedAt;
  const { name, plugin_count: plugins } = answer.added;
  tour.print(
    `${tour.paint.name(oneLine(name))} (${basename(folder)}): ${count(plugins, 'plugin')}, ${formatEntryCounts(answer.entries)}, searchable after ${formatDuration(took)}`,
  );
  const [problem] = answer.problems;
  if (problem !== undefined) {
    const first = `the first: ${basename(problem.file)}: ${oneLine(problem.message)}`;
    const all = tour.isGlobal ? 'lectern problems lists them' : first;
    tour.print(tour.paint.warning(`  ${count(answer.problems.length, 'problem')}; ${all}`));
  }
  const entries: DemoEntry[] = [];
  for (const { plugin: id } of answer.enabled.slice(0, PLUGINS_READ)) {
    const plugin = await tour.ask<typeof showPlugin>('plugin.show', { id });
    entries.push(...plugin.skills, ...plugin.commands);
  }
  return {
    entries,
    catalog: {
      name,
      folder,
      plugins,
      entries: answer.entries,
      problems: answer.problems.length,
      searchable_ms: toTenths(took),
    },
  };
}
