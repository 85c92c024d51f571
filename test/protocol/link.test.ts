import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { backoffMs } from '../../src/protocol/link/backoff.ts';
import { birthDelayMs, forgiveBirths, noteBirth } from '../../src/protocol/link/births.ts';
import { classifyLine } from '../../src/protocol/link/classify.ts';
import { readDaemonRecord } from '../../src/protocol/link/daemon-file.ts';
import {
  pickDaemonEnvironment,
  pickSessionEnvironment,
} from '../../src/protocol/link/environment.ts';
import { isElder } from '../../src/protocol/link/replace-daemon.ts';
import {
  ensureStateRoot,
  resolveStateRoot,
  StateRootError,
  statePaths,
} from '../../src/protocol/link/state-paths.ts';
import { isNewer } from '../../src/protocol/link/version-order.ts';

function temporary(): string {
  const directory = mkdtempSync(join(tmpdir(), 'lectern-link-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

test.each([
  ['1.2.3', '1.2.2', true],
  ['1.10.0', '1.9.9', true],
  ['2.0.0', '2.0.0-rc.1', true],
  ['2.0.0-rc.10', '2.0.0-rc.9', true],
  ['1.2.3', '1.2.3', false],
  ['1.2.2', '1.2.3', false],
  ['2.0.0-rc.1', '2.0.0', false],
  ['next', '1.0.0', false],
  ['1.0.0', 'unknown', false],
])('%s newer than %s: %s', (a, b, expected) => {
  expect(isNewer(a, b)).toBe(expected);
});

test('no two versions are each newer than the other', () => {
  const version = fc
    .tuple(fc.nat(3), fc.nat(3), fc.nat(3), fc.constantFrom('', '-a', '-rc.1', '-rc.2'))
    .map(([a, b, c, pre]) => `${a}.${b}.${c}${pre}`);
  fc.assert(fc.property(version, version, (a, b) => !(isNewer(a, b) && isNewer(b, a))));
});

test('a daemon that refuses a client is replaced when it is older and was there before', () => {
  const daemon = { version: '1.0.0', bornAt: 1000 };
  expect(isElder(daemon, '1.0.1', 2000)).toBe(true);
  expect(isElder(daemon, '1.0.0', 2000)).toBe(false);
  expect(isElder(daemon, '0.9.0', 2000)).toBe(false);
  // A login service brought it back.
  expect(isElder(daemon, '1.0.1', 500)).toBe(false);
});

test('a retry waits between half and whole of a delay that doubles up to its limit', () => {
  fc.assert(
    fc.property(fc.nat(2000), fc.double({ min: 0, max: 1, noNaN: true }), (retry, random) => {
      const wait = backoffMs(retry, 20, 2000, () => random);
      const whole = Math.min(2000, 20 * 2 ** Math.min(retry, 30));
      expect(wait).toBeGreaterThanOrEqual(whole / 2);
      expect(wait).toBeLessThanOrEqual(whole);
    }),
  );
});

test('births cost nothing until the fifth within a minute, then ever more', () => {
  const paths = statePaths(temporary());
  const now = 1_000_000;
  for (let n = 0; n < 4; n += 1) {
    expect(birthDelayMs(paths, now)).toBe(0);
    noteBirth(paths, now);
  }
  expect(birthDelayMs(paths, now)).toBe(1000);
  noteBirth(paths, now);
  expect(birthDelayMs(paths, now)).toBe(2000);
  expect(birthDelayMs(paths, now + 1500)).toBe(500);
  expect(birthDelayMs(paths, now + 61_000)).toBe(0);
});

test('births are forgiven, and where they cannot be, nothing is thrown', () => {
  const paths = statePaths(temporary());
  for (let n = 0; n < 9; n += 1) noteBirth(paths);
  expect(birthDelayMs(paths)).toBeGreaterThan(0);
  forgiveBirths(paths);
  expect(birthDelayMs(paths)).toBe(0);
  writeFileSync(paths.stateDb, '');
  expect(() => forgiveBirths(statePaths(paths.stateDb))).not.toThrow();
});

test('births in the future, from a clock set back, block nothing', () => {
  const paths = statePaths(temporary());
  for (let n = 0; n < 9; n += 1) noteBirth(paths, 9_000_000_000);
  expect(birthDelayMs(paths, 1_000_000)).toBe(0);
});

test.each(['', '{', 'null', '[]', '{"socket":1}', '{"pid":1,"socket":"/x"}'])(
  'a daemon.json of %j tells of no daemon',
  (text) => {
    const file = join(temporary(), 'daemon.json');
    writeFileSync(file, text);
    expect(readDaemonRecord(file)).toBeUndefined();
  },
);

test('classifying a line never throws, whatever the bytes', () => {
  const json = fc.json().map((text) => Buffer.from(text));
  const bytes = fc.uint8Array({ maxLength: 100 }).map((b) => Buffer.from(b));
  fc.assert(
    fc.property(fc.oneof(json, bytes), fc.constantFrom('library', 'tui'), (line, surface) => {
      const { idKey } = classifyLine(line, surface as 'library' | 'tui');
      JSON.parse(idKey);
    }),
  );
});

test.each([
  ['{"jsonrpc":"2.0","id":1,"method":"ping"}', true, true],
  ['{"jsonrpc":"2.0","method":"notifications/initialized"}', false, false],
  ['{"jsonrpc":"2.0","id":null,"method":"ping"}', false, true],
  ['{"jsonrpc":"2.0","id":{},"method":"ping"}', false, true],
  ['{"jsonrpc":"2.0","id":1,"result":{}}', false, true],
  ['{"method":"ping"}', false, true],
  ['nonsense', false, true],
])('U-214 %s is answered on library: %s, on tui: %s', (text, onLibrary, onTui) => {
  expect(classifyLine(Buffer.from(text), 'library').wantsReply).toBe(onLibrary);
  expect(classifyLine(Buffer.from(text), 'tui').wantsReply).toBe(onTui);
});

test('a request that names its protocol version itself is stateless', () => {
  const meta = '{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}';
  const line = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":${meta}}`;
  expect(classifyLine(Buffer.from(line), 'library').isStateless).toBe(true);
});

test('a session’s environment has what sessions need and no secret of others', () => {
  const env = {
    HOME: '/h',
    LC_ALL: 'C',
    XDG_CONFIG_HOME: '/x',
    LECTERN_LOG: 'debug',
    TOME_ENV_A: '1',
    TOME_OTHER: '1',
    SKILLSET_TOKEN: 't',
    GIT_SSH_COMMAND: 'ssh',
    SSH_AUTH_SOCK: '/s',
    CLAUDECODE: '1',
    https_proxy: 'p',
    AWS_SECRET_ACCESS_KEY: 'no',
    NODE_OPTIONS: '--require x',
    LD_PRELOAD: 'x',
  };
  const session = pickSessionEnvironment(env);
  expect(Object.keys(session).sort()).toEqual([
    'CLAUDECODE',
    'GIT_SSH_COMMAND',
    'HOME',
    'LC_ALL',
    'LECTERN_LOG',
    'SKILLSET_TOKEN',
    'SSH_AUTH_SOCK',
    'TOME_ENV_A',
    'XDG_CONFIG_HOME',
    'https_proxy',
  ]);
  expect(Object.keys(pickDaemonEnvironment(env)).sort()).toEqual([
    'HOME',
    'LC_ALL',
    'LECTERN_LOG',
    'XDG_CONFIG_HOME',
    'https_proxy',
  ]);
});

test.each([{ HOME: '' }, { HOME: 'here' }, { HOME: '/h', LECTERN_HOME: 'here' }])(
  '%j gives no state root',
  (env) => {
    expect(() => resolveStateRoot(env)).toThrow(StateRootError);
  },
);

test('the state root is closed to others, and a symlink is refused', () => {
  const directory = temporary();
  const open = join(directory, 'open');
  mkdirSync(open, { mode: 0o755 });
  ensureStateRoot(open);
  expect(statSync(open).mode & 0o777).toBe(0o700);
  symlinkSync(open, join(directory, 'link'));
  expect(() => ensureStateRoot(join(directory, 'link'))).toThrow(/symlink/);
});

test('a directory that is open to others is closed only when it is empty or ours', () => {
  const modeOf = (path: string) => statSync(path).mode & 0o7777;
  const used = join(temporary(), 'used');
  mkdirSync(join(used, 'public_html'), { recursive: true });
  chmodSync(used, 0o755);
  expect(() => ensureStateRoot(used)).toThrow(/LECTERN_HOME needs a directory of its own/);
  expect(modeOf(used)).toBe(0o755);
  writeFileSync(join(used, 'config.toml'), '');
  ensureStateRoot(used);
  expect(modeOf(used)).toBe(0o700);
  const shared = join(temporary(), 'tmp');
  mkdirSync(shared);
  chmodSync(shared, 0o1777);
  expect(() => ensureStateRoot(shared)).toThrow(StateRootError);
  expect(modeOf(shared)).toBe(0o1777);
});

test('a state root in a directory that takes none is refused, and does not hang', ({ skip }) => {
  // /proc says ENOENT for a new directory: a recursive mkdir of Node goes round for ever.
  if (process.platform !== 'linux') skip('there is no /proc here');
  for (const root of ['/proc/lectern', '/proc/lectern/below'])
    expect(() => ensureStateRoot(root)).toThrow(/\/proc takes no directories/);
});

test('a state root is made with every directory above it, closed to others', () => {
  const root = join(temporary(), 'a', 'b', 'c');
  ensureStateRoot(root);
  for (const made of [root, join(root, '..'), join(root, '..', '..')])
    expect(statSync(made).mode & 0o777).toBe(0o700);
});
