import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { birthDelayMs, noteBirth } from '../../src/protocol/link/births.ts';
import { statePaths } from '../../src/protocol/link/state-paths.ts';
import { readAgentRoots } from '../../src/service/launchd.ts';
import { RESTART_SECONDS } from '../../src/service/plan.ts';
import { LIMIT_BURST, LIMIT_SECONDS, readUnitRoots } from '../../src/service/systemd.ts';
import { readTaskRoots } from '../../src/service/task-scheduler.ts';
import { PLATFORMS, planFor } from './plan-for.ts';

function tempDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'lectern-service-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

test('the systemd unit names absolute node and entry and waits for the lock', () => {
  const { content, file } = planFor('linux').recipe;
  expect(file).toBe('/home/ana/.config/systemd/user/lectern.service');
  expect(content).toContain(
    `ExecStart=${process.execPath} /opt/lectern/dist/daemon/main.cjs run --service\n`,
  );
  expect(content).toContain('Restart=on-failure\n');
  expect(content).not.toContain('LECTERN_HOME');
});

test('systemd gives up on a Node that cannot be run, and not on a daemon that keeps dying', () => {
  const paths = statePaths(tempDir());
  const starts: number[] = [];
  // A daemon that dies in the moment of its birth, for half an hour.
  for (let now = 1e12; now < 1e12 + 1_800_000; ) {
    starts.push(now);
    now += birthDelayMs(paths, now);
    noteBirth(paths, now);
    now += RESTART_SECONDS * 1000;
  }
  const within = (from: number) =>
    starts.filter((at) => at >= from && at < from + LIMIT_SECONDS * 1000).length;
  expect(Math.max(...starts.map(within))).toBeLessThan(LIMIT_BURST);
  expect(LIMIT_SECONDS / RESTART_SECONDS).toBeGreaterThan(LIMIT_BURST);
  const { content } = planFor('linux').recipe;
  expect(content).toContain(`StartLimitIntervalSec=${LIMIT_SECONDS}\n`);
  expect(content).toContain(`StartLimitBurst=${LIMIT_BURST}\n`);
});

test('a state root of its own is stamped into the service', () => {
  for (const platform of PLATFORMS) {
    const { content } = planFor(platform, { root: '/srv/l' }).recipe;
    expect(content, platform).toContain('/srv/l');
  }
});

test('a HOME that login sessions do not have is stamped into the service', () => {
  for (const platform of PLATFORMS) {
    const { recipe } = planFor(platform, { home: '/srv/other', loginHome: '/home/ana' });
    expect(recipe.content, platform).toContain('/srv/other/.lectern');
    expect(recipe.name, platform).toBe(planFor(platform).recipe.name);
  }
});

test('a relative XDG_CONFIG_HOME counts as unset', () => {
  const fileFor = (configHome: string) => planFor('linux', { configHome }).recipe.file;
  const usual = planFor('linux').recipe.file;
  expect(fileFor('')).toBe(usual);
  expect(fileFor('config')).toBe(usual);
  expect(fileFor('/etc/ana')).toBe('/etc/ana/systemd/user/lectern.service');
});

test('a unit where the manager may not look is shown to it by its path', () => {
  const { install, file } = planFor('linux', { configHome: '/etc/ana' }).recipe;
  expect(install.at(-1)).toEqual(['systemctl', '--user', 'enable', '--now', file]);
  expect(planFor('linux').recipe.install.at(-1)!.at(-1)).toBe('lectern.service');
});

test('lingering is hinted at until it is on', () => {
  expect(planFor('linux').recipe.hint).toContain('loginctl enable-linger');
  expect(planFor('linux', { isLingering: true }).recipe.hint).toBeNull();
});

/** What systemd makes of a unit, by its verifier's own report; undefined without systemd. */
function readBySystemd(content: string) {
  if (spawnSync('systemd-analyze', ['--version']).status !== 0) return undefined;
  const dir = tempDir();
  const unit = join(dir, 'lectern.service');
  writeFileSync(unit, content);
  const verify = (level: string) => {
    const env = { ...process.env, XDG_RUNTIME_DIR: dir, SYSTEMD_LOG_LEVEL: level };
    const args = ['--user', 'verify', unit];
    const { stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8', env });
    return stdout + stderr;
  };
  const report = verify('debug');
  const words = /^\t+Command Line: (.*)$/m.exec(report)?.[1]?.match(/"(?:\\.|[^"\\])*"|\S+/g) ?? [];
  return {
    problems: verify('notice')
      .split('\n')
      .filter((line) => line.includes('lectern.service')),
    report,
    command: words.map(readReported),
  };
}

/** A word of the report: in quotes, with C's escapes. */
function readReported(word: string): string {
  const named: Record<string, string> = { n: '\n', t: '\t' };
  const bytes = Buffer.from(word.replace(/^"|"$/g, ''))
    .toString('latin1')
    .replace(/\\([0-7]{3})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 8)))
    .replace(/\\(.)/g, (_, letter) => named[letter] ?? letter);
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

test.for([
  ['a space', 'a b'],
  ['specifiers', '100% %h'],
  ['variables', '$HOME $' + '{HOME} $'],
  ['double quotes', 'a "b"'],
  ['a single quote', "o'brien"],
  ['a backslash', 'a\\b\\'],
  ['unicode', 'ünï–文書 🎻'],
  ['a line break and a tab', 'a\nb\tc'],
  ['a semicolon and a hash', '; # '],
])('systemd reads %s in any path of the unit as it is', ([_what, odd], context) => {
  const place = join(tempDir(), odd!);
  mkdirSync(place);
  const [node, entry, root] = [join(place, 'node'), join(place, 'main.cjs'), join(place, 'state')];
  copyFileSync('/bin/true', node);
  chmodSync(node, 0o755);
  const { recipe } = planFor('linux', { root, command: [node, entry] });
  expect(readUnitRoots(recipe.content)).toContain(root);
  const read = readBySystemd(recipe.content);
  if (read === undefined) {
    console.warn('SKIPPED: systemd-analyze is not on this machine');
    context.skip();
    return;
  }
  expect(read.problems).toEqual([]);
  const isByShell = /["'\\\p{Cc}]/u.test(place);
  const [program, ...args] = read.command.map((word, at) =>
    at === 0 ? word : word.replaceAll('$$', '$'),
  );
  expect([program, ...args]).toEqual([
    ...(isByShell ? ['/bin/sh', '-c', 'exec "$0" "$@"'] : []),
    ...[node, entry, 'run', '--service'],
  ]);
  expect(read.report).toContain(`Environment: LECTERN_HOME=${root}\n`);
  const output = `StandardOutputFileToAppend: ${join(root, 'logs', 'daemon.out')}\n`;
  expect(read.report.includes(output)).toBe(!/\p{Cc}/u.test(place));
});

test('the platform’s own verifier refuses a unit that cannot work', (context) => {
  const { recipe } = planFor('linux', { command: ['/nowhere/node', '/main.cjs'] });
  const read = readBySystemd(recipe.content);
  if (read === undefined) {
    console.warn('SKIPPED: systemd-analyze is not on this machine');
    context.skip();
    return;
  }
  expect(read.problems.join()).toContain('/nowhere/node');
});

/** A directory's name as people and attackers choose it, without what no file system takes. */
const anyName = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
  .map((text) => text.replace(/[\0/]|^\.\.?$/g, ''));
/** Without what XML cannot hold. */
const anyPlainName = anyName.map((text) => text.replace(/[\p{Cc}\ufffe\uffff]/gu, ''));

test('whose a service is can be read back from it, for any state root', () => {
  fc.assert(
    fc.property(anyName, anyPlainName, (odd, plain) => {
      const unit = planFor('linux', { root: `/x/${odd}/y` }).recipe.content;
      expect(readUnitRoots(unit)[0]).toBe(`/x/${odd}/y`);
      const agent = planFor('darwin', { root: `/x/${plain}/y` }).recipe.content;
      expect(readAgentRoots(agent)).toEqual([`/x/${plain}/y`]);
      // No path of Windows holds a quote.
      const root = `C:\\${plain.replaceAll('"', '')}\\`;
      expect(readTaskRoots(planFor('win32', { root }).recipe.content)).toEqual([root]);
    }),
  );
});

test.each([
  ['as it was written before', 'Environment="LECTERN_HOME=/a b/$$c"', ['/a b/$$c', '/a b/$c']],
  ['by hand', "Environment=A=1 'LECTERN_HOME=/a b' B=2", ['/a b']],
  ['twice', 'Environment=LECTERN_HOME=/a\nEnvironment=LECTERN_HOME=/b', ['/b']],
  ['taken back', 'Environment=LECTERN_HOME=/a\nEnvironment=', []],
  ['as a remark', '#Environment=LECTERN_HOME=/a', []],
  ['with escapes', 'Environment="LECTERN_HOME=/\\x61\\s%%h"', ['/a %h']],
])('the state root of a unit is understood %s', (_how, lines, roots) => {
  expect(readUnitRoots(`[Service]\n${lines}\nExecStart=/n m run --service\n`)).toEqual(roots);
});

test('a path that XML cannot hold is refused, not changed', () => {
  for (const platform of ['darwin', 'win32'] as const) {
    expect(() => planFor(platform, { root: '/x/\u0001' }), platform).toThrow(/control character/);
  }
});

/** What a real XML parser reads in each text; undefined where there is none on this machine. */
function readXml(texts: string[]): { strings: string[]; error?: string }[] | undefined {
  const script = `
import json, plistlib, sys, xml.etree.ElementTree as tree
def flatten(value):
    if isinstance(value, dict): return [s for v in value.values() for s in flatten(v)]
    if isinstance(value, list): return [s for v in value for s in flatten(v)]
    return [value] if isinstance(value, str) else []
out = []
for text in json.load(sys.stdin):
    try:
        raw = text.encode('utf-16') if 'UTF-16' in text[:60] else text.encode()
        if '<plist' in text: out.append({'strings': flatten(plistlib.loads(raw))})
        else: out.append({'strings': [e.text for e in tree.fromstring(raw).iter() if e.text]})
    except Exception as error: out.append({'strings': [], 'error': str(error)})
json.dump(out, sys.stdout)`;
  const read = spawnSync('python3', ['-c', script], {
    input: JSON.stringify(texts),
    encoding: 'utf8',
  });
  return read.status === 0 ? JSON.parse(read.stdout) : undefined;
}

test('a parser of property lists and one of XML read back every path as it was', (context) => {
  const odd = [...fc.sample(anyPlainName, 60), 'a\nb\tc\rd', '<&>"\'', ']]>'];
  const paths = odd.map((text) => `/x/${text}/y`);
  const agents = paths.map((entry) => planFor('darwin', { command: ['/n', entry] }).recipe.content);
  const tasks = paths.map(
    (node) => planFor('win32', { command: [node, '/e'], account: 'PC\\ana & co' }).recipe.content,
  );
  const read = readXml([...agents, ...tasks, agents[0]!.replace('</plist>', '')]);
  if (read === undefined) {
    console.warn('SKIPPED: there is no python3 to parse XML with');
    context.skip();
    return;
  }
  const cut = read.pop();
  expect(cut!.error).toBeDefined();
  for (const [at, { strings, error }] of read.entries()) {
    expect(error).toBeUndefined();
    expect(strings).toContain(paths[at % paths.length]);
    if (at >= paths.length) expect(strings).toContain('PC\\ana & co');
  }
});

test('the Windows task has no time limit, and its arguments survive a backslash at their end', () => {
  const { content } = planFor('win32', { root: 'D:\\my state\\', command: ['n', 'e'] }).recipe;
  expect(content).toContain('<ExecutionTimeLimit>PT0S</ExecutionTimeLimit>');
  expect(content).toContain(
    '<Arguments>&quot;e&quot; run --service --state-root &quot;D:\\my state\\\\&quot;</Arguments>',
  );
});

test('a platform without a service manager is told so', () => {
  expect(() => planFor('aix')).toThrow(/no login service for aix/);
});
