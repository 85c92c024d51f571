import { existsSync, symlinkSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Cli, ORCHARD, openCli } from './run-cli.ts';

/** The orchard with one file on which lectern, by its trail, has died twice. */
async function startWithQuarantine(): Promise<{ cli: Cli; file: string }> {
  const cli = await openCli();
  onTestFinished(() => cli.close());
  const orchard = await cli.write('orchard', ORCHARD);
  const file = join(orchard, 'grafting/skills/graft-plan/SKILL.md');
  await mkdir(join(cli.root, 'state'), { mode: 0o700 });
  await writeFile(
    join(cli.root, 'state/indexer-breadcrumb.json'),
    JSON.stringify({ inWork: null, deaths: { [file]: 2 } }),
  );
  await cli.run(['catalog', 'add', orchard, '--enable']);
  return { cli, file };
}

test('status names a file that is left out, and reindex --release reads it again', async () => {
  const { cli, file } = await startWithQuarantine();
  const [before] = (await cli.run(['status', '--json'])).records();
  expect(before).toMatchObject({ entries: { skills: 2 } });
  expect(JSON.stringify(before!['notes'])).toContain(`lectern reindex --release ${file}`);

  const [doctor] = (await cli.run(['doctor', '--json'])).records();
  expect(JSON.stringify(doctor)).toContain(`lectern reindex --release ${file}`);

  const link = join(cli.root, 'work/link');
  symlinkSync(file, link);
  const released = await cli.run(['reindex', '--release', 'link', '--json']);
  expect(released.records()).toEqual([{ released: file }]);

  const [after] = (await cli.run(['status', '--json'])).records();
  expect(after).toMatchObject({ entries: { skills: 3 } });
  expect(JSON.stringify(after!['notes'])).not.toContain('left out');
});

test('a file that is not left out cannot be released', async () => {
  const cli = await openCli();
  onTestFinished(() => cli.close());
  const refused = await cli.run(['reindex', '--release', 'none.md', '--json']);
  expect(refused.code).toBe(2);
  expect(refused.error().message).toContain('is not left out');
  const both = await cli.run(['reindex', 'orchard', '--release', 'none.md', '--json']);
  expect(both.code).toBe(2);
  expect(existsSync(join(cli.root, 'work/none.md'))).toBe(false);
});

test.skipIf(process.platform !== 'linux')(
  'daemon status tells whether the daemon is started at login',
  async () => {
    const cli = await openCli();
    onTestFinished(() => cli.close());
    const state = async () => {
      const [record] = (await cli.run(['daemon', 'status', '--json'])).records();
      return record!['service'];
    };
    const absent = await state();
    expect(absent).toMatchObject({ platform: 'systemd', installed: false, active: false });
    const { name } = absent as { name: string };
    await cli.write('home/.config/systemd/user', { [name]: '[Unit]\n' });
    expect(await state()).toMatchObject({ installed: true, outdated: true, active: false });
    const text = await cli.run(['daemon', 'status']);
    expect(text.stdout).toContain('outdated: lectern daemon install');
  },
);
