import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openCli } from './run-cli.ts';

test('daemon install --dry-run prints the service file and changes nothing', async () => {
  const cli = await openCli();
  onTestFinished(() => cli.close());
  const human = await cli.run(['daemon', 'install', '--dry-run']);
  expect(human.code, human.stderr).toBe(0);
  expect(human.stdout).toContain('run');
  const [record] = (await cli.run(['daemon', 'install', '--dry-run', '--json'])).records();
  expect(record).toMatchObject({ installed: false, content: expect.stringContaining('--service') });
  expect(record!['content']).toContain(join(cli.root, 'state'));
  expect(existsSync(record!['file'] as string)).toBe(false);
});
