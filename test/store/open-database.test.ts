import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LecternError } from '../../src/core/errors.ts';
import { Database, databaseFault } from '../../src/store/database.ts';
import {
  backUp,
  findDamage,
  openForReading,
  openForWriting,
  schemaVersion,
  setAside,
} from '../../src/store/open-database.ts';

const FIRST = 'CREATE TABLE trees (name TEXT PRIMARY KEY, age INTEGER)';
const SECOND = 'ALTER TABLE trees ADD COLUMN kind TEXT';

let dir: string;
let path: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'lectern-db-'));
  path = join(dir, 'orchard.db');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const faultOf = (work: () => unknown) => {
  try {
    work();
    return 'none';
  } catch (error) {
    return databaseFault(error);
  }
};

describe('Database', () => {
  test('rows have their columns and nothing else', () => {
    const db = openForWriting(path, { migrations: [FIRST] });
    db.run('INSERT INTO trees VALUES (?, ?)', 'elm', 7);
    expect(db.get('SELECT * FROM trees')).toEqual({ name: 'elm', age: 7 });
    expect(db.all('SELECT * FROM trees')).toEqual([{ name: 'elm', age: 7 }]);
    expect(db.get('SELECT * FROM trees WHERE name = ?', 'oak')).toBeUndefined();
    db.close();
  });

  test('a lone null and a lone blob are values, not named parameters', () => {
    const db = new Database(path);
    expect(db.get('SELECT ? AS it', null)).toEqual({ it: null });
    const { it } = db.get<{ it: ArrayBuffer }>('SELECT ? AS it', new Uint8Array([1, 2, 3]))!;
    expect([...new Uint8Array(it)]).toEqual([1, 2, 3]);
    db.close();
  });

  test('a failing transaction leaves nothing behind', () => {
    const db = openForWriting(path, { migrations: [FIRST] });
    expect(() =>
      db.transact(() => {
        db.run('INSERT INTO trees VALUES (?, ?)', 'elm', 7);
        throw new Error('frost');
      }),
    ).toThrow('frost');
    expect(db.all('SELECT * FROM trees')).toEqual([]);
    db.close();
  });

  test('the file and its log are for their owner only', () => {
    const db = openForWriting(path, { migrations: [FIRST] });
    const modes = readdirSync(dir).map((name) => statSync(join(dir, name)).mode & 0o777);
    db.close();
    expect(modes).toEqual(modes.map(() => 0o600));
    expect(modes.length).toBeGreaterThan(1);
  });

  test('with its log emptied, the database file alone holds everything', () => {
    const db = openForWriting(path, { migrations: [FIRST] });
    db.run('INSERT INTO trees VALUES (?, ?)', 'elm', 7);
    db.emptyLog();
    db.close();
    copyFileSync(path, join(dir, 'copy.db'));
    const copy = openForReading(join(dir, 'copy.db'));
    expect(copy.all('SELECT name FROM trees')).toEqual([{ name: 'elm' }]);
    copy.close();
  });
});

describe('migrations', () => {
  test('each step runs once and is numbered', () => {
    openForWriting(path, { migrations: [FIRST] }).close();
    const db = openForWriting(path, { migrations: [FIRST, SECOND] });
    expect(schemaVersion(db)).toBe(2);
    db.close();
    const again = openForWriting(path, { migrations: [FIRST, SECOND] });
    expect(schemaVersion(again)).toBe(2);
    again.close();
  });

  test('a newer schema is refused and left as it is', () => {
    openForWriting(path, { migrations: [FIRST, SECOND] }).close();
    expect(() => openForWriting(path, { migrations: [FIRST] })).toThrowError(
      expect.objectContaining({ category: 'schema_too_new', exitCode: 52 }),
    );
    const db = openForReading(path);
    expect(schemaVersion(db)).toBe(2);
    db.close();
  });

  test('a failing step is undone and the steps before it are kept', () => {
    const failing = () =>
      openForWriting(path, {
        migrations: [FIRST, 'CREATE TABLE nests (n); SELECT * FROM nowhere'],
      });
    expect(failing).toThrowError(expect.objectContaining({ category: 'schema_migration' }));
    expect(failing).toThrow(LecternError);
    const db = openForReading(path);
    expect(schemaVersion(db)).toBe(1);
    expect(db.all("SELECT name FROM sqlite_master WHERE name = 'nests'")).toEqual([]);
    db.close();
  });

  test('the state is copied before a migration, and the copy has the old schema', () => {
    const backups = join(dir, 'backups');
    const first = openForWriting(path, { migrations: [FIRST], backups });
    first.run('INSERT INTO trees VALUES (?, ?)', 'elm', 7);
    first.close();
    expect(existsSync(backups)).toBe(false);
    openForWriting(path, { migrations: [FIRST, SECOND], backups }).close();
    const [copy] = readdirSync(backups);
    const db = openForReading(join(backups, copy!));
    expect(schemaVersion(db)).toBe(1);
    expect(db.all('SELECT * FROM trees')).toEqual([{ name: 'elm', age: 7 }]);
    db.close();
  });

  test('few backups are kept, the newest', () => {
    const db = openForWriting(path, { migrations: [FIRST] });
    const made = Array.from({ length: 5 }, () => backUp(db, join(dir, 'backups'), 'change'));
    db.close();
    const kept = readdirSync(join(dir, 'backups')).map((name) => join(dir, 'backups', name));
    expect(kept.sort()).toEqual(made.slice(2));
  });
});

describe('reading', () => {
  test('a connection for reading refuses writes', () => {
    openForWriting(path, { migrations: [FIRST] }).close();
    const db = openForReading(path);
    expect(faultOf(() => db.run('INSERT INTO trees VALUES (?, ?)', 'elm', 7))).toBe('read-only');
    db.close();
  });

  test('a reader sees what a writer committed after it opened', () => {
    const writer = openForWriting(path, { migrations: [FIRST] });
    const reader = openForReading(path);
    writer.run('INSERT INTO trees VALUES (?, ?)', 'elm', 7);
    expect(reader.all('SELECT name FROM trees')).toEqual([{ name: 'elm' }]);
    reader.close();
    writer.close();
  });

  test('a path with characters that mean something in a URI opens', () => {
    const odd = join(dir, 'a?b#c%20.db');
    openForWriting(odd, { migrations: [FIRST] }).close();
    const db = openForReading(odd);
    expect(schemaVersion(db)).toBe(1);
    db.close();
  });
});

describe('damage', () => {
  test('a file that is no database is recognised as corrupt', () => {
    writeFileSync(path, 'not a database at all '.repeat(100));
    expect(faultOf(() => openForWriting(path, { migrations: [FIRST] }))).toBe('corrupt');
  });

  test('a missing directory is recognised as not writable', () => {
    expect(faultOf(() => openForWriting(join(dir, 'no', 'x.db'), { migrations: [] }))).toBe(
      'read-only',
    );
  });

  test('the integrity check finds pages that were overwritten', () => {
    const db = openForWriting(path, { migrations: [FIRST] });
    db.transact(() => {
      for (let i = 0; i < 2_000; i++) db.run('INSERT INTO trees VALUES (?, ?)', `tree ${i}`, i);
    });
    expect(findDamage(db)).toEqual([]);
    db.emptyLog();
    db.close();
    overwriteMiddle(path);
    const damaged = new Database(path);
    const isFound =
      faultOf(() => findDamage(damaged)) === 'corrupt' || findDamage(damaged).length > 0;
    damaged.close();
    expect(isFound).toBe(true);
  });

  test('a damaged file is set aside with its log, and few are kept', () => {
    for (let n = 0; n < 4; n++) {
      writeFileSync(path, `broken ${n}`);
      writeFileSync(`${path}-wal`, 'log');
      setAside(path);
    }
    expect(existsSync(path)).toBe(false);
    expect(existsSync(`${path}-wal`)).toBe(false);
    const kept = readdirSync(dir).filter((name) => !name.endsWith('-wal'));
    expect(kept).toHaveLength(2);
  });
});

function overwriteMiddle(file: string): void {
  const { size } = statSync(file);
  const handle = openSync(file, 'r+');
  writeSync(handle, Buffer.alloc(size / 2, 0xa5), 0, size / 2, 4096);
  closeSync(handle);
}
