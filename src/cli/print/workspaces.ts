import type { initWorkspace } from '../../protocol/admin/init-workspace.ts';
import type { listWorkspaces } from '../../protocol/admin/list-workspaces.ts';
import type { ResultOf } from '../../protocol/admin/method.ts';
import type { showWorkspace } from '../../protocol/admin/show-workspace.ts';
import type { useWorkspace } from '../../protocol/admin/use-workspace.ts';
import { formatAge } from '../measure.ts';
import { formatTable } from '../table.ts';
import { count, cut, oneLine } from '../text.ts';
import { type Look, tableWidthOf } from './look.ts';

export function formatWorkspaces(rows: ResultOf<typeof listWorkspaces>, look: Look): string {
  return formatTable(
    [
      { title: '' },
      { title: 'WORKSPACE' },
      { title: 'CATALOGS', align: 'right' },
      { title: 'PLUGINS', align: 'right' },
      { title: 'ENTRIES', align: 'right' },
      { title: 'PROJECTS', align: 'right' },
      { title: 'LAST USED' },
    ],
    rows.map((row) => [
      row.current ? look.paint.good('*') : ' ',
      look.paint.name(row.name),
      String(row.catalogs),
      String(row.enabled_plugins),
      String(row.indexed_skills),
      String(row.bound_projects),
      row.last_used_at === null ? '-' : formatAge(Date.parse(row.last_used_at), look.nowMs),
    ]),
    tableWidthOf(look),
    look.paint.quiet,
  );
}

export function formatInitializedWorkspace(
  made: ResultOf<typeof initWorkspace>,
  { paint }: Look,
): string {
  const inherited =
    made.catalogs_inherited === 0 ? '' : ` with ${count(made.catalogs_inherited, 'catalog')}`;
  const bound = made.bound === true ? '; this directory is bound to it' : '';
  return `${paint.good('created')} ${paint.name(made.name)}${inherited}${bound}`;
}

export function formatUsedWorkspace(used: ResultOf<typeof useWorkspace>, { paint }: Look): string {
  const from = used.rebind_from === null ? '' : ` (was ${used.rebind_from})`;
  const created = used.created === true ? `${paint.good('created')} ${used.workspace}\n` : '';
  return `${created}${paint.good('bound')} ${used.project_root} to ${paint.name(used.workspace)}${from}`;
}

/** How it came that this workspace is the one, in words. */
const SOURCES: Readonly<Record<ResultOf<typeof showWorkspace>['source'], string>> = {
  flag: 'named on the command line',
  env: 'named by LECTERN_WORKSPACE',
  config: 'the default of config.toml',
  project_marker: 'bound to this directory',
  global_fallback: 'used where no workspace is bound',
};

export function formatWorkspace(info: ResultOf<typeof showWorkspace>, look: Look): string {
  const { paint } = look;
  const label = (word: string): string => paint.quiet(`${word}:`.padEnd(10));
  const lines = [
    `${paint.name(info.name)} ${paint.quiet(`(${SOURCES[info.source]})`)}`,
    `${label('path')} ${info.path}`,
    `${label('plugins')} ${info.plugins_enabled} of ${info.plugins_total} enabled`,
    `${label('entries')} ${info.skills_indexed}`,
    `${label('embedder')} ${info.embedder.name ?? 'none'}`,
  ];
  for (const catalog of info.enrolled_catalogs) {
    lines.push(`${label('catalog')} ${oneLine(catalog.name)} ${paint.quiet(oneLine(catalog.url))}`);
  }
  for (const project of info.bound_projects) lines.push(`${label('project')} ${oneLine(project)}`);
  for (const plugin of info.plugin_details ?? []) {
    const id = `${oneLine(plugin.catalog)}/${oneLine(plugin.plugin)}`;
    // Behind the label of eleven columns and the id; where little room is left it says nothing.
    const room = tableWidthOf(look) - 12 - id.length;
    const about = room < 10 ? '' : ` ${paint.quiet(cut(oneLine(plugin.description ?? ''), room))}`;
    lines.push(`${label('plugin')} ${id}${about}`);
  }
  return lines.join('\n');
}
