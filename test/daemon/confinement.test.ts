import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { checkRootsVisible, mayUse } from '../../daemon/confinement.ts';
import { socketPaths } from '../../daemon/socket-path.ts';
import { checkStateWritable } from '../../daemon/writable-root.ts';
import { findBirthLimit } from '../../src/protocol/link/births.ts';
import { identifySelf } from '../../src/protocol/link/process-identity.ts';
import { type StatePaths, statePaths } from '../../src/protocol/link/state-paths.ts';
import { openBench } from '../wire/bench.ts';

function stateRoot(): StatePaths {
  const root = mkdtempSync(join(tmpdir(), 'lectern-ground-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  return statePaths(root);
}

const { bootId } = identifySelf();
const isLinux = existsSync('/proc/self/ns/mnt');
const here = isLinux ? readlinkSync('/proc/self/ns/mnt') : null;

test('a birth that sees every root notes from where it looked', () => {
  const paths = stateRoot();
  const root = join(paths.root, 'catalog');
  mkdirSync(root);
  checkRootsVisible(paths, [root]);
  expect(JSON.parse(readFileSync(join(paths.root, 'ground.json'), 'utf8'))).toEqual({
    bootId,
    mountNamespace: here,
  });
});

test.skipIf(!isLinux)(
  'a root that is gone counts as hidden when all were seen from another mount namespace',
  () => {
    const paths = stateRoot();
    const gone = join(paths.root, 'gone');
    const noteGround = (ground: object) =>
      writeFileSync(join(paths.root, 'ground.json'), JSON.stringify(ground));
    noteGround({ bootId, mountNamespace: 'mnt:[1]' });
    expect(() => checkRootsVisible(paths, [gone])).toThrow(/hidden from this process/);
    // Deleted, then: seen from here before, or nobody knows from where.
    noteGround({ bootId, mountNamespace: here });
    checkRootsVisible(paths, [gone]);
    noteGround({ bootId: 'another boot', mountNamespace: 'mnt:[1]' });
    checkRootsVisible(paths, [gone]);
    rmSync(join(paths.root, 'ground.json'));
    checkRootsVisible(paths, [gone]);
    expect(existsSync(join(paths.root, 'ground.json'))).toBe(false);
  },
);

test('permission bits are read as the kernel reads them', () => {
  const stat = { uid: 5, gid: 6, mode: 0o40750 };
  expect(mayUse(stat, 0o5, { uid: 5, groups: [] })).toBe(true);
  expect(mayUse(stat, 0o2, { uid: 7, groups: [6] })).toBe(false);
  expect(mayUse(stat, 0o5, { uid: 7, groups: [6] })).toBe(true);
  expect(mayUse(stat, 0o5, { uid: 7, groups: [8] })).toBe(false);
  // The owner's bits hold for the owner even where the others' say more.
  expect(mayUse({ ...stat, mode: 0o40077 }, 0o5, { uid: 5, groups: [6] })).toBe(false);
  expect(mayUse({ ...stat, mode: 0 }, 0o5, { uid: 0, groups: [] })).toBe(true);
});

test('a writable state root passes and is left as it was', () => {
  const { root } = stateRoot();
  checkStateWritable(root);
  expect(readdirSync(root)).toEqual([]);
});

test('what a daemon leaves that is ended while it looks, the next one takes away', () => {
  const { root } = stateRoot();
  mkdirSync(join(root, '.writable'));
  checkStateWritable(root);
  expect(readdirSync(root)).toEqual([]);
});

const canDrop =
  spawnSync('setpriv', ['--reuid', '65534', '--regid', '65534', '--clear-groups', 'true'])
    .status === 0;

test.skipIf(!canDrop)(
  'another user’s directory is no sandbox: its mode forbids it (SKIPPED where setpriv cannot drop)',
  async () => {
    const bench = await openBench();
    chmodSync(bench.root, 0o777);
    const closed = join(bench.root, 'closed');
    mkdirSync(join(closed, 'catalog'), { recursive: true });
    chmodSync(closed, 0o700);
    const module = join(bench.root, 'confinement.mjs');
    const { build } = await import('esbuild');
    await build({
      stdin: {
        contents: "export * from './confinement.ts'; export * from './writable-root.ts';",
        resolveDir: join(import.meta.dirname, '../../daemon'),
      },
      outfile: module,
      bundle: true,
      platform: 'node',
      format: 'esm',
      banner: {
        js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
      },
    });
    const script = `
      import { checkRootsVisible, checkStateWritable } from ${JSON.stringify(module)};
      checkRootsVisible({ root: ${JSON.stringify(bench.root)} }, [${JSON.stringify(join(closed, 'catalog'))}]);
      try { checkStateWritable(${JSON.stringify(closed)}); } catch (error) { console.log(error.name); }
    `;
    const drop = ['--reuid', '65534', '--regid', '65534', '--clear-groups'];
    const command = [process.execPath, '--input-type=module', '-e', script];
    const said = execFileSync('setpriv', [...drop, ...command], { encoding: 'utf8', cwd: '/' });
    expect(said).toBe('ConfinedError\n');
  },
);

test('where no socket can be listened on, one birth is tried and sessions are read-only, however many', async () => {
  const bench = await openBench();
  const deep = join(bench.root, 'd'.repeat(100));
  mkdirSync(deep, { mode: 0o700 });
  const none = join(bench.root, 'none');
  // The last place is below /tmp: something that is not ours stands there.
  const [last] = [...socketPaths(deep, '00000000', { TMPDIR: none })].slice(-1);
  rmSync(dirname(last!), { recursive: true });
  writeFileSync(dirname(last!), '');
  onTestFinished(() => rmSync(dirname(last!)));
  const env = { LECTERN_HOME: deep, TMPDIR: none, XDG_RUNTIME_DIR: none };
  const session = await bench.start([], env).call('session');
  expect(session.result.value.readOnly).toBe(true);
  expect(readFileSync(statePaths(deep).lastWords, 'utf8').match(/did not start/g)).toHaveLength(1);
  // Each must find it out for itself, and none of them is a daemon that keeps dying.
  const crowd = Array.from({ length: 5 }, () => bench.start([], env).call('session'));
  for (const { result } of await Promise.all(crowd)) expect(result.value.readOnly).toBe(true);
  expect(findBirthLimit(statePaths(deep))).toBeUndefined();
});
