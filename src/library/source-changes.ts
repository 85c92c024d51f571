import type { IndexView } from '../store/index-view.ts';

/** What one plugin held at one moment: text hash by `<kind>/<name>`. */
type PluginSnapshot = ReadonlyMap<string, string>;

/** What one source held at one moment, by plugin. */
export type SourceSnapshot = ReadonlyMap<string, PluginSnapshot>;

export interface PluginDifference {
  added: number;
  modified: number;
  removed: number;
  unchanged: number;
}

/** Remember what is embedded of a source now, to tell later what changed. */
export function takeSnapshot(index: IndexView, root: string): SourceSnapshot {
  const source = index.sourceByRoot(root);
  const plugins = new Map<string, PluginSnapshot>();
  if (source === undefined) return plugins;
  for (const plugin of index.pluginsOf(source.id)) {
    if (plugin.unusable !== null) continue;
    plugins.set(
      plugin.name,
      new Map(
        index
          .entriesOf(plugin.id)
          .map((entry) => [`${entry.kind}/${entry.name}`, entry.textHash] as const),
      ),
    );
  }
  return plugins;
}

/** Entries added, changed, gone and kept between two moments of one plugin. */
export function comparePlugin(
  before: PluginSnapshot | undefined,
  after: PluginSnapshot | undefined,
): PluginDifference {
  const old = before ?? new Map<string, string>();
  const current = after ?? new Map<string, string>();
  const difference: PluginDifference = { added: 0, modified: 0, removed: 0, unchanged: 0 };
  for (const [key, hash] of current) {
    const was = old.get(key);
    if (was === undefined) difference.added++;
    else if (was === hash) difference.unchanged++;
    else difference.modified++;
  }
  for (const key of old.keys()) if (!current.has(key)) difference.removed++;
  return difference;
}
