import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { announceBirth } from '../../daemon/announce.ts';
import { watchIdleness } from '../../daemon/lifecycle.ts';
import { setDamagedAside, takeOwnerLock } from '../../daemon/owner-lock.ts';
import { socketPaths } from '../../daemon/socket-path.ts';
import { Scope } from '../../src/core/scope.ts';
import { readDaemonRecord } from '../../src/protocol/link/daemon-file.ts';
import { FRAME } from '../../src/protocol/link/frames.ts';
import { statePaths } from '../../src/protocol/link/state-paths.ts';
import { findPlace } from '../../src/store/file-place.ts';
import { eventually } from '../eventually.ts';
import { daemonHere, noAdmin } from './in-process.ts';
import { parsed } from './raw-client.ts';

const SAID = { version: '1.0.0', answersAsRecorded: false };

function temporary(): string {
  const directory = mkdtempSync(join(tmpdir(), 'lectern-life-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

test('a newer client makes the daemon retire: in flight is answered, the rest goes back', async () => {
  const { connect, token, paths, ends } = await daemonHere();
  const directory = temporary();
  const client = connect();
  client.hello(token);
  const file = join(directory, 'go');
  client.call(1, 1, 'wait_for', { started: join(directory, 's'), file });
  const newer = connect();
  newer.hello(token, { version: '1.0.1' });
  newer.send(FRAME.retire, 0, '');
  await client.frame(FRAME.retire, 0);
  expect(existsSync(paths.daemonFile)).toBe(true);
  client.call(2, 2, 'echo', { text: 'late' });
  await client.frame(FRAME.retire, 2);
  writeFileSync(file, '');
  expect(parsed(await client.frame(FRAME.reply, 1))).toMatchObject({ result: { value: 'done' } });
  await client.closed;
  expect(ends).toEqual(['upgrade to 1.0.1']);
});

test.each(['1.0.0', '0.9.0', '0.0.0-dev'])(
  'a client of version %s retires no daemon',
  async (version) => {
    const { connect, token, ends } = await daemonHere();
    const client = connect();
    client.hello(token, { version });
    client.send(FRAME.retire, 0, '');
    client.call(1, 1, 'echo', { text: 'on' });
    expect(parsed(await client.frame(FRAME.reply, 1))).toMatchObject({ result: { value: 'on' } });
    expect(ends).toEqual([]);
  },
);

test('a hello during retirement is refused as retiring or not taken at all', async () => {
  const { connect, token, daemon } = await daemonHere();
  const directory = temporary();
  const first = connect();
  first.hello(token);
  first.call(1, 1, 'wait_for', { started: join(directory, 's'), file: join(directory, 'go') });
  await first.frame(FRAME.welcome);
  const waiting = connect();
  await new Promise((resolve) => waiting.socket.once('connect', resolve));
  // Answered by a session that says hello only now.
  const retired = daemon.retire('test');
  waiting.hello(token);
  expect((await waiting.refusal())?.code ?? 'retiring').toBe('retiring');
  writeFileSync(join(directory, 'go'), '');
  await retired;
});

test('closing the scope leaves no socket, no record and nothing owned', async () => {
  const { scope, paths, daemon } = await daemonHere();
  const socket = daemon.socket!;
  expect(existsSync(socket)).toBe(true);
  await scope.close();
  expect(existsSync(socket)).toBe(false);
  expect(existsSync(paths.daemonFile)).toBe(false);
  expect(scope.owned).toEqual([]);
});

test('a daemon whose record was replaced lets go and leaves the record alone', async () => {
  const { paths, ends, scope } = await daemonHere();
  writeFileSync(paths.daemonFile, JSON.stringify({ socket: '/other', pid: 1, tokenFile: '/t' }));
  await eventually(() => expect(ends).toEqual(['the state root is no longer ours']));
  await scope.close();
  expect(readDaemonRecord(paths.daemonFile)?.socket).toBe('/other');
});

test('a file of somebody else in the place of its socket is not unlinked', async () => {
  const { scope, daemon } = await daemonHere();
  const socket = daemon.socket!;
  rmSync(socket);
  writeFileSync(socket, 'not a socket');
  await scope.close();
  expect(readFileSync(socket, 'utf8')).toBe('not a socket');
  rmSync(socket);
});

test('a daemon whose state root was removed lets go', async () => {
  const { paths, ends } = await daemonHere();
  rmSync(paths.root, { recursive: true });
  await eventually(() => expect(ends).toHaveLength(1));
});

test.skipIf(process.platform === 'win32')(
  'a daemon without a descriptor left does not take the state root for another one’s (SKIPPED on Windows)',
  () => {
    const script = join(import.meta.dirname, 'short-of-descriptors.ts');
    const command = 'ulimit -n 200; exec "$@"';
    const { stdout, stderr } = spawnSync(
      'sh',
      ['-c', command, 'sh', process.execPath, '--import', 'tsx', script, temporary()],
      { encoding: 'utf8' },
    );
    expect({ ...JSON.parse(stdout || '{}'), stderr }).toEqual({
      shortage: 'EMFILE',
      whenShort: true,
      later: true,
      whenGone: false,
      stderr: '',
    });
  },
);

test('idleness counts from the last session, and never with one', async () => {
  const scope = new Scope('test');
  let idle = 0;
  const { setBusy } = watchIdleness(scope, 5, () => (idle += 1));
  setBusy(true);
  setBusy(true);
  expect(scope.owned).toEqual([]);
  setBusy(false);
  await eventually(() => expect(idle).toBe(1));
  expect(scope.owned).toEqual([]);
  await scope.close();
});

test('an on-demand daemon without a session ends as idle', async () => {
  const { ends } = await daemonHere({ idleExitMs: 1 });
  await eventually(() => expect(ends).toEqual(['idle']));
});

test('an on-demand daemon stays while something beside sessions needs it', async () => {
  let isNeeded = true;
  let asked = 0;
  const composition = {
    surfaces: {},
    admin: noAdmin,
    staysWhileIdle: () => {
      asked += 1;
      return isNeeded;
    },
  };
  const { ends } = await daemonHere({ idleExitMs: 1, composition });
  await eventually(() => expect(asked).toBeGreaterThan(5));
  expect(ends).toEqual([]);
  isNeeded = false;
  await eventually(() => expect(ends).toEqual(['idle']));
});

test('retirement waits for what is answered beside sessions', async () => {
  let answer = () => {};
  const drain = () => new Promise<void>((resolve) => (answer = resolve));
  const { daemon, ends } = await daemonHere({
    composition: { surfaces: {}, admin: noAdmin, drain },
  });
  const retired = daemon.retire('test');
  await new Promise((resolve) => setImmediate(resolve));
  expect(ends).toEqual([]);
  answer();
  await retired;
  expect(ends).toEqual(['test']);
});

test('a lock file that another daemon has made anew meanwhile is not taken from it', async () => {
  const paths = statePaths(temporary());
  writeFileSync(paths.ownerDb, 'no database at all, but damage'.repeat(50));
  const judged = findPlace(paths.ownerDb);
  const first = await takeOwnerLock(paths);
  expect(first!.isHeld()).toBe(true);
  setDamagedAside(paths.ownerDb, judged);
  expect(first!.isHeld()).toBe(true);
  first!.release();
});

test('two owners of one state root are impossible; the lock falls free with its holder', async () => {
  const paths = statePaths(temporary());
  const first = await takeOwnerLock(paths);
  expect(first).toBeDefined();
  // A living daemon is on record: ours.
  const announced = await announceBirth(paths, SAID, () => {}, {});
  expect(await takeOwnerLock(paths)).toBeUndefined();
  first!.release();
  const second = await takeOwnerLock(paths);
  expect(second).toBeDefined();
  second!.release();
  announced.stopListening();
});

test('an owner.db that is no database is set aside', async () => {
  const paths = statePaths(temporary());
  writeFileSync(paths.ownerDb, 'x'.repeat(4096));
  const lock = await takeOwnerLock(paths);
  expect(lock).toBeDefined();
  lock!.release();
  expect(readdirSync(paths.root)).toContain('owner.db.damaged');
});

test('a socket left by a dead daemon is removed at the next birth', async () => {
  const paths = statePaths(temporary());
  const left = join(paths.root, 'lectern-0123456789ab-01234567.sock');
  writeFileSync(left, '');
  writeFileSync(paths.daemonFile, JSON.stringify({ socket: left, pid: 1, tokenFile: '/t' }));
  const announced = await announceBirth(paths, SAID, () => {}, {});
  expect(existsSync(left)).toBe(false);
  announced.stopListening();
});

test('a file that a record names but no daemon made is not removed', async () => {
  const paths = statePaths(temporary());
  const precious = join(paths.root, 'precious');
  writeFileSync(precious, '');
  writeFileSync(paths.daemonFile, JSON.stringify({ socket: precious, pid: 1, tokenFile: '/t' }));
  const announced = await announceBirth(paths, SAID, () => {}, {});
  expect(existsSync(precious)).toBe(true);
  announced.stopListening();
});

test('a socket name fits into sun_path wherever the state root lies', () => {
  const deep = `/${'d'.repeat(120)}`;
  const places = [...socketPaths(deep, 'abcdef01', {})];
  expect(places).toHaveLength(1);
  for (const place of places) expect(Buffer.byteLength(place)).toBeLessThanOrEqual(103);
  rmSync(join(places[0]!, '..'), { recursive: true });
});

test('the runtime directory comes first, unless others can write to it', () => {
  const root = temporary();
  const mine = temporary();
  const [first] = socketPaths(root, 'abcdef01', { XDG_RUNTIME_DIR: mine });
  expect(first).toContain(mine);
  const [other] = socketPaths(root, 'abcdef01', { XDG_RUNTIME_DIR: '/tmp' });
  expect(other).toContain(root);
});
