import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readDaemonRecord } from '../../src/protocol/link/daemon-file.ts';
import { eventually } from '../eventually.ts';
import { ORCHARD, openCli } from './run-cli.ts';
import { type Lectern, type StartOptions, startLectern } from './start-lectern.ts';

async function start(options: StartOptions = {}): Promise<Lectern> {
  const lectern = await startLectern(options);
  onTestFinished(() => lectern.close());
  return lectern;
}

test('L-179 a harness lists six tools and finds a skill, and stderr stays silent', async () => {
  const cli = await openCli();
  onTestFinished(() => cli.close());
  const orchard = await cli.write('orchard', ORCHARD);
  const lectern = await start({ cli, catalogs: [orchard] });
  const { tools } = await lectern.client.listTools();
  expect(tools.map((tool) => tool.name).sort()).toEqual([
    'get_skill',
    'list_catalogs',
    'list_plugins',
    'meta',
    'search_skills',
    'status',
  ]);
  const { matches } = await lectern.call('search_skills', { query: 'prune a fruit tree' });
  expect(matches[0].name).toBe('prune-tree');
  expect(lectern.stderr).toBe('');
});

test('after kill -9 of the daemon the next call works through the same proxy', async () => {
  const cli = await openCli();
  onTestFinished(() => cli.close());
  const lectern = await start({ cli, catalogs: [await cli.write('orchard', ORCHARD)] });
  const before = await lectern.call('list_plugins');
  const record = readDaemonRecord(join(cli.root, 'state', 'daemon.json'))!;
  process.kill(record.pid, 'SIGKILL');
  expect(await lectern.call('list_plugins')).toEqual(before);
  expect(readDaemonRecord(join(cli.root, 'state', 'daemon.json'))!.pid).not.toBe(record.pid);
});

test('the tui surface reads documents through its proxy', async () => {
  const lectern = await start({ surface: 'tui' });
  writeFileSync(join(lectern.cli.cwd, 'broken.tui'), '<');
  const answer = await lectern.client.callTool({
    name: 'tuimark_validate',
    arguments: { file: 'broken.tui' },
  });
  expect(JSON.stringify(answer)).toContain('broken.tui');
});

test('a session sees the library change under it', async () => {
  const cli = await openCli();
  onTestFinished(() => cli.close());
  const lectern = await start({ cli });
  expect((await lectern.call('list_catalogs')).catalogs).toEqual([]);
  await cli.run(['catalog', 'add', await cli.write('orchard', ORCHARD), '--enable']);
  await eventually(async () => {
    expect((await lectern.call('list_catalogs')).catalogs).toHaveLength(1);
  });
});
