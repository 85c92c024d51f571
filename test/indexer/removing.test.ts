import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Breadcrumb } from '../../daemon/breadcrumb.ts';
import { IndexStore } from '../../daemon/indexer/index-store.ts';
import type { ReadCatalog } from '../../daemon/indexer/root-reader.ts';
import { Roots } from '../../daemon/indexer/roots.ts';
import { readCatalog } from '../../src/catalog/read-catalog.ts';
import { Scope } from '../../src/core/scope.ts';
import { skill } from './orchard.ts';

let dir: string;
let scope: Scope;
beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'lectern-remove-')));
  mkdirSync(join(dir, 'trees/skills/prune'), { recursive: true });
  writeFileSync(join(dir, 'trees/skills/prune/SKILL.md'), skill('prune', 'Cut a branch'));
  scope = new Scope('test');
});
afterEach(async () => {
  await scope.close();
  rmSync(dir, { recursive: true, force: true });
});

/** Roots whose second and later readings of a root go on until they are aborted. */
function openEndless(): { roots: Roots; store: IndexStore; begun: Promise<void> } {
  const store = scope.own(
    new IndexStore(join(dir, 'index.db'), { onState: () => {}, onDamage: () => {} }),
    (opened) => opened.close(),
  );
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  let readings = 0;
  const read: ReadCatalog = (root, options) => {
    readings += 1;
    if (readings <= 2) return readCatalog(root, options);
    begin();
    return new Promise((_, reject) => {
      options.signal?.addEventListener('abort', () => reject(options.signal?.reason));
    });
  };
  const roots = new Roots({
    store,
    breadcrumb: scope.own(new Breadcrumb(join(dir, 'trail.json')), (trail) => trail.close()),
    scope,
    readCatalog: read,
    onChange: () => {},
    onHealth: () => {},
    log: () => {},
  });
  return { roots, store, begun };
}

test('a root that is removed while it is read is not read to its end, nor once more', async () => {
  const { roots, store, begun } = openEndless();
  const trees = { root: join(dir, 'trees'), kind: 'catalog' as const };
  await roots.add(trees, 'kept');
  const running = roots.reindex(null, true);
  const queued = roots.reindex(null, true);
  await begun;
  const failures = Promise.allSettled([running, queued]);
  await roots.remove(trees.root);
  expect(await failures).toMatchObject([
    { status: 'rejected', reason: { category: 'interrupted' } },
    { status: 'rejected' },
  ]);
  expect(store.read((db) => db.all('SELECT * FROM sources'))).toEqual([]);
});
