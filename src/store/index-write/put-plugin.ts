import type { PluginReading } from '../../catalog/types.ts';
import type { Database } from '../database.ts';
import { type PluginRow, toPlugin } from '../index-rows.ts';
import type { IndexChange } from '../index-view.ts';
import { holds, upsert } from './upsert.ts';

/** Write the row of a plugin, unless it is as it was. @param head gets it, if it is not */
export function putPlugin(
  db: Database,
  sourceId: number,
  plugin: PluginReading,
  existing: PluginRow | undefined,
  now: number,
  head: IndexChange,
): PluginRow {
  const columns = {
    source_id: sourceId,
    name: plugin.name,
    version: plugin.version,
    description: plugin.description,
    license: plugin.license,
    author: plugin.author === null ? null : JSON.stringify(plugin.author),
    format: plugin.format,
    root: plugin.root,
    source: plugin.source,
    components: JSON.stringify(plugin.components),
    ships_hooks_json: plugin.shipsHooksJson ? 1 : 0,
    ships_guardrails: plugin.shipsGuardrails ? 1 : 0,
    problems: JSON.stringify(plugin.problems),
    unusable: plugin.unusable === undefined ? null : JSON.stringify(plugin.unusable),
  };
  if (existing !== undefined && holds(existing, columns)) return existing;
  upsert(db, 'plugins', 'source_id, name', { ...columns, indexed_at: now });
  const row = db.get<PluginRow>(
    'SELECT * FROM plugins WHERE source_id = ? AND name = ?',
    sourceId,
    plugin.name,
  )!;
  head.plugins.push(toPlugin(row));
  return row;
}
