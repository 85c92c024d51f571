import { execFileSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { Breadcrumb } from '../../daemon/breadcrumb.ts';
import { LogFile } from '../../daemon/log-file.ts';
import { readConfig } from '../../src/core/config.ts';
import { findBirthLimit, noteBirth } from '../../src/protocol/link/births.ts';
import { readDaemonRecord } from '../../src/protocol/link/daemon-file.ts';
import { findNewerDaemon, noteNewestDaemon } from '../../src/protocol/link/newest-daemon.ts';
import {
  makeOwnDirectory,
  openOwnFileAnew,
  readEndOfOwnFile,
  readOwnFile,
  replaceOwnFile,
} from '../../src/protocol/link/own-file.ts';
import { takeSpawnTicket } from '../../src/protocol/link/spawn-ticket.ts';
import { type StatePaths, statePaths } from '../../src/protocol/link/state-paths.ts';
import { openForReading, openForWriting } from '../../src/store/open-database.ts';
import { openStateStore } from '../../src/store/state/open-state-store.ts';

let paths: StatePaths;
let file: string;

beforeEach(() => {
  const root = mkdtempSync(join(tmpdir(), 'lectern-misplaced-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  paths = statePaths(root);
  file = join(root, 'own');
});

const makePipe = (path: string) => void execFileSync('mkfifo', [path]);

/** What can stand in the place of a file; each blocks or floods who opens it as a file. */
const STRANGERS: Record<string, (path: string) => unknown> = {
  pipe: makePipe,
  directory: mkdirSync,
  socket: async (path) => {
    const server = createServer().listen(path);
    await new Promise((resolve) => server.once('listening', resolve));
    onTestFinished(() => void server.close());
  },
  device: (path) => symlinkSync('/dev/zero', path),
};

describe.each(Object.entries(STRANGERS))('a %s in the place of a file of our own', (kind, make) => {
  test('is named to who reads it, and holds nobody', async () => {
    await make(file);
    const said = `${file} is a ${kind}, where a file belongs`;
    expect(() => readOwnFile(file)).toThrow(said);
    expect(() => readEndOfOwnFile(file, 10)).toThrow(said);
  });

  test('counts as no record where a record can be done without', async () => {
    for (const path of [paths.daemonFile, paths.newestDaemon, join(paths.root, 'births.json')])
      await make(path);
    expect(readDaemonRecord(paths.daemonFile)).toBeUndefined();
    expect(findNewerDaemon(paths, '0.0.0')).toBeUndefined();
    expect(findBirthLimit(paths)).toBeUndefined();
    noteBirth(paths);
    noteNewestDaemon(paths, '1.0.0');
  });

  test('is refused in place of a database and of its log', async () => {
    await make(file);
    const said = `${file} is a ${kind}, where a file belongs`;
    expect(() => openForReading(file)).toThrow(said);
    expect(() => openForWriting(file, { migrations: [] })).toThrow(said);
    await make(`${paths.indexDb}-wal`);
    expect(() => openForWriting(paths.indexDb, { migrations: [] })).toThrow(`-wal is a ${kind}`);
    const state = { path: file, backups: paths.backups };
    expect(() => openStateStore(state)).toThrow(
      expect.objectContaining({
        category: 'io',
        message: expect.stringContaining(said),
        next: `mv ${file} ${file}.moved, then: lectern daemon restart`,
      }),
    );
  });

  test('is refused as a configuration', async () => {
    await make(paths.config);
    await expect(readConfig(paths.config)).rejects.toMatchObject({ category: 'manifest_invalid' });
  });

  test('lets the trail of work and the log go on', async () => {
    await make(paths.breadcrumb);
    mkdirSync(paths.logs);
    // Never a device of this machine.
    if (kind !== 'device') await make(paths.daemonLog);
    const trail = new Breadcrumb(paths.breadcrumb);
    trail.enter('x');
    trail.close();
    const log = new LogFile(paths.daemonLog);
    log.write('{}\n');
    log.close();
  });
});

test.each([
  ['pipe', makePipe],
  ['link', (path: string) => symlinkSync('/dev/zero', path)],
])('a %s is removed where a file is written anew', (_kind, make) => {
  make(file);
  const replaced = join(paths.root, 'replaced');
  make(replaced);
  openOwnFileAnew(file);
  replaceOwnFile(replaced, 'ours');
  expect(lstatSync(file).isFile()).toBe(true);
  expect(readFileSync(replaced, 'utf8')).toBe('ours');
});

test('a directory is never removed for a file of ours', () => {
  for (const path of [file, paths.spawnTicket]) {
    mkdirSync(path);
    writeFileSync(join(path, 'kept'), '');
  }
  const said = `${file} is a directory, where a file belongs`;
  expect(() => openOwnFileAnew(file)).toThrow();
  expect(() => replaceOwnFile(file, 'ours')).toThrow(said);
  // A ticket is respected while it is young.
  execFileSync('touch', ['-d', '@1', paths.spawnTicket]);
  expect(() => takeSpawnTicket(paths.spawnTicket)).toThrow('is a directory');
  expect(readFileSync(join(file, 'kept'), 'utf8')).toBe('');
  expect(readFileSync(join(paths.spawnTicket, 'kept'), 'utf8')).toBe('');
});

test('a pipe in place of the spawn ticket is taken over once it is old', () => {
  makePipe(paths.spawnTicket);
  expect(takeSpawnTicket(paths.spawnTicket)).toBeUndefined();
  execFileSync('touch', ['-d', '@1', paths.spawnTicket]);
  expect(takeSpawnTicket(paths.spawnTicket)).toBeDefined();
});

test('a file of ours that somebody blew up is not read into memory', () => {
  writeFileSync(file, 'x'.repeat(100));
  expect(() => readOwnFile(file, 99)).toThrow(/has 100 bytes; at most 99/);
  expect(readEndOfOwnFile(file, 3)).toBe('xxx');
});

test('a file where a directory of ours belongs is named', () => {
  writeFileSync(paths.logs, '');
  expect(() => makeOwnDirectory(paths.logs)).toThrow(
    `${paths.logs} is a file, where a directory belongs`,
  );
});
