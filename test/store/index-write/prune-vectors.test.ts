import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../../src/store/database.ts';
import { INDEX_MIGRATIONS } from '../../../src/store/index-schema.ts';
import { pruneVectors } from '../../../src/store/index-write/prune-vectors.ts';
import { openForWriting } from '../../../src/store/open-database.ts';

let db: Database;
beforeEach(() => {
  db = openForWriting(':memory:', { migrations: INDEX_MIGRATIONS });
  db.exec('PRAGMA foreign_keys = OFF');
  db.run("INSERT INTO chunks VALUES (1, 0, 'used', 'text')");
  for (const hash of ['used', 'old', 'older']) {
    db.run('INSERT INTO vectors VALUES (?, ?, ?)', 'm1', hash, new Uint8Array(4));
  }
});
afterEach(() => db.close());

const hashes = () =>
  db.all<{ text_hash: string }>('SELECT text_hash FROM vectors').map((row) => row.text_hash);

test('vectors of texts that nobody has stay while they are few', () => {
  expect(pruneVectors(db, 2)).toBe(0);
  expect(hashes()).toHaveLength(3);
});

test('once they are many they go, and those in use stay', () => {
  expect(pruneVectors(db, 1)).toBe(2);
  expect(hashes()).toEqual(['used']);
});
