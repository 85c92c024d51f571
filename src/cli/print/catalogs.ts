import type { addCatalog } from '../../protocol/admin/add-catalog.ts';
import type { listCatalogs } from '../../protocol/admin/list-catalogs.ts';
import type { ResultOf } from '../../protocol/admin/method.ts';
import type { removeCatalog } from '../../protocol/admin/remove-catalog.ts';
import type { showCatalog } from '../../protocol/admin/show-catalog.ts';
import type { updateCatalogs } from '../../protocol/admin/update-catalogs.ts';
import { formatAge } from '../measure.ts';
import { formatTable } from '../table.ts';
import { count, oneLine, wrap } from '../text.ts';
import { type Look, tableWidthOf } from './look.ts';
import { formatProblemCount } from './problems.ts';

interface EntryCounts {
  found: number;
  loaded: number;
  dropped: number;
}

/** `951`, `949 of 951`. */
function formatCounts({ loaded, found, dropped }: EntryCounts): string {
  const words = dropped === 0 ? [loaded] : [loaded, found];
  return words.map((n) => n.toLocaleString('en-US')).join(' of ');
}

/** `951 entries`, `949 of 951 entries`. */
export function formatEntryCounts(entries: EntryCounts): string {
  const isOne = entries.found === 1;
  return `${formatCounts(entries)} ${isOne ? 'entry' : 'entries'}`;
}

/** A `file://` address as the path it names, in which a `%` stands for itself; anything else as it is. */
function showAddress(url: string): string {
  return oneLine(url.startsWith('file://') ? url.slice('file://'.length) : url);
}

export function formatAddedCatalog(answer: ResultOf<typeof addCatalog>, { paint }: Look): string {
  const { added, external } = answer;
  const where = answer.in_place
    ? `read in place from ${showAddress(added.url)}`
    : `${oneLine(added.url)} at ${added.ref}${added.commit === undefined ? '' : ` (${added.commit.slice(0, 10)})`}`;
  const lines = [
    `${paint.good('added')} ${paint.name(oneLine(added.name))}: ${count(added.plugin_count, 'plugin')}, ${formatEntryCounts(answer.entries)}`,
    `  ${paint.quiet(where)}`,
  ];
  if (external.length > 0) {
    lines.push(
      `  ${paint.quiet(`${count(external.length, 'plugin')} of the manifest ${external.length === 1 ? 'lives' : 'live'} elsewhere and ${external.length === 1 ? 'was' : 'were'} not fetched`)}`,
    );
  }
  const problems = formatProblemCount(answer.problems);
  if (problems !== '') {
    lines.push(`  ${paint.warning(problems)}, listed by: lectern problems ${oneLine(added.name)}`);
  }
  if (answer.enabled.length > 0) {
    lines.push(`  ${paint.good('enabled')} ${count(answer.enabled.length, 'plugin')}`);
  }
  return lines.join('\n');
}

export function formatCatalogs(rows: ResultOf<typeof listCatalogs>, look: Look): string {
  return formatTable(
    [
      { title: 'NAME' },
      { title: 'PLUGINS', align: 'right' },
      { title: 'ENTRIES', align: 'right' },
      { title: 'SYNCED' },
      { title: 'SOURCE', shrinks: 'middle' },
    ],
    rows.map((row) => [
      look.paint.name(oneLine(row.name)),
      String(row.plugin_count),
      row.entries === undefined
        ? '-'
        : row.entries.dropped === 0
          ? String(row.entries.loaded)
          : look.paint.warning(`${row.entries.loaded}/${row.entries.found}`),
      row.last_synced === undefined
        ? look.paint.bad('missing')
        : row.in_place === true
          ? 'live'
          : formatAge(Date.parse(row.last_synced), look.nowMs),
      `${showAddress(row.url)}${row.in_place === true ? '' : ` @ ${row.ref}`}`,
    ]),
    tableWidthOf(look),
    look.paint.quiet,
  );
}

export function formatCatalog(catalog: ResultOf<typeof showCatalog>, look: Look): string {
  const { paint } = look;
  const lines = [
    `${paint.name(oneLine(catalog.name))}${catalog.version === null ? '' : ` ${oneLine(catalog.version)}`}`,
  ];
  if (catalog.description !== null) {
    lines.push(...wrap(oneLine(catalog.description), look.width));
  }
  if (catalog.owner !== null) {
    const email = catalog.owner.email === null ? '' : ` <${oneLine(catalog.owner.email)}>`;
    lines.push(`${paint.quiet('owner:')}   ${oneLine(catalog.owner.name)}${email}`);
  }
  lines.push(
    `${paint.quiet('source:')}  ${showAddress(catalog.registered.url)}${catalog.in_place ? ' (read in place)' : ` @ ${catalog.registered.ref}`}`,
    `${paint.quiet('format:')}  ${catalog.format ?? 'not read yet'}`,
    `${paint.quiet('entries:')} ${formatCounts(catalog.entries)}`,
  );
  const problems = formatProblemCount(catalog.problems);
  if (problems !== '') lines.push(paint.warning(problems));
  const plugins = formatTable(
    [{ title: 'PLUGIN' }, { title: 'SOURCE', shrinks: 'middle' }],
    catalog.plugins.map((plugin) => [oneLine(plugin.name), oneLine(plugin.source)]),
    tableWidthOf(look),
    paint.quiet,
  );
  if (plugins !== '') lines.push('', plugins);
  const elsewhere = formatTable(
    [{ title: 'ELSEWHERE, NOT FETCHED' }, { title: 'SOURCE', shrinks: 'middle' }],
    catalog.external.map((plugin) => [oneLine(plugin.name), oneLine(plugin.source)]),
    tableWidthOf(look),
    paint.quiet,
  );
  if (elsewhere !== '') lines.push('', elsewhere);
  return lines.join('\n');
}

type UpdateAnswer = ResultOf<typeof updateCatalogs>;
type PluginChange = Extract<
  UpdateAnswer['records'][number],
  { plugin_change: object }
>['plugin_change'];

/** `1 added, 3 changed`: what an update did to entries; empty when it did nothing. */
function formatChanges(changes: readonly PluginChange[]): string {
  const sum = (pick: (change: PluginChange) => number | undefined) =>
    changes.reduce((total, change) => total + (pick(change) ?? 0), 0);
  return (
    [
      [sum((it) => it.skills_added), 'added'],
      [sum((it) => it.skills_modified), 'changed'],
      [sum((it) => it.skills_removed), 'removed'],
    ] as const
  )
    .filter(([n]) => n > 0)
    .map(([n, word]) => `${n} ${word}`)
    .join(', ');
}

function formatPluginUpdate(change: PluginChange, { paint }: Look): string {
  const id = oneLine(`${change.catalog}/${change.plugin}`);
  if (change.auto_disabled_reason !== undefined) {
    return `  ${paint.warning('disabled')} ${id}: ${oneLine(change.auto_disabled_reason)}`;
  }
  const same = change.skills_unchanged ?? 0;
  const said = [formatChanges([change]), same === 0 ? '' : `${same} unchanged`];
  return `  ${id}: ${said.filter((part) => part !== '').join(', ') || 'no entries'}`;
}

/**
 * One line a catalog, under it the plugins that changed.
 *
 * @param isVerbose those that did not change too
 */
export function formatUpdates(answer: UpdateAnswer, look: Look, isVerbose: boolean): string {
  const { paint } = look;
  const directories = new Map(answer.in_place.map((it) => [it.catalog, it.directory]));
  const changes: PluginChange[] = answer.records.flatMap((record) =>
    'plugin_change' in record ? [record.plugin_change] : [],
  );
  return answer.records
    .flatMap((record) => {
      if ('plugin_change' in record) {
        const change = record.plugin_change;
        const isTold = change.auto_disabled_reason !== undefined || formatChanges([change]) !== '';
        return isTold || isVerbose ? [formatPluginUpdate(change, look)] : [];
      }
      if ('pinned' in record) {
        const { name, ref } = record.pinned;
        return [`${paint.name(oneLine(name))} is pinned at ${ref}; nothing was fetched`];
      }
      const { name, ref, plugin_count: plugins, advanced_commits: commits } = record.refreshed;
      const directory = directories.get(name);
      const entries = formatChanges(changes.filter((change) => change.catalog === name));
      const said = [
        count(plugins, 'plugin'),
        commits === null ? '' : commits === 0 ? 'no new commits' : count(commits, 'new commit'),
        entries === '' ? 'no entry changed' : `entries: ${entries}`,
      ].filter((part) => part !== '');
      const verb = directory === undefined ? 'refreshed' : 'read again';
      return [
        `${paint.good(verb)} ${paint.name(oneLine(name))} (${oneLine(directory ?? ref)}): ${said.join(', ')}`,
      ];
    })
    .join('\n');
}

/** @param isVerbose name each plugin that was disabled */
export function formatRemovedCatalog(
  answer: ResultOf<typeof removeCatalog>,
  { paint }: Look,
  isVerbose: boolean,
): string {
  const { removed } = answer;
  const lines = [
    `${paint.good('removed')} ${paint.name(oneLine(removed.name))}; ${
      answer.deleted
        ? `${removed.cache_path} was deleted`
        : `${removed.cache_path} was left as it is`
    }`,
  ];
  const cascade = removed.cascade ?? [];
  if (cascade.length > 0) {
    const dropped = cascade.reduce((sum, each) => sum + each.skills_dropped, 0);
    lines.push(
      `  disabled ${count(cascade.length, 'plugin')} with ${count(dropped, 'entry', 'entries')}`,
    );
  }
  if (isVerbose) {
    lines.push(
      ...cascade.map(
        (each) => `    ${oneLine(each.plugin)} (${count(each.skills_dropped, 'entry', 'entries')})`,
      ),
    );
  }
  return lines.join('\n');
}
