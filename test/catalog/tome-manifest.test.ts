import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseTomeCatalog, parseTomePlugin } from '../../src/catalog/tome-manifest.ts';
import type { LecternError } from '../../src/core/errors.ts';
import { makeRoot, ORCHARD, plant, read } from './plant.ts';

const FILE = '/orchard/tome-catalog.toml';

/** What a catalog manifest is refused with; the directory `plugins/pruning` exists. */
function refusalOf(toml: string): LecternError {
  const root = plant({ 'plugins/pruning/': '' });
  try {
    parseTomeCatalog(Buffer.from(toml), FILE, root);
  } catch (error) {
    return error as LecternError;
  }
  throw new Error('the manifest was accepted');
}

function withPlugin(source: string, name = 'pruning'): string {
  return `${ORCHARD}\n[[plugins]]\nname = ${JSON.stringify(name)}\nsource = ${JSON.stringify(source)}\n`;
}

function without(key: string): string {
  return ORCHARD.split('\n')
    .filter((line) => !line.startsWith(`${key} =`))
    .join('\n');
}

describe('catalog', () => {
  test('a manifest by the rules is read', () => {
    const root = plant({ 'plugins/pruning/': '' });
    expect(parseTomeCatalog(Buffer.from(withPlugin('plugins/pruning')), FILE, root)).toEqual({
      name: 'orchard',
      description: 'Fruit-growing skills',
      version: '1.2.0',
      owner: { name: 'Orchard Team', email: 'team@orchard.example' },
      plugins: [
        { name: 'pruning', source: 'plugins/pruning', root: join(root, 'plugins/pruning') },
      ],
    });
  });

  test.each([
    ['colour', `colour = "x"\n${ORCHARD}`],
    ['owner.phone', `${ORCHARD}phone = "1"\n`],
    ['plugins[0].tier', `${withPlugin('plugins/pruning')}tier = 1\n`],
    ['__proto__', `"__proto__" = "x"\n${ORCHARD}`],
  ])('L-001 the unknown key %s is refused, naming file and key', (key, toml) => {
    const error = refusalOf(toml);
    expect(error.category).toBe('manifest_invalid');
    expect(error.exitCode).toBe(5);
    expect(error.message).toContain(FILE);
    expect(error.message).toContain(`"${key}"`);
  });

  test.each([
    ['name', without('name').replace('[owner]', '[owner]\nname = "x"')],
    ['description', without('description')],
    ['version', without('version')],
    ['owner', 'name = "a"\ndescription = "b"\nversion = "1.0.0"\n'],
    ['owner.email', without('email')],
    ['plugins[0].name', `${ORCHARD}\n[[plugins]]\nsource = "plugins/pruning"\n`],
    ['plugins[0].source', `${ORCHARD}\n[[plugins]]\nname = "pruning"\n`],
  ])('L-002 the missing key %s is refused', (key, toml) => {
    const error = refusalOf(toml);
    expect(error.exitCode).toBe(5);
    expect(error.message).toContain(`missing key "${key}"`);
  });

  test.each(['1.2', 'v1.2.3', '1.2.3.4', 'latest', ' 1.2.3'])(
    'L-003 the version %j is refused and shown',
    (version) => {
      const error = refusalOf(ORCHARD.replace('1.2.0', version));
      expect(error.exitCode).toBe(5);
      expect(error.message).toContain(`"${version}"`);
    },
  );

  test.each(['team', 'team@orchard', '@orchard.example', 'a@b@c.d', 'a@.d', 'a@d.'])(
    'L-003 the e-mail %j is refused and shown',
    (email) => {
      const error = refusalOf(ORCHARD.replace('team@orchard.example', email));
      expect(error.exitCode).toBe(5);
      expect(error.message).toContain(`"${email}"`);
    },
  );

  test('L-004 two plugins of one name are refused', () => {
    const error = refusalOf(
      `${withPlugin('plugins/pruning')}[[plugins]]\nname = "pruning"\nsource = "x"\n`,
    );
    expect(error.exitCode).toBe(5);
    expect(error.message).toContain('duplicate plugin name "pruning"');
  });

  test.each([
    'https://host.example/x',
    'file:///x',
    'ssh://host.example/x',
    'git@host.example:x',
    '/etc',
    'C:\\plugins',
    'C:plugins',
  ])('L-005 the source %s is refused', (source) => {
    const error = refusalOf(withPlugin(source));
    expect(error.exitCode).toBe(5);
    expect(error.message).toContain(source);
  });

  test.each(['..', '../x', 'plugins/../plugins/pruning', 'plugins\\..\\x'])(
    'L-006 the source %s is refused for its ".."',
    (source) => {
      const error = refusalOf(withPlugin(source));
      expect(error.exitCode).toBe(5);
      expect(error.message).toContain('".."');
    },
  );

  test('L-006 a source that leads out through a link is refused', () => {
    const root = makeRoot();
    symlinkSync(makeRoot(), join(root, 'out'));
    expect(() => parseTomeCatalog(Buffer.from(withPlugin('out')), FILE, root)).toThrow(/leads out/);
  });

  test('L-007 a missing directory is refused; a nested one is accepted', () => {
    expect(refusalOf(withPlugin('plugins/none')).message).toContain(
      '"plugins/none" does not exist',
    );
    const root = plant({ 'a/b/c/': '' });
    expect(parseTomeCatalog(Buffer.from(withPlugin('a/b/c')), FILE, root).plugins).toHaveLength(1);
  });

  test('L-008 a name with a newline or a bell is refused', () => {
    for (const name of ['or\\nchard', 'or\\u0007chard']) {
      expect(refusalOf(ORCHARD.replace('"orchard"', `"${name}"`)).exitCode).toBe(5);
    }
  });

  test('checks run in the order of the contract: the first fault is the one reported', () => {
    const faults: [string, string][] = [
      ['colour = "x"\n', 'unknown key'],
      ['', 'is not a semantic version'],
    ];
    const base = withPlugin('../x').replace('1.2.0', 'one').replace('team@orchard.example', 'team');
    for (const [extra, reason] of faults) expect(refusalOf(extra + base).message).toContain(reason);
    const versioned = base.replace('"one"', '"1.0.0"');
    expect(refusalOf(versioned).message).toContain('e-mail');
    const mailed = `${versioned.replace('"team"', '"a@b.c"')}[[plugins]]\nname = "pruning"\nsource = "y"\n`;
    expect(refusalOf(mailed).message).toContain('duplicate');
  });

  test('a name that cannot be addressed is refused', () => {
    expect(refusalOf(withPlugin('plugins/pruning', '.hidden')).message).toContain('.hidden');
  });

  test('syntax errors name the line, and text must be UTF-8', () => {
    expect(refusalOf('name = "a"\nversion = \n').message).toMatch(/not TOML, line 2/);
    expect(() => parseTomeCatalog(Buffer.from([0x61, 0xff]), FILE, '/')).toThrow(/not UTF-8/);
  });

  test('more than 256 KiB cannot be read', async () => {
    const root = plant({ 'tome-catalog.toml': `${ORCHARD}# ${'x'.repeat(256 * 1024)}\n` });
    await expect(read(root)).rejects.toMatchObject({ category: 'io' });
  });

  test('read leniently, a broken manifest is a problem and folders are read', async () => {
    const root = plant({
      'tome-catalog.toml': 'name = 1',
      'pruning/tome-plugin.toml': 'name = "pruning"\nversion = "1.0.0"\n',
      'pruning/commands/cut.md': '---\nname: cut\ndescription: d\n---\n',
    });
    await expect(read(root)).rejects.toMatchObject({ category: 'manifest_invalid' });
    const reading = await read(root, { lenient: true });
    expect(reading.plugins.map(({ name }) => name)).toEqual(['pruning']);
    expect(reading.problems[0]?.message).toContain('name');
  });
});

describe('plugin', () => {
  test('a manifest by the rules is read', () => {
    const toml = 'name = "pruning"\nversion = "1.0.0"\nlicense = "MIT"\n[author]\nname = "Ana"\n';
    expect(parseTomePlugin(Buffer.from(toml), FILE)).toEqual({
      name: 'pruning',
      version: '1.0.0',
      description: null,
      license: 'MIT',
      author: { name: 'Ana', email: null },
    });
  });

  test.each([
    ['not TOML', 'name ='],
    ['unknown key "colour"', 'name = "a"\nversion = "1.0.0"\ncolour = "x"\n'],
    ['missing key "version"', 'name = "a"\n'],
    ['must be a string', 'name = 1\nversion = "1.0.0"\n'],
    ['semantic version', 'name = "a"\nversion = "1"\n'],
    ['name of a folder', 'name = "a/b"\nversion = "1.0.0"\n'],
    ['name of a folder', 'name = ".a"\nversion = "1.0.0"\n'],
    ['license is empty', 'name = "a"\nversion = "1.0.0"\nlicense = ""\n'],
    ['e-mail', 'name = "a"\nversion = "1.0.0"\n[author]\nemail = "x"\n'],
  ])('L-011 refused with 22: %s', (reason, toml) => {
    try {
      parseTomePlugin(Buffer.from(toml), FILE);
      expect.unreachable();
    } catch (error) {
      expect(error).toMatchObject({ category: 'plugin_manifest_parse_error', exitCode: 22 });
      expect((error as Error).message).toContain(reason);
    }
  });

  test('L-011 a plugin whose manifest cannot be used is listed without entries', async () => {
    for (const toml of ['name =', `name = "p"\nversion = "1.0.0"\n# ${'x'.repeat(256 * 1024)}`]) {
      const root = plant({
        'tome-catalog.toml': withPlugin('p', 'p'),
        'p/tome-plugin.toml': toml,
        'p/skills/a/SKILL.md': '---\nname: a\ndescription: d\n---\n',
      });
      const reading = await read(root);
      expect(reading.plugins[0]).toMatchObject({
        name: 'p',
        entries: [],
        unusable: { severity: 'error' },
      });
      writeFileSync(join(root, 'p/tome-plugin.toml'), 'name = "p"\nversion = "1.0.0"\n');
      expect((await read(root)).plugins[0]?.entries).toHaveLength(1);
    }
  });

  test('L-009 with both manifests all metadata comes from the TOML', async () => {
    const root = plant({
      'tome-catalog.toml': withPlugin('p', 'p'),
      'p/tome-plugin.toml': 'name = "p"\nversion = "2.0.0"\n',
      'p/.claude-plugin/plugin.json':
        '{"name":"other","version":"1.0.0","description":"theirs","license":"MIT"}',
    });
    expect((await read(root)).plugins).toMatchObject([
      { name: 'p', version: '2.0.0', description: null, license: null, format: 'tome' },
    ]);
  });
});
