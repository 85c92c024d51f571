import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ORCHARD, openCli } from './run-cli.ts';
import { startLectern } from './start-lectern.ts';

test('neither a search by meaning nor doctor leaves an id or a report for anybody in HOME', async () => {
  const cli = await openCli();
  onTestFinished(() => cli.close());
  const orchard = await cli.write('orchard', ORCHARD);
  const lectern = await startLectern({ cli, catalogs: [orchard] });
  onTestFinished(() => lectern.close());
  const search = async () => (await lectern.call('search_skills', { query: 'tree' })).scoring;
  await expect.poll(search, { timeout: 20_000 }).toBe('reranked');
  await cli.run(['doctor']);
  expect(await readdir(join(cli.root, 'home'))).toEqual([]);
});
