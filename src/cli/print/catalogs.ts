import type { addCatalog } from '../../protocol/admin/add-catalog.ts';
import type { listCatalogs } from '../../protocol/admin/list-catalogs.ts';
import type { ResultOf } from '../../protocol/admin/method.ts';
import type { removeCatalog } from '../../protocol/admin/remove-catalog.ts';
import type { showCatalog } from '../../protocol/admin/show-catalog.ts';
import type { updateCatalogs } from '../../protocol/admin/update-catalogs.ts';
import { formatAge } from '../measure.ts';
import { formatTable } from '../table.ts';
import { count, oneLine } from '../text.ts';
import type { Look } from './look.ts';
import { formatProblemCount } from './problems.ts';

interface EntryCounts {
  found: number;
  loaded: number;
  dropped: number;
}

/** `951 entries`, `949 of 951 entries`. */
export function formatEntryCounts(entries: EntryCounts): string {
  return entries.dropped === 0
    ? count(entries.loaded, 'entry', 'entries')
    : `${entries.loaded} of ${count(entries.found, 'entry', 'entries')}`;
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
  if (problems !== '') lines.push(`  ${paint.warning(problems)}`);
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
      { title: 'SOURCE', shrinks: true },
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
    look.width,
    look.paint.quiet,
  );
}

export function formatCatalog(catalog: ResultOf<typeof showCatalog>, look: Look): string {
  const { paint } = look;
  const lines = [
    `${paint.name(oneLine(catalog.name))}${catalog.version === null ? '' : ` ${oneLine(catalog.version)}`}`,
  ];
  if (catalog.description !== null) lines.push(oneLine(catalog.description));
  if (catalog.owner !== null) {
    const email = catalog.owner.email === null ? '' : ` <${oneLine(catalog.owner.email)}>`;
    lines.push(`${paint.quiet('owner:')}   ${oneLine(catalog.owner.name)}${email}`);
  }
  lines.push(
    `${paint.quiet('source:')}  ${showAddress(catalog.registered.url)}${catalog.in_place ? ' (read in place)' : ` @ ${catalog.registered.ref}`}`,
    `${paint.quiet('format:')}  ${catalog.format ?? 'not read yet'}`,
    `${paint.quiet('entries:')} ${formatEntryCounts(catalog.entries)}`,
  );
  const problems = formatProblemCount(catalog.problems);
  if (problems !== '') lines.push(paint.warning(problems));
  const plugins = formatTable(
    [{ title: 'PLUGIN' }, { title: 'SOURCE', shrinks: true }],
    catalog.plugins.map((plugin) => [oneLine(plugin.name), oneLine(plugin.source)]),
    look.width,
    paint.quiet,
  );
  if (plugins !== '') lines.push('', plugins);
  const elsewhere = formatTable(
    [{ title: 'ELSEWHERE, NOT FETCHED' }, { title: 'SOURCE', shrinks: true }],
    catalog.external.map((plugin) => [oneLine(plugin.name), oneLine(plugin.source)]),
    look.width,
    paint.quiet,
  );
  if (elsewhere !== '') lines.push('', elsewhere);
  return lines.join('\n');
}

type UpdateRecord = ResultOf<typeof updateCatalogs>['records'][number];

function formatUpdateRecord(record: UpdateRecord, { paint }: Look): string {
  if ('pinned' in record) {
    return `${paint.name(oneLine(record.pinned.name))} is pinned at ${record.pinned.ref}; nothing was fetched`;
  }
  if ('refreshed' in record) {
    const { name, ref, plugin_count: plugins, advanced_commits: commits } = record.refreshed;
    const moved =
      commits === null
        ? ''
        : commits === 0
          ? ', no new commits'
          : `, ${count(commits, 'new commit')}`;
    return `${paint.good('refreshed')} ${paint.name(oneLine(name))} (${ref}): ${count(plugins, 'plugin')}${moved}`;
  }
  const change = record.plugin_change;
  const id = oneLine(`${change.catalog}/${change.plugin}`);
  if (change.auto_disabled_reason !== undefined) {
    return `  ${paint.warning('disabled')} ${id}: ${oneLine(change.auto_disabled_reason)}`;
  }
  const counts = [
    [change.skills_added ?? 0, 'added'],
    [change.skills_modified ?? 0, 'changed'],
    [change.skills_removed ?? 0, 'removed'],
    [change.skills_unchanged ?? 0, 'unchanged'],
  ] as const;
  const said = counts.filter(([n]) => n > 0).map(([n, word]) => `${n} ${word}`);
  return `  ${id}: ${said.length === 0 ? 'no entries' : said.join(', ')}`;
}

export function formatUpdates(answer: ResultOf<typeof updateCatalogs>, look: Look): string {
  return answer.records.map((record) => formatUpdateRecord(record, look)).join('\n');
}

export function formatRemovedCatalog(
  answer: ResultOf<typeof removeCatalog>,
  { paint }: Look,
): string {
  const { removed } = answer;
  const lines = [
    `${paint.good('removed')} ${paint.name(oneLine(removed.name))}; ${
      answer.deleted
        ? `${removed.cache_path} was deleted`
        : `${removed.cache_path} was left as it is`
    }`,
  ];
  for (const each of removed.cascade ?? []) {
    lines.push(
      `  disabled ${oneLine(each.plugin)} (${count(each.skills_dropped, 'entry', 'entries')})`,
    );
  }
  return lines.join('\n');
}
