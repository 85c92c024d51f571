import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { readDaemonRecord } from '../../src/protocol/link/daemon-file.ts';
import { isAlive } from '../../src/protocol/link/process-identity.ts';
import { eventually } from '../eventually.ts';
import { type FakeManagers, fakeManagers } from '../service/fake-managers.ts';
import { type Cli, openCli } from './run-cli.ts';

let cli: Cli;
beforeEach(async () => {
  cli = await openCli();
  onTestFinished(() => cli.close());
});

test('daemon install --dry-run prints the service file and changes nothing', async () => {
  const human = await cli.run(['daemon', 'install', '--dry-run']);
  expect(human.code, human.stderr).toBe(0);
  expect(human.stdout).toContain('run');
  const [record] = (await cli.run(['daemon', 'install', '--dry-run', '--json'])).records();
  expect(record).toMatchObject({ installed: false, content: expect.stringContaining('--service') });
  expect(record!['content']).toContain(join(cli.root, 'state'));
  expect(existsSync(record!['file'] as string)).toBe(false);
  expect(existsSync(join(cli.root, 'state'))).toBe(false);
});

describe.skipIf(process.platform !== 'linux')('with a systemd on PATH', () => {
  let managers: FakeManagers;
  const run = (words: string, env: Record<string, string | undefined> = {}) =>
    cli.run(words.split(' '), { env: { PATH: managers.path, ...env } });
  const units = () =>
    readdirSync(join(cli.root, 'home/.config/systemd/user')).filter(
      (name) => name !== 'default.target.wants',
    );
  const SUFFIXED = /^lectern-[0-9a-f]{12}\.service$/;

  beforeEach(() => {
    managers = fakeManagers(join(cli.root, 'fakes'));
  });

  test('two state roots and the default root are installed, looked at and uninstalled apart', async () => {
    const roots = [undefined, join(cli.root, 'one'), join(cli.root, 'two')];
    for (const LECTERN_HOME of roots) {
      const installed = await run('daemon install', { LECTERN_HOME });
      expect(installed.code, installed.stderr).toBe(0);
    }
    expect(units()).toHaveLength(3);
    expect(units().filter((name) => SUFFIXED.test(name))).toHaveLength(2);
    expect(units()).toContain('lectern.service');
    const [dry] = (
      await run('daemon install --dry-run --json', { LECTERN_HOME: roots[1] })
    ).records();
    const { start, name } = JSON.parse(readFileSync(join(roots[1]!, 'service.json'), 'utf8'));
    expect(start).toEqual(['systemctl', '--user', 'start', name]);
    expect(dry).toMatchObject({ name, file: expect.stringContaining(`/${name}`) });

    const removed = await run('daemon uninstall', { LECTERN_HOME: roots[1] });
    expect(removed.stdout).toContain(`removed ${dry!['file']}`);
    expect(units()).toHaveLength(2);
    expect(units()).not.toContain(name);
    const again = await run('daemon uninstall', { LECTERN_HOME: roots[1] });
    expect([again.code, again.stdout]).toEqual([0, 'it was not installed\n']);
    const [status] = (await run('daemon status --json', { LECTERN_HOME: roots[2] })).records();
    expect(status!['service']).toMatchObject({ installed: true, active: true, outdated: false });
    const text = await run('daemon status', { LECTERN_HOME: roots[2] });
    expect(text.stdout).toMatch(/systemd \(lectern-[0-9a-f]{12}\.service\), active/);
  });

  test('a unit that a former version wrote is found, and installing takes it over and says so', async () => {
    const root = join(cli.root, 'state');
    await cli.write('home/.config/systemd/user', {
      'lectern.service': `[Service]\nExecStart=/n /m run --service\nEnvironment=LECTERN_HOME=${root}\n`,
    });
    const found = await run('daemon status');
    expect(found.stdout).toContain(
      'lectern.service), installed, not active, outdated: lectern daemon install',
    );
    const installed = await run('daemon install');
    expect(installed.stdout).toMatch(
      /^Installed and started .*lectern-[0-9a-f]{12}\.service, in place of lectern\.service/,
    );
    expect(units()).toEqual([expect.stringMatching(SUFFIXED)]);
    const [again] = (await run('daemon install --json')).records();
    expect(again).toMatchObject({ installed: true, replaced: null, kept: null });
  });

  test('the default root does not take what serves another one, and says how both can be had', async () => {
    const other = join(cli.root, 'other');
    await cli.write('home/.config/systemd/user', {
      'lectern.service': `[Service]\nExecStart=/n /m run --service\nEnvironment=LECTERN_HOME=${other}\n`,
    });
    const refused = await run('daemon install', { LECTERN_HOME: undefined });
    expect(refused.code).toBe(7);
    expect(refused.stderr).toContain(`another state root, ${other}`);
    expect(refused.stderr).toContain(`next: LECTERN_HOME=${other} lectern daemon install`);
    expect((await run('daemon uninstall', { LECTERN_HOME: undefined })).stdout).toBe(
      'it was not installed\n',
    );
    expect(units()).toEqual(['lectern.service']);
  });

  test('an edited unit is kept in a copy, and the person is told', async () => {
    const [{ file }] = (await run('daemon install --json')).records() as [{ file: string }];
    writeFileSync(file, '[Service]\nExecStart=/my/own run --service\n');
    const renewed = await run('daemon install');
    expect(renewed.stderr).toContain(`it had been edited; a copy is in ${file}.bak`);
    expect(readFileSync(`${file}.bak`, 'utf8')).toContain('/my/own');
  });

  test('without HOME the password database says where units lie; an empty one is refused', async () => {
    const unset = await run('daemon install --dry-run --json', { HOME: undefined });
    expect(unset.records()[0]!['file']).toMatch(/^\/.*\.config\/systemd\/user\/lectern/);
    const empty = await run('daemon install --json', { HOME: '' });
    expect([empty.code, empty.error().message]).toEqual([
      2,
      'HOME must be an absolute path, got ""',
    ]);
    expect(existsSync(join(cli.cwd, '.config'))).toBe(false);
    expect((await run('daemon status', { HOME: '' })).code).toBe(10);
  });

  test('XDG_CONFIG_HOME says where units lie, where it is a path at all', async () => {
    const config = join(cli.root, 'config');
    expect((await run('daemon install', { XDG_CONFIG_HOME: config })).code).toBe(0);
    const [name] = readdirSync(join(config, 'systemd/user'));
    const unit = join(config, 'systemd/user', name!);
    expect(managers.takeOrders()).toContain(`systemctl --user enable --now ${unit}`);
    const relative = await run('daemon install --dry-run --json', { XDG_CONFIG_HOME: 'config' });
    expect(relative.records()[0]!['file']).toBe(join(cli.root, 'home/.config/systemd/user', name!));
  });

  test('where no daemon may be started no service starts one; the file may be looked at', async () => {
    const LECTERN_NO_DAEMON = '1';
    expect((await run('daemon install', { LECTERN_NO_DAEMON })).code).toBe(2);
    expect(managers.takeOrders()).toEqual([]);
    expect((await run('daemon install --dry-run', { LECTERN_NO_DAEMON })).code).toBe(0);
  });

  test('a systemd that does not run leaves nothing behind, and what to do is said', async () => {
    managers.failOn('daemon-reload', 'Failed to connect to bus: No medium found');
    const refused = await run('daemon install');
    expect(refused.code).toBe(7);
    expect(refused.stderr).toContain('Failed to connect to bus: No medium found');
    expect(refused.stderr).toMatch(/next: (loginctl enable-linger|lectern daemon start)/);
    expect(readdirSync(join(cli.root, 'home'))).toEqual([]);
    expect(existsSync(join(cli.root, 'state'))).toBe(false);
  });

  test('the daemon of each state root is born under its own unit', async () => {
    // As systemd: runs what the unit says, in its environment, and answers at once.
    const start = `unit="$HOME/.config/systemd/user/\${name}"
      LECTERN_HOME=$(sed -n 's/^Environment=LECTERN_HOME=//p' "$unit") LECTERN_BORN_BY=$name \
      setsid $(sed -n 's/^ExecStart=//p' "$unit") </dev/null >/dev/null 2>&1 &`;
    const systemctl = join(managers.bin, 'systemctl');
    const script = readFileSync(systemctl, 'utf8');
    writeFileSync(systemctl, script.replace('  enable|start)', `  start) ${start} ;;\n  enable)`));
    const roots = [join(cli.root, 'one'), join(cli.root, 'two')];
    for (const LECTERN_HOME of roots) {
      mkdirSync(LECTERN_HOME, { mode: 0o700 });
      expect((await run('daemon install', { LECTERN_HOME })).code).toBe(0);
    }
    for (const LECTERN_HOME of roots) {
      const started = await run('daemon start --json', { LECTERN_HOME });
      expect(started.code, started.stderr).toBe(0);
      const { pid } = started.records()[0] as { pid: number };
      const { name } = JSON.parse(readFileSync(join(LECTERN_HOME, 'service.json'), 'utf8'));
      const born = readFileSync(`/proc/${pid}/environ`, 'latin1');
      expect(born).toContain(`LECTERN_BORN_BY=${name}\0`);
      onTestFinished(() => endDaemon(LECTERN_HOME));
    }
  }, 60_000);
});

async function endDaemon(root: string): Promise<void> {
  const record = readDaemonRecord(join(root, 'daemon.json'));
  if (record === undefined || !isAlive(record)) return;
  process.kill(record.pid, 'SIGKILL');
  await eventually(() => expect(isAlive(record)).toBe(false));
}
