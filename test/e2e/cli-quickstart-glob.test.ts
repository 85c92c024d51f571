import { expect, onTestFinished, test } from 'vitest';
import { ORCHARD, openCli } from './run-cli.ts';

test('quickstart leaves out files that a shell’s * names beside the folders', async () => {
  const cli = await openCli();
  onTestFinished(() => cli.close());
  const folder = await cli.write('trees/orchard', ORCHARD);
  const file = `${await cli.write('trees', { 'README.md': '# no catalog\n' })}/README.md`;
  const tour = await cli.run(['quickstart', file, folder]);
  expect(tour.code, tour.stderr).toBe(0);
  expect(tour.stdout).toContain('orchard');
  const onlyFiles = await cli.run(['quickstart', file]);
  expect(onlyFiles.code).toBe(7);
  expect(onlyFiles.stderr).toContain('README.md is not a directory');
  const absent = await cli.run(['quickstart', folder, '/nowhere/at/all']);
  expect(absent.code).toBe(7);
}, 90_000);
