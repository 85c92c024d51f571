import type { PluginReading, Problem } from '../../catalog/types.ts';

/** The view and the rows key plugins by name; two of one name are told apart by their place. */
export function nameApart(plugins: readonly PluginReading[]): PluginReading[] {
  const taken = new Set<string>();
  return plugins.map((plugin) => {
    let name = plugin.name;
    for (let n = 2; taken.has(name); n++) name = `${plugin.name}-${n}`;
    taken.add(name);
    if (name === plugin.name) return plugin;
    const problem: Problem = {
      severity: 'warning',
      file: plugin.root,
      message: `another plugin of this catalog is called "${plugin.name}" too; this one is listed as "${name}"`,
      fix: 'give one of them another name',
    };
    return { ...plugin, name, problems: [...plugin.problems, problem] };
  });
}
