import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { readCatalog } from '../../src/catalog/read-catalog.ts';
import type { ReadOptions } from '../../src/catalog/reading.ts';
import type { CatalogReading, EntryReading, Problem } from '../../src/catalog/types.ts';

/** A canonical temporary directory that is gone after the test. */
export function makeRoot(): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'lectern-catalog-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return root;
}

/** A directory with these files: relative path to content; `/` at the end makes an empty folder. */
export function plant(files: Record<string, string | Uint8Array>, root = makeRoot()): string {
  for (const [path, content] of Object.entries(files)) {
    const full = join(root, path);
    if (path.endsWith('/')) {
      mkdirSync(full, { recursive: true });
      continue;
    }
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, content);
  }
  return root;
}

/** A skill by the rules. */
export function skill(
  name: string,
  description = `What ${name} does`,
  body = `# ${name}\n`,
): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n${body}`;
}

export const ORCHARD = `name = "orchard"
description = "Fruit-growing skills"
version = "1.2.0"

[owner]
name = "Orchard Team"
email = "team@orchard.example"
`;

/** A Tome catalog with one plugin, `pruning`, that holds these files. */
export function plantTome(files: Record<string, string | Uint8Array>): string {
  return plant({
    'tome-catalog.toml': `${ORCHARD}\n[[plugins]]\nname = "pruning"\nsource = "plugins/pruning"\n`,
    'plugins/pruning/tome-plugin.toml': 'name = "pruning"\nversion = "1.0.0"\n',
    ...Object.fromEntries(
      Object.entries(files).map(([path, content]) => [`plugins/pruning/${path}`, content]),
    ),
  });
}

export function read(root: string, options: Partial<ReadOptions> = {}): Promise<CatalogReading> {
  return readCatalog(root, { kind: 'catalog', ...options });
}

/** `plugin/kind/name` of everything loaded, sorted. */
export function idsOf(reading: CatalogReading): string[] {
  return reading.plugins
    .flatMap((plugin) =>
      plugin.entries.map((entry) => `${plugin.name}/${entry.kind}/${entry.name}`),
    )
    .sort();
}

export function entriesOf(reading: CatalogReading): EntryReading[] {
  return reading.plugins.flatMap((plugin) => plugin.entries);
}

/** The only entry of a reading. */
export function onlyEntry(reading: CatalogReading): EntryReading {
  const entries = entriesOf(reading);
  if (entries.length !== 1) throw new Error(`${entries.length} entries instead of one`);
  return entries[0]!;
}

/** Every problem of a reading, wherever it is kept. */
export function problemsOf(reading: CatalogReading): Problem[] {
  return [
    ...reading.problems,
    ...reading.plugins.flatMap((plugin) => [
      ...(plugin.unusable === undefined ? [] : [plugin.unusable]),
      ...plugin.problems,
      ...plugin.entries.flatMap((entry) => entry.problems),
    ]),
  ];
}
