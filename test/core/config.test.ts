import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import {
  CONFIG_DEFAULTS,
  configSchema,
  explainConfig,
  followConfig,
  parseConfig,
  readConfig,
  readConfigLeniently,
} from '../../src/core/config.ts';

function fileWith(text: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'lectern-config-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const path = join(directory, 'config.toml');
  writeFileSync(path, text);
  return path;
}

test('an absent file is an empty configuration', async () => {
  expect(await readConfig(join(tmpdir(), 'lectern-no-such', 'config.toml'))).toEqual({});
});

test('L-074 an unknown key is 5 and is named with its file', async () => {
  const path = fileWith('[query]\ntop = 3\n');
  await expect(readConfig(path)).rejects.toMatchObject({
    exitCode: 5,
    message: `${path}: query.top: unknown key`,
  });
});

test('L-074 text that is no TOML and a wrong type are 5', async () => {
  await expect(readConfig(fileWith('= 3'))).rejects.toMatchObject({ exitCode: 5 });
  await expect(readConfig(fileWith('[query]\ntop_k = "x"\n'))).rejects.toMatchObject({
    exitCode: 5,
    message: expect.stringContaining('query.top_k'),
  });
});

test('a file over 1 MiB is malformed, not read in part', async () => {
  await expect(readConfig(fileWith('#'.repeat(1024 * 1024 + 1)))).rejects.toMatchObject({
    exitCode: 5,
  });
});

test('read leniently, a malformed file counts as defaults and tells why', async () => {
  const { config, malformed } = await readConfigLeniently(fileWith('nope = 1\n'));
  expect(config).toEqual({});
  expect(malformed?.message).toContain('nope');
});

test('the legacy catalogs table is tolerated', () => {
  expect(parseConfig('[catalogs]\nx = "y"\n', 'config.toml')).toBeDefined();
});

test('every default belongs to a key that the schema takes', () => {
  for (const key of Object.keys(CONFIG_DEFAULTS)) {
    const [part, name] = key.split('.') as [keyof typeof configSchema.shape, string];
    const section = configSchema.shape[part].unwrap() as unknown as { shape: object };
    expect(Object.keys(section.shape)).toContain(name);
  }
});

test('each value is explained with where it comes from', () => {
  const explained = explainConfig({ query: { top_k: 3 } });
  expect(explained['query.top_k']).toEqual({ value: 3, source: 'config' });
  expect(explained['mcp.description_max_chars']).toEqual({ value: 150, source: 'default' });
  expect(Object.keys(explained)).toEqual(Object.keys(CONFIG_DEFAULTS));
});

test('the secret of a provider is never told', () => {
  const providers = { mine: { kind: 'openai' as const, api_key: 'sk-secret' } };
  const explained = explainConfig({ providers });
  expect(explained['providers.mine.kind']).toEqual({ value: 'openai', source: 'config' });
  expect(explained['providers.mine.api_key']).toEqual({ value: '(hidden)', source: 'config' });
});

test('L-074 what is no file is 5, and is neither waited for nor read', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'lectern-config-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const [folder, pipe, device] = ['a', 'b', 'c'].map((name) => join(directory, name));
  mkdirSync(folder!);
  execFileSync('mkfifo', [pipe!]);
  symlinkSync('/dev/zero', device!);
  for (const path of [folder!, pipe!, device!]) {
    await expect(readConfig(path)).rejects.toMatchObject({
      exitCode: 5,
      message: expect.stringMatching(/is a (directory|pipe|device), where a file belongs$/),
    });
    expect((await readConfigLeniently(path)).config).toEqual({});
  }
});

test('L-074 text that is no TOML is told with its line', async () => {
  const path = fileWith('[query]\n\ntop_k = = 1\n');
  await expect(readConfig(path)).rejects.toMatchObject({
    message: expect.stringContaining(`${path}: line 3: `),
  });
});

test('a followed configuration shows each write at once, equal in size and time or not', async () => {
  const path = fileWith('');
  const read = followConfig(path);
  for (let topK = 1; topK <= 9; topK += 1) {
    writeFileSync(path, `[query]\ntop_k = ${topK}\n`);
    expect((await read()).config.query?.top_k).toBe(topK);
  }
  rmSync(path);
  expect((await read()).config).toEqual({});
});

test('a followed configuration that has settled is read once, and again when it was written', async () => {
  const path = fileWith('[query]\ntop_k = 1\n');
  const tomorrow = () => Date.now() + 86_400_000;
  const read = followConfig(path, tomorrow);
  const first = await read();
  expect(await read()).toBe(first);
  writeFileSync(path, '[query]\ntop_k = 22\n');
  expect((await read()).config.query?.top_k).toBe(22);
});

test('a followed configuration that cannot be read is tried again', async () => {
  const path = fileWith('nope = 1\n');
  const read = followConfig(path, () => Date.now() + 86_400_000);
  const first = await read();
  expect(first.malformed).not.toBeNull();
  expect(await read()).not.toBe(first);
});
