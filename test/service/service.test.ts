import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { birthDelayMs, noteBirth } from '../../src/protocol/link/births.ts';
import { statePaths } from '../../src/protocol/link/state-paths.ts';
import { inspectService, installService, uninstallService } from '../../src/service/apply.ts';
import { chooseRecipe } from '../../src/service/choose.ts';
import { escapeXml } from '../../src/service/launchd.ts';
import { RESTART_SECONDS, type ServicePlan, type ServiceRecipe } from '../../src/service/plan.ts';
import { LIMIT_BURST, LIMIT_SECONDS } from '../../src/service/systemd.ts';

const dirs: string[] = [];
afterEach(() => {
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true, force: true });
});
function tempDir(): string {
  const dir = mkdtempSync(join(tmpdir(), 'lectern-service-'));
  dirs.push(dir);
  return dir;
}

const plan = (over: Partial<ServicePlan> = {}): ServicePlan => ({
  node: process.execPath,
  entry: '/opt/lectern/dist/daemon/main.cjs',
  stateRoot: '/home/ana/.lectern',
  isDefaultRoot: true,
  account: null,
  output: '/home/ana/.lectern/logs/daemon.out',
  ...over,
});
const recipeFor = (platform: NodeJS.Platform, over: Partial<ServicePlan> = {}): ServiceRecipe =>
  chooseRecipe(plan(over), platform, { HOME: '/home/ana' }, 501);

test('the systemd unit names absolute node and entry and waits for the lock', () => {
  const { content, file } = recipeFor('linux');
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
  const { content } = recipeFor('linux');
  expect(content).toContain(`StartLimitIntervalSec=${LIMIT_SECONDS}\n`);
  expect(content).toContain(`StartLimitBurst=${LIMIT_BURST}\n`);
});

test('a state root of its own is stamped into the service', () => {
  for (const platform of ['linux', 'darwin', 'win32'] as const) {
    const { content } = recipeFor(platform, { stateRoot: '/srv/l', isDefaultRoot: false });
    expect(content, platform).toContain('/srv/l');
  }
});

test('the platform’s own verifier accepts the systemd unit, odd paths included', (context) => {
  if (spawnSync('systemd-analyze', ['--version']).status !== 0) {
    console.warn('SKIPPED: systemd-analyze is not on this machine');
    context.skip();
  }
  const dir = tempDir();
  const entry = join(dir, 'a "quoted" 100% $dir main.js');
  writeFileSync(entry, '');
  const { content } = recipeFor('linux', {
    entry,
    stateRoot: join(dir, 'my state'),
    isDefaultRoot: false,
  });
  const unit = join(dir, 'lectern.service');
  writeFileSync(unit, content);
  const result = spawnSync('systemd-analyze', ['--user', 'verify', unit], {
    encoding: 'utf8',
    env: { ...process.env, XDG_RUNTIME_DIR: dir },
  });
  expect(result.stderr.split('\n').filter((line) => line.includes('lectern.service'))).toEqual([]);
  // The verifier can fail: a unit with a relative command must not pass.
  writeFileSync(unit, content.replace(`ExecStart=${process.execPath}`, 'ExecStart=./node'));
  const bad = spawnSync('systemd-analyze', ['--user', 'verify', unit], {
    encoding: 'utf8',
    env: { ...process.env, XDG_RUNTIME_DIR: dir },
  });
  expect(bad.status === 0 && bad.stderr === '').toBe(false);
});

test('the launchd agent is well-formed XML for any path', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 30 }), (odd) => {
      const { content } = recipeFor('darwin', { entry: `/x/${odd}` });
      expect(content).toContain(`<string>${escapeXml(`/x/${odd}`)}</string>`);
      const text = content.replace(/<[^<>]*>/g, '').replace(/&(amp|lt|gt|quot);/g, '');
      expect(text).not.toMatch(/[<>&]/);
    }),
    { numRuns: 100 },
  );
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
  const odd = fc.sample(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }), 60);
  // XML has no way to write these, and no path that a person made holds them.
  const paths = odd.map((text) => `/x/${text.replace(/[\p{Cc}\ufffe\uffff]/gu, '')}/y`);
  const agents = paths.map((entry) => recipeFor('darwin', { entry }).content);
  const tasks = paths.map((node) => recipeFor('win32', { node, account: 'PC\\ana & co' }).content);
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

test('the directory of the service’s output is there before the manager opens it', async () => {
  const dir = tempDir();
  const output = join(dir, 'state', 'logs', 'daemon.out');
  const recipe: ServiceRecipe = {
    ...recipeFor('linux', { output }),
    file: join(dir, 'lectern.service'),
    // As the manager does.
    install: [['sh', '-c', `echo started >> '${output}'`]],
  };
  await installService(recipe, join(dir, 'state'));
  expect(readFileSync(output, 'utf8')).toBe('started\n');
});

test('the Windows task has no time limit and is written as UTF-16', async () => {
  const dir = tempDir();
  const recipe = {
    ...recipeFor('win32', { stateRoot: dir, isDefaultRoot: false }),
    file: join(dir, 't.xml'),
    install: [],
  };
  expect(recipe.content).toContain('<ExecutionTimeLimit>PT0S</ExecutionTimeLimit>');
  await installService(recipe, dir);
  const bytes = execFileSync('head', ['-c', '2', recipe.file]);
  expect([...bytes]).toEqual([0xff, 0xfe]);
  expect((await inspectService({ ...recipe, query: ['false'] })).outdated).toBe(false);
});

test('an install that the service manager refuses leaves nothing behind', async () => {
  const dir = tempDir();
  const recipe: ServiceRecipe = {
    ...recipeFor('linux'),
    file: join(dir, 'units', 'lectern.service'),
    install: [['false']],
    uninstall: [],
  };
  await expect(installService(recipe, join(dir, 'state'))).rejects.toMatchObject({
    category: 'io',
  });
  expect(await inspectService({ ...recipe, query: ['true'] })).toMatchObject({
    installed: false,
    active: false,
  });
});

test('install, inspect, uninstall tell what is there', async () => {
  const dir = tempDir();
  const recipe: ServiceRecipe = {
    ...recipeFor('linux'),
    file: join(dir, 'lectern.service'),
    install: [['true']],
    uninstall: [['true']],
    query: ['true'],
  };
  await installService(recipe, dir);
  expect(await inspectService(recipe)).toMatchObject({
    installed: true,
    outdated: false,
    active: true,
  });
  writeFileSync(recipe.file, 'older\n');
  expect(await inspectService(recipe)).toMatchObject({ outdated: true });
  expect(await uninstallService(recipe, dir)).toBe(true);
  expect(await uninstallService(recipe, dir)).toBe(false);
});

test('a platform without a service manager is told so', () => {
  expect(() => recipeFor('aix')).toThrow(/no login service for aix/);
});
