import { execFileSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { findHolder } from '../../src/service/find-holder.ts';
import { inspectService } from '../../src/service/inspect.ts';
import { installService } from '../../src/service/install.ts';
import type { Service } from '../../src/service/plan-here.ts';
import { adviseOn } from '../../src/service/run-command.ts';
import { uninstallService } from '../../src/service/uninstall.ts';
import { type FakeManagers, fakeManagers } from './fake-managers.ts';
import { PLATFORMS, planFor } from './plan-for.ts';

let dir: string;
let home: string;
let managers: FakeManagers;

beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'lectern-install-')));
  home = join(dir, 'home');
  mkdirSync(home);
  managers = fakeManagers(join(dir, 'fakes'));
  vi.stubEnv('PATH', managers.path);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(dir, { recursive: true, force: true });
  });
});

type Options = Parameters<typeof planFor>[1];
const serviceFor = (platform: NodeJS.Platform, options: Options = {}): Service =>
  planFor(platform, { home, ...options });

/** What a former version installed for any root: the plain name, and the root in it. */
async function installFormer(service: Service): Promise<void> {
  const recipe = service.plain!;
  await installService({ stateRoot: service.stateRoot, recipe, plain: null });
  const { platform, file, start } = recipe;
  const record = JSON.stringify({ platform, file, start });
  writeFileSync(join(service.stateRoot, 'service.json'), record);
  managers.takeOrders();
}

const readStart = ({ stateRoot }: Service): string[] =>
  JSON.parse(readFileSync(join(stateRoot, 'service.json'), 'utf8')).start;

const everythingIn = (place: string): string[] =>
  readdirSync(place, { recursive: true, encoding: 'utf8' }).sort();

describe.each(PLATFORMS)('on %s', (platform) => {
  test('each state root has a service of its own, and the default root the plain name', async () => {
    const services = [
      serviceFor(platform),
      serviceFor(platform, { root: join(dir, 'one') }),
      serviceFor(platform, { root: join(dir, 'two') }),
    ];
    for (const service of services) await installService(service);
    const names = services.map(({ recipe }) => recipe.name);
    expect(new Set(names).size).toBe(3);
    const plain = platform === 'darwin' ? 'dev.lectern.daemon' : 'lectern';
    expect(names[0]).toBe(platform === 'linux' ? 'lectern.service' : plain);
    expect(names[1]).toMatch(
      new RegExp(`^${plain.replaceAll('.', '\\.')}[-.][0-9a-f]{12}(\\.service)?$`),
    );
    for (const service of services) {
      const { name } = service.recipe;
      expect(managers.runs(name)).toBe(true);
      expect(readStart(service).at(-1)!.split('/').at(-1)).toBe(name);
      expect(await inspectService(service)).toMatchObject({
        name,
        installed: true,
        outdated: false,
        active: true,
      });
    }
    await uninstallService(services[1]!);
    expect(names.map((name) => managers.runs(name))).toEqual([true, false, true]);
    expect(await inspectService(services[1]!)).toMatchObject({ installed: false, active: false });
    expect(await inspectService(services[0]!)).toMatchObject({ installed: true, active: true });
  });

  test('a former version’s service of another root is found, taken over and removed', async () => {
    const service = serviceFor(platform, { root: join(dir, 'my root') });
    await installFormer(service);
    const former = service.plain!;
    expect(await inspectService(service)).toMatchObject({
      name: former.name,
      file: former.file,
      installed: true,
      outdated: true,
      active: true,
    });
    expect(await installService(service)).toEqual({ replaced: former.name, kept: null });
    expect(managers.runs(former.name)).toBe(false);
    expect(existsSync(former.file)).toBe(false);
    expect(managers.runs(service.recipe.name)).toBe(true);
    expect(readStart(service)).toEqual(service.recipe.start);
    expect(await inspectService(service)).toMatchObject({ outdated: false, active: true });
    expect(await installService(service)).toEqual({ replaced: null, kept: null });
  });

  test('a former version’s service of this root is uninstalled', async () => {
    const service = serviceFor(platform, { root: join(dir, 'my root') });
    await installFormer(service);
    expect(await uninstallService(service)).toEqual([service.plain!.file]);
    expect(managers.runs(service.plain!.name)).toBe(false);
    expect(existsSync(service.plain!.file)).toBe(false);
    expect(existsSync(join(service.stateRoot, 'service.json'))).toBe(false);
  });

  test('a former version’s service of one root is never touched for another', async () => {
    const theirs = serviceFor(platform, { root: join(dir, "it's theirs") });
    await installFormer(theirs);
    const { name, file } = theirs.plain!;
    const before = readFileSync(file, 'hex');
    const [ours, another] = [serviceFor(platform), serviceFor(platform, { root: join(dir, 'x') })];
    for (const service of [ours, another]) {
      expect(await inspectService(service)).toMatchObject({ installed: false, active: false });
      expect(await uninstallService(service)).toEqual([]);
    }
    await installService(another);
    const refused = installService(ours);
    await expect(refused).rejects.toThrow(`another state root, ${theirs.stateRoot}`);
    await expect(refused).rejects.toMatchObject({
      details: { next: expect.stringContaining(`'${dir}/it'\\''s theirs' lectern daemon install`) },
    });
    expect(readFileSync(file, 'hex')).toBe(before);
    expect(managers.runs(name)).toBe(true);
    // What the error advises.
    await installService(theirs);
    await installService(ours);
    expect(await inspectService(theirs)).toMatchObject({ active: true, outdated: false });
    expect(await inspectService(ours)).toMatchObject({ active: true, outdated: false });
  });

  test('what is installed can be installed again, and a refused renewal leaves the old one running', async () => {
    const old = serviceFor(platform, { command: ['/old/node', '/main.cjs'] });
    await installService(old);
    const before = readFileSync(old.recipe.file, 'hex');
    const record = readFileSync(join(old.stateRoot, 'service.json'), 'utf8');
    const renewed = serviceFor(platform);
    expect(await inspectService(renewed)).toMatchObject({ outdated: true });
    const step = { linux: 'enable', darwin: 'bootstrap', win32: '/Create' }[platform];
    // launchd is asked again for ten seconds, once it has unloaded the old one: three times here.
    managers.failOn(step, 'no', platform === 'darwin' ? 3 : 1);
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 4000));
    await expect(installService(renewed)).rejects.toMatchObject({ category: 'io' });
    vi.restoreAllMocks();
    expect(readFileSync(old.recipe.file, 'hex')).toBe(before);
    expect(readFileSync(join(old.stateRoot, 'service.json'), 'utf8')).toBe(record);
    expect(managers.runs(old.recipe.name)).toBe(true);
    expect(await installService(renewed)).toEqual({ replaced: null, kept: null });
    expect(await inspectService(renewed)).toMatchObject({ outdated: false, active: true });
  });

  test('an installation that the manager refuses leaves nothing behind', async () => {
    const before = everythingIn(home);
    managers.failOn({ linux: 'enable', darwin: 'bootstrap', win32: '/Run' }[platform], 'no');
    const service = serviceFor(platform, { root: join(home, 'deep', 'root') });
    await expect(installService(service)).rejects.toMatchObject({ category: 'io' });
    expect(everythingIn(home)).toEqual(before);
  });

  test('a file that somebody edited is kept in a copy, one of ours is not', async () => {
    const service = serviceFor(platform);
    const { file } = service.recipe;
    await installService(serviceFor(platform, { command: ['/old', '/main.cjs'] }));
    expect(await installService(service)).toMatchObject({ kept: null });
    const edited = Buffer.concat([readFileSync(file), Buffer.from('# mine\n')]);
    writeFileSync(file, edited);
    expect(await installService(service)).toMatchObject({ kept: `${file}.bak` });
    expect(readFileSync(`${file}.bak`)).toEqual(edited);
    expect(await inspectService(service)).toMatchObject({ outdated: false });
  });

  test('uninstalling twice, or what never was, does nothing and says so', async () => {
    const service = serviceFor(platform);
    expect(await uninstallService(service)).toEqual([]);
    await installService(service);
    expect(await uninstallService(service)).toEqual([service.recipe.file]);
    managers.takeOrders();
    expect(await uninstallService(service)).toEqual([]);
    expect(managers.takeOrders().filter((order) => !order.includes('/Query'))).toEqual([]);
  });

  test('files are for their owner alone, and nothing else is written', async () => {
    const service = serviceFor(platform, { root: join(dir, 'state') });
    await installService(service);
    for (const file of [service.recipe.file, join(service.stateRoot, 'service.json')]) {
      expect(statSync(file).mode & 0o777, file).toBe(0o600);
    }
    const made = platform === 'win32' ? [] : [service.recipe.file];
    const files = everythingIn(home).filter((name) => statSync(join(home, name)).isFile());
    expect(files.map((name) => join(home, name))).toEqual(made);
  });

  test('without a service manager it says what to do instead', async () => {
    vi.stubEnv('PATH', join(dir, 'none'));
    const refused = installService(serviceFor(platform));
    await expect(refused).rejects.toThrow(/^there is no (systemctl|launchctl|schtasks) here/);
    await expect(refused).rejects.toMatchObject({
      details: { next: expect.stringContaining('lectern daemon start') },
    });
    expect(await inspectService(serviceFor(platform))).toMatchObject({ installed: false });
    expect(await uninstallService(serviceFor(platform))).toEqual([]);
  });

  test('root installs nothing in the home of somebody else', async (context) => {
    if (process.getuid!() !== 0) {
      console.warn('SKIPPED: only root can be root in the home of somebody else');
      context.skip();
    }
    chownSync(home, 65534, 65534);
    const refused = installService(serviceFor(platform));
    await expect(refused).rejects.toThrow(`${home} belongs to uid 65534, and this is root`);
    expect(everythingIn(home)).toEqual([]);
    expect(managers.takeOrders()).toEqual([]);
  });
});

test('something else in the place of a unit is left there, and nothing waits for it', async () => {
  const { recipe, ...rest } = serviceFor('linux');
  mkdirSync(dirname(recipe.file), { recursive: true });
  for (const make of [() => mkdirSync(recipe.file), () => execFileSync('mkfifo', [recipe.file])]) {
    make();
    expect(await inspectService({ recipe, ...rest })).toMatchObject({ installed: false });
    await expect(installService({ recipe, ...rest })).rejects.toThrow('it is not a file');
    expect(lstatSync(recipe.file).isFile()).toBe(false);
    rmSync(recipe.file, { recursive: true });
  }
});

test('a default root behind a link is told to its service, which would not use the link', () => {
  const root = join(dir, 'real');
  mkdirSync(root);
  symlinkSync(root, join(home, '.lectern'));
  const { name, content } = serviceFor('linux', { root }).recipe;
  expect(name).toBe('lectern.service');
  expect(content).toContain(`Environment=LECTERN_HOME=${root}\n`);
});

test('one root by whatever path has one name', () => {
  const root = join(dir, 'root');
  symlinkSync(dir, join(dir, 'link'));
  const name = serviceFor('linux', { root }).recipe.name;
  for (const other of [`${root}/`, `${dir}//x/../root`, join(dir, 'link', 'root')]) {
    expect(serviceFor('linux', { root: other }).recipe.name).toBe(name);
  }
  mkdirSync(root);
  expect(serviceFor('linux', { root }).recipe.name).toBe(name);
  expect(serviceFor('linux', { root: `${home}/.lectern/` }).recipe.name).toBe('lectern.service');
});

test('a unit that names the default root is the default root’s', async () => {
  const service = serviceFor('linux');
  mkdirSync(dirname(service.recipe.file), { recursive: true });
  writeFileSync(service.recipe.file, `[Service]\nEnvironment=LECTERN_HOME=${home}/.lectern/\n`);
  expect(await findHolder(service)).toEqual({ is: 'us' });
});

test('a unit of a former version for a root with a dollar sign is this root’s', async () => {
  const service = serviceFor('linux', { root: join(dir, 'a$b') });
  mkdirSync(dirname(service.plain!.file), { recursive: true });
  // It doubled the sign where systemd does not take it for one.
  writeFileSync(
    service.plain!.file,
    `[Service]\nEnvironment="LECTERN_HOME=${join(dir, 'a$$b')}"\nExecStart=/n /m run --service\n`,
  );
  expect(await installService(service)).toMatchObject({ replaced: 'lectern.service' });
});

test('the service of a root comes before the former one goes, which serves until then', async () => {
  const service = serviceFor('linux', { root: join(dir, 'root') });
  await installFormer(service);
  await installService(service);
  const orders = managers.takeOrders();
  const at = (order: string) => orders.indexOf(`systemctl --user ${order}`);
  expect(at(`enable --now ${service.recipe.name}`)).toBeGreaterThanOrEqual(0);
  expect(at('disable --now lectern.service')).toBeGreaterThan(
    at(`enable --now ${service.recipe.name}`),
  );
});

test('a takeover that the manager refuses leaves the former service as it was', async () => {
  const service = serviceFor('linux', { root: join(dir, 'root') });
  await installFormer(service);
  const record = readStart(service);
  managers.failOn('enable', 'no');
  await expect(installService(service)).rejects.toThrow('no');
  expect(managers.runs('lectern.service')).toBe(true);
  expect(existsSync(service.recipe.file)).toBe(false);
  expect(readStart(service)).toEqual(record);
});

test('launchd: a loaded agent is unloaded before it is loaded anew, however long its end takes', async () => {
  const service = serviceFor('darwin');
  await installService(service);
  managers.takeOrders();
  managers.failOn('bootstrap', 'Bootstrap failed: 37: Operation already in progress', 2);
  await installService(service);
  const words = managers.takeOrders().map((order) => order.split(' ')[1]);
  expect(words.slice(1)).toEqual(['enable', 'bootout', 'bootstrap', 'bootstrap', 'bootstrap']);
  expect(managers.runs(service.recipe.name)).toBe(true);
});

test('launchd: what never was loaded is not waited for', async () => {
  managers.failOn('bootstrap', 'Bootstrap failed: 125: Domain does not support specified action');
  const refused = installService(serviceFor('darwin'));
  await expect(refused).rejects.toMatchObject({
    details: { next: expect.stringContaining('log in at the screen') },
  });
  const orders = managers.takeOrders().filter((order) => order.includes(' bootstrap '));
  expect(orders).toHaveLength(1);
});

test('what the platform’s verifier says against the file is the error, and nothing is installed', async () => {
  const service = serviceFor('linux');
  const verifier = join(managers.bin, 'systemd-analyze');
  const say = (words: string) =>
    writeFileSync(verifier, `#!/bin/sh\necho '${words}' >&2\nexit 1\n`, { mode: 0o755 });
  say('lectern.service: Command /gone/node is not executable: No such file or directory');
  await expect(installService(service)).rejects.toThrow('/gone/node is not executable');
  expect(existsSync(service.recipe.file)).toBe(false);
  expect(managers.takeOrders().join()).not.toContain('enable');
  say('Failed to initialize manager: No such device or address');
  await installService(service);
  expect(managers.runs('lectern.service')).toBe(true);
});

test('systemd: a masked unit is not overwritten', async () => {
  const { recipe, ...rest } = serviceFor('linux');
  mkdirSync(dirname(recipe.file), { recursive: true });
  symlinkSync('/dev/null', recipe.file);
  await expect(installService({ recipe, ...rest })).rejects.toMatchObject({
    details: { next: expect.stringContaining('systemctl --user unmask lectern.service') },
  });
  expect(lstatSync(recipe.file).isSymbolicLink()).toBe(true);
});

test('systemd: what a manager that cannot be reached would have removed goes too', async () => {
  const service = serviceFor('linux');
  await installService(service);
  const wants = join(dirname(service.recipe.file), 'default.target.wants');
  mkdirSync(wants);
  const link = join(wants, 'lectern.service');
  symlinkSync(service.recipe.file, link);
  for (const word of ['disable', 'daemon-reload'])
    managers.failOn(word, 'Failed to connect to bus');
  expect(await uninstallService(service)).toEqual([service.recipe.file]);
  expect(() => lstatSync(link)).toThrow('ENOENT');
});

test('a service whose file was deleted by hand is still ended', async () => {
  const service = serviceFor('linux');
  await installService(service);
  rmSync(service.recipe.file);
  expect(await inspectService(service)).toMatchObject({ installed: false });
  expect(await uninstallService(service)).toEqual([service.recipe.file]);
  expect(managers.runs('lectern.service')).toBe(false);
});

test('a state root that cannot be one is refused before anything is written', async () => {
  const root = join(dir, 'root');
  symlinkSync(home, root);
  await expect(installService(serviceFor('linux', { root }))).rejects.toThrow('is a symlink');
  expect(everythingIn(home)).toEqual([]);
  expect(managers.takeOrders()).toEqual([]);
});

test('the directory of the service’s output is there before the manager opens it', async () => {
  const service = serviceFor('linux');
  const { output } = service.recipe;
  const recipe = { ...service.recipe, install: [['sh', '-c', `echo started >> '${output}'`]] };
  await installService({ ...service, recipe });
  expect(readFileSync(output, 'utf8')).toBe('started\n');
});

test('the Windows task is written as UTF-16', async () => {
  const service = serviceFor('win32');
  await installService(service);
  expect([...readFileSync(service.recipe.file).subarray(0, 2)]).toEqual([0xff, 0xfe]);
});

test.each([
  'Failed to connect to bus: No medium found',
  'Failed to connect to user scope bus via local transport: $DBUS_SESSION_BUS_ADDRESS and $XDG_RUNTIME_DIR not defined',
])(
  '"%s": a user without a session is told of lingering, a machine without systemd of the way without',
  (said) => {
    expect(adviseOn(said, true)).toContain('loginctl enable-linger');
    expect(adviseOn(said, false)).toMatch(
      /^lectern daemon start .*systemd does not run this machine/,
    );
  },
);
