import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import type { IndexerClient } from '../../daemon/indexer/client.ts';
import { startSearch } from '../../daemon/search/start-search.ts';
import { Scope } from '../../src/core/scope.ts';
import { CHUNKER_VERSION } from '../../src/search/chunks.ts';
import type { Embedder } from '../../src/search/embed/embedder.ts';
import { BUNDLED_MODEL } from '../../src/search/embed/profile.ts';
import { TOKENISER_VERSION } from '../../src/search/tokenise.ts';
import { Database } from '../../src/store/database.ts';
import { eventually } from '../eventually.ts';
import { READY } from '../search/small-index.ts';
import { findLexically, type Orchard, plantOrchard, skill } from './orchard.ts';

let orchard: Orchard;
beforeEach(() => {
  orchard = plantOrchard();
  orchard.write('trees/skills/prune/SKILL.md', skill('prune', 'Cut a branch', 'In winter.'));
});
afterEach(() => orchard.clear());

/** A search whose model gives every text one vector, and writes down what it embedded. */
function searchOver(indexer: IndexerClient) {
  const scope = new Scope('test');
  onTestFinished(() => scope.close());
  const embedded: string[] = [];
  const embedder: Embedder = {
    profile: { ...BUNDLED_MODEL, id: 'one', dim: 3 },
    embedQuery: async () => Float32Array.of(1, 0, 0),
    embedTexts: async (texts) => {
      embedded.push(...texts);
      return texts.map(() => Float32Array.of(1, 0, 0));
    },
    health: () => READY,
    wake: () => {},
  };
  const log = { info: () => {}, warn: () => {} };
  const search = startSearch({ scope, log, indexer, embedder, canWrite: true });
  return { search, embedded };
}

for (const [what, versions] of [
  ['words', `${TOKENISER_VERSION - 1}.${CHUNKER_VERSION}`],
  ['chunks', `${TOKENISER_VERSION}.${CHUNKER_VERSION - 1}`],
] as const) {
  test(`an index whose ${what} another version cut is filled again, and its vectors go`, async () => {
    const first = await orchard.start();
    await first.addRoot({ root: orchard.at('trees'), kind: 'catalog' });
    expect(await first.caughtUp(10_000)).toBe(true);
    await orchard.stop();

    const db = new Database(orchard.paths.indexDb);
    db.run("UPDATE meta SET value = ? WHERE key = 'texts'", versions);
    db.run("UPDATE entries SET text_hash = 'entry as it was'");
    db.run(
      "UPDATE entries_fts SET name = 'shear', description = 'shear', when_to_use = '', body = ''",
    );
    db.run('DELETE FROM chunks WHERE position > 0');
    db.run("UPDATE chunks SET text_hash = 'chunk as it was', text = 'as it was'");
    db.run("INSERT INTO chunks SELECT entry_id, 7, 'more as it was', 'more' FROM chunks");
    for (const hash of ['entry as it was', 'chunk as it was', 'more as it was']) {
      const vector = new Uint8Array(Float32Array.of(0, 1, 0).buffer);
      db.run("INSERT INTO vectors (model, text_hash, vector) VALUES ('one', ?, ?)", hash, vector);
    }
    db.close();

    const indexer = await orchard.start();
    const { search, embedded } = searchOver(indexer);
    await eventually(() => expect(search.engine.vectors?.()).toMatchObject({ rows: 2 }));
    await eventually(() =>
      expect(embedded.toSorted()).toEqual([
        'prune. \n# prune\n\nIn winter.\n',
        'prune: Cut a branch',
      ]),
    );
    await search.idle();
    expect(search.engine.vectors?.()).toMatchObject({ rows: 2 });
    expect(findLexically(indexer, 'branch')).toEqual(['prune']);
    expect(findLexically(indexer, 'shear')).toEqual([]);
    await orchard.stop();
  });
}
