import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { IndexerClient } from '../../daemon/indexer/client.ts';
import { readCatalog } from '../../src/catalog/read-catalog.ts';
import { ftsText } from '../../src/search/tokenise.ts';
import type { Database } from '../../src/store/database.ts';
import { loadIndexView } from '../../src/store/index-rows.ts';
import { INDEX_MIGRATIONS } from '../../src/store/index-schema.ts';
import { planReading } from '../../src/store/index-write/plan-reading.ts';
import { writeEntries } from '../../src/store/index-write/write-entries.ts';
import { openForWriting } from '../../src/store/open-database.ts';
import { type Orchard, plantOrchard, skill } from './orchard.ts';

let orchard: Orchard;
let indexer: IndexerClient;
beforeAll(async () => {
  orchard = plantOrchard();
  indexer = await orchard.start();
});
afterAll(() => orchard.clear());

/** Few names, so that a sequence meets the same file often. */
const FOLDERS = ['skills/a', 'skills/b', 'skills/c', 'p/skills/a', 'p/skills/b', 'p', 'skills'];
const FILES = [
  'skills/a/SKILL.md',
  'skills/b/SKILL.md',
  'skills/c/SKILL.md',
  'p/skills/a/SKILL.md',
  'p/skills/b/SKILL.md',
  'commands/x.md',
  'commands/y.md',
  'p/agents/x.md',
];
const WORDS = ['oak', 'elm', 'ash', 'fir', 'yew'];

type Step =
  | { do: 'write'; file: string; name: string; word: string }
  | { do: 'manifest'; version: string }
  | { do: 'rename'; from: string; to: string }
  | { do: 'delete'; path: string }
  | { do: 'search' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('write' as const),
      file: fc.constantFrom(...FILES),
      name: fc.constantFrom('a', 'b', 'x'),
      word: fc.constantFrom(...WORDS),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('manifest' as const),
      version: fc.constantFrom('1.0.0', '2.0.0'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('rename' as const),
      from: fc.constantFrom(...FOLDERS, ...FILES),
      to: fc.constantFrom(...FOLDERS, ...FILES),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('delete' as const),
      path: fc.constantFrom(...FOLDERS, ...FILES, '.'),
    }),
  },
  { weight: 2, arbitrary: fc.constant({ do: 'search' as const }) },
);

async function take(root: string, it: Step): Promise<void> {
  switch (it.do) {
    case 'write': {
      const file = join(root, it.file);
      mkdirSync(dirname(file), { recursive: true });
      rmSync(file, { recursive: true, force: true });
      writeFileSync(file, skill(it.name, `about ${it.word}`));
      return;
    }
    case 'manifest': {
      mkdirSync(join(root, 'p/.claude-plugin'), { recursive: true });
      writeFileSync(
        join(root, 'p/.claude-plugin/plugin.json'),
        JSON.stringify({ name: 'p', version: it.version }),
      );
      return;
    }
    case 'rename': {
      const from = join(root, it.from);
      const to = join(root, it.to);
      if (!existsSync(from) || existsSync(to) || !existsSync(dirname(to))) return;
      if (to.startsWith(`${from}/`)) return;
      renameSync(from, to);
      return;
    }
    case 'delete':
      rmSync(join(root, it.path), { recursive: true, force: true });
      return;
    case 'search':
      await indexer.caughtUp(10_000);
  }
}

/** A step that the file system refuses (a file where a folder is needed) is no step. */
function passOver(error: NodeJS.ErrnoException): void {
  if (!/^(EEXIST|ENOTDIR|EISDIR)$/.test(error.code ?? '')) throw error;
}

/** Everything that the index holds of a root, without ids and times. */
function dump(db: Database, root: string): unknown {
  const entries = db.all(
    `SELECT plugins.name AS plugin, plugins.version, plugins.format, entries.kind, entries.name,
            declared_name, entries.description, path, file, file_hash, text_hash, body_chars,
            entries.problems, takes_arguments, searchable, body, terms,
            (SELECT json_group_array(text) FROM chunks WHERE entry_id = entries.id) AS chunks
     FROM entries JOIN plugins ON plugins.id = plugin_id JOIN sources ON sources.id = source_id
     LEFT JOIN bodies ON entry_id = entries.id
     WHERE sources.root = ? ORDER BY plugins.name, entries.kind, entries.name`,
    root,
  );
  const found = WORDS.map((word) =>
    db
      .all<{ name: string }>(
        `SELECT plugins.name || '/' || entries.kind || '/' || entries.name AS name FROM entries_fts
         LEFT JOIN entries ON entries.id = entries_fts.rowid
         LEFT JOIN plugins ON plugins.id = plugin_id
         WHERE entries_fts MATCH ? ORDER BY 1`,
        ftsText(word),
      )
      .map((row) => row.name),
  );
  const plugins = db.all(
    `SELECT plugins.name, plugins.version, plugins.format, plugins.root, plugins.components,
            plugins.problems FROM plugins JOIN sources ON sources.id = source_id
     WHERE sources.root = ? ORDER BY plugins.name`,
    root,
  );
  return { entries, found, plugins };
}

async function dumpOfFreshReading(root: string): Promise<unknown> {
  const db = openForWriting(':memory:', { migrations: INDEX_MIGRATIONS });
  try {
    if (existsSync(root)) {
      const reading = await readCatalog(root, { kind: 'catalog', lenient: true });
      const plan = planReading(db, { root, kind: 'catalog' }, reading, false, 0);
      writeEntries(db, plan.writes, 0);
    }
    return dump(db, root);
  } finally {
    db.close();
  }
}

test('any sequence of creating, editing, renaming and deleting ends as a fresh reading', async () => {
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
      const root = orchard.at(`garden${++runs}`);
      mkdirSync(join(root, 'skills'), { recursive: true });
      await indexer.addRoot({ root, kind: 'catalog' });
      try {
        for (const it of steps) await take(root, it).catch(passOver);
        expect(await indexer.caughtUp(10_000)).toBe(true);
        expect(dump(indexer.database(), root)).toEqual(await dumpOfFreshReading(root));
        const stored = loadIndexView(indexer.database());
        expect(indexer.view.entries).toEqual(stored.entries);
        expect(indexer.view.plugins).toEqual(stored.plugins);
      } finally {
        await indexer.removeRoot(root);
        rmSync(root, { recursive: true, force: true });
      }
    }),
    { numRuns: 60 },
  );
}, 120_000);
