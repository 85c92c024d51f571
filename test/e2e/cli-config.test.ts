import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CONFIG_DEFAULTS } from '../../src/core/config.ts';
import { type Cli, openCli } from './run-cli.ts';

let cli: Cli;
beforeAll(async () => {
  cli = await openCli();
});
afterAll(() => cli.close());

function configure(text: string): void {
  mkdirSync(join(cli.root, 'state'), { recursive: true, mode: 0o700 });
  writeFileSync(join(cli.root, 'state', 'config.toml'), text);
}

test('without a file the defaults hold, and no daemon is started to tell them', async () => {
  const shown = await cli.run(['config', 'show', '--json']);
  expect(shown.code).toBe(0);
  expect(Object.keys(shown.records()[0]!)).toEqual(Object.keys(CONFIG_DEFAULTS));
  const checked = await cli.run(['config', 'validate', '--json']);
  expect(checked.records()).toEqual([{ valid: true, error: null }]);
  expect(existsSync(join(cli.root, 'state'))).toBe(false);
});

test('what the file says is told as such, and what has no effect', async () => {
  configure('[query]\ntop_k = 3\n[providers.mine]\nkind = "openai"\napi_key = "sk-secret"\n');
  const [values] = (await cli.run(['config', 'show', '--json'])).records();
  expect(values!['query.top_k']).toEqual({ value: 3, source: 'config' });
  expect(values!['query.rerank']).toEqual({ value: true, source: 'default' });
  const { stdout } = await cli.run(['config', 'show']);
  expect(stdout).toMatch(/query\.top_k +3 +config\.toml\n/);
  expect(stdout).toMatch(/providers\.mine\.kind +"openai" +config\.toml, no effect/);
  expect(stdout).not.toContain('sk-secret');
  expect(stdout).not.toContain('summariser');
});

test('L-074 a malformed file is shown to nobody, and its validation names file and key', async () => {
  configure('[query]\ntop_q = 3\n');
  expect((await cli.run(['config', 'show'])).code).toBe(5);
  const checked = await cli.run(['config', 'validate', '--json']);
  expect(checked.code).toBe(5);
  expect(checked.records()).toEqual([
    { valid: false, error: expect.stringMatching(/config\.toml: query\.top_q: unknown key$/) },
  ]);
  const told = await cli.run(['config', 'validate']);
  expect(told.code).toBe(5);
  expect(told.stderr).toMatch(/config\.toml: query\.top_q: unknown key\nnext: /);
});
