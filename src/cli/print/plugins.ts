import type { enablePlugins } from '../../protocol/admin/enable-plugins.ts';
import type { listPlugins } from '../../protocol/admin/list-plugins.ts';
import type { ResultOf } from '../../protocol/admin/method.ts';
import type { showPlugin } from '../../protocol/admin/show-plugin.ts';
import { formatDuration } from '../measure.ts';
import { formatTable } from '../table.ts';
import { count, oneLine, wrap } from '../text.ts';
import { type Look, tableWidthOf } from './look.ts';
import { formatProblem } from './problems.ts';

type PluginRow = ResultOf<typeof listPlugins>[number];

function paintStatus(row: Pick<PluginRow, 'status' | 'external_source'>, { paint }: Look): string {
  if (row.external_source !== undefined) return paint.quiet('elsewhere');
  if (row.status === 'enabled') return paint.good('enabled');
  return row.status === 'disabled' ? paint.quiet('disabled') : paint.bad('unindexable');
}

/** Version and counts by kind are in `plugin show`: here they would push the description off a terminal. */
export function formatPlugins(rows: ResultOf<typeof listPlugins>, look: Look): string {
  return formatTable(
    [
      { title: 'PLUGIN', shrinks: 'middle', paint: look.paint.name },
      { title: 'STATUS' },
      { title: 'ENTRIES', align: 'right' },
      { title: 'DESCRIPTION', shrinks: true },
    ],
    rows.map((row) => [
      oneLine(`${row.id.catalog}/${row.id.plugin}`),
      paintStatus(row, look),
      String(
        row.component_counts.skills + row.component_counts.commands + row.component_counts.agents,
      ),
      oneLine(row.description ?? ''),
    ]),
    tableWidthOf(look),
    look.paint.quiet,
  );
}

type EntryDetails = ResultOf<typeof showPlugin>['skills'][number];

function formatEntry(entry: EntryDetails, { paint, width }: Look): string {
  const marks = [
    entry.enabled ? '' : 'disabled',
    entry.searchable ? '' : 'not searchable',
    entry.prompt_name === null ? '' : `prompt ${entry.prompt_name}`,
    entry.tier === undefined ? '' : `tier ${entry.tier}`,
    entry.arguments.length === 0 ? '' : `takes ${entry.arguments.join(', ')}`,
  ].filter((mark) => mark !== '');
  const head = `  ${paint.name(oneLine(entry.name))}${marks.length === 0 ? '' : paint.quiet(` (${oneLine(marks.join('; '))})`)}`;
  const about = wrap(oneLine(entry.description), width - 4).map((line) => `    ${line}`);
  return [head, ...about].join('\n');
}

export function formatPlugin(plugin: ResultOf<typeof showPlugin>, look: Look): string {
  const { paint } = look;
  const lines = [
    `${oneLine(plugin.id.catalog)}/${paint.name(oneLine(plugin.id.plugin))}${plugin.version === null ? '' : ` ${oneLine(plugin.version)}`} ${paintStatus(plugin, look)}`,
  ];
  if (plugin.description !== null) lines.push(...wrap(oneLine(plugin.description), look.width));
  if (plugin.author !== null) lines.push(`${paint.quiet('author:')}  ${oneLine(plugin.author)}`);
  if (plugin.license !== null) lines.push(`${paint.quiet('licence:')} ${oneLine(plugin.license)}`);
  if (plugin.root !== null) lines.push(`${paint.quiet('files:')}   ${plugin.root}`);
  if (plugin.external_source !== undefined) {
    lines.push(`${paint.quiet('source:')}  ${oneLine(plugin.external_source)} (not fetched)`);
  }
  const ships = [
    plugin.ships_hooks_json ? 'hooks' : '',
    plugin.ships_guardrails_md ? 'guardrails' : '',
    plugin.component_counts.mcp_servers > 0
      ? count(plugin.component_counts.mcp_servers, 'MCP server')
      : '',
  ].filter((part) => part !== '');
  if (ships.length > 0) lines.push(`${paint.quiet('ships:')}   ${ships.join(', ')}`);
  for (const [title, entries] of [
    ['Skills', plugin.skills],
    ['Commands', plugin.commands],
    ['Agents', plugin.agents],
  ] as const) {
    if (entries.length === 0) continue;
    lines.push('', paint.strong(title), ...entries.map((entry) => formatEntry(entry, look)));
  }
  if (plugin.problems.length > 0) {
    lines.push('', ...plugin.problems.map((problem) => formatProblem(problem, look)));
  }
  return lines.join('\n');
}

/** What a batch of enables or disables came to; failures are printed by the error path. */
export function formatPluginChanges(
  answer: ResultOf<typeof enablePlugins>,
  { paint }: Look,
): string {
  const lines = answer.changed.map((change) => {
    const how =
      change.status === 'enabled'
        ? `: ${count(change.skills_indexed, 'entry', 'entries')} in ${formatDuration(change.duration_ms)}`
        : '';
    return `${paint.good(change.status)} ${paint.name(change.plugin)}${how}`;
  });
  if (answer.skipped.length > 0) {
    lines.push(
      paint.quiet(
        `${count(answer.skipped.length, 'plugin')} left as ${answer.skipped.length === 1 ? 'it was' : 'they were'}`,
      ),
    );
  }
  return lines.join('\n');
}
