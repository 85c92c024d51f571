import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Cli, type CliRun, ORCHARD, openCli, skill } from './run-cli.ts';

let cli: Cli;
let orchard: string;
beforeAll(async () => {
  cli = await openCli();
  orchard = await cli.write('orchard', ORCHARD);
});
afterAll(() => cli.close());

const json = (...args: string[]): Promise<CliRun> => cli.run([...args, '--json']);
/** Exit code and category of a command that fails. */
async function failure(...args: string[]): Promise<[number | null, string]> {
  const { code, error } = await json(...args);
  return [code, error().category];
}

describe.sequential('one library from empty to empty', () => {
  test('L-041 an empty catalog list prints nothing', async () => {
    const { stdout, code } = await json('catalog', 'list');
    expect([stdout, code]).toEqual(['', 0]);
    expect((await cli.run(['catalog', 'list'])).stdout).toBe('');
  });

  test('a directory is enrolled in place, from a relative path, under the name given', async () => {
    const { records, code, stderr } = await cli.run(
      ['catalog', 'add', '../orchard', '--name', 'orchard', '--json'],
      {},
    );
    expect(stderr).toBe('');
    expect(code).toBe(0);
    expect(records()).toMatchObject([{ added: { name: 'orchard', plugin_count: 2 } }]);
  });

  test('L-037 a display name that is taken exits 4', async () => {
    expect(await failure('catalog', 'add', orchard, '--name', 'orchard')).toEqual([
      4,
      'catalog_already_exists',
    ]);
  });

  test('L-041 catalogs are listed one object a line, sorted by name', async () => {
    await cli.write('grove', {
      'care/skills/graft-plan/SKILL.md': skill('graft-plan', 'Plan care.'),
    });
    await json('catalog', 'add', '../grove', '--name', 'grove');
    const { records } = await json('catalog', 'list');
    expect(records().map((row) => row['name'])).toEqual(['grove', 'orchard']);
    for (const row of records()) {
      expect(Object.keys(row).slice(0, 5)).toEqual([
        'name',
        'url',
        'ref',
        'plugin_count',
        'last_synced',
      ]);
    }
  });

  test('catalog show tells plugins and where they are read; an unknown name exits 3', async () => {
    const [catalog] = (await json('catalog', 'show', 'orchard')).records();
    expect(catalog!['plugins']).toMatchObject([{ name: 'grafting' }, { name: 'pruning' }]);
    expect(await failure('catalog', 'show', 'nope')).toEqual([3, 'catalog_not_found']);
  });

  test('before anything is enabled a search finds nothing and says why', async () => {
    const [answer] = (await json('query', 'prune', 'a', 'tree')).records();
    expect(answer).toMatchObject({ results: [], no_results_reason: 'index_empty' });
  });

  test('L-056 a glob without a match exits 2 for enable, disable and reindex', async () => {
    expect(await failure('plugin', 'enable', 'nothing*')).toEqual([2, 'usage']);
    expect(await failure('plugin', 'disable', 'nothing*', '--yes')).toEqual([2, 'usage']);
    expect(await failure('reindex', 'nothing*')).toEqual([2, 'usage']);
  });

  test('plugins are enabled by glob, one record each', async () => {
    const { records, code } = await json('plugin', 'enable', 'orchard/*');
    expect(code).toBe(0);
    expect(records()).toMatchObject([
      { plugin: 'orchard/grafting', status: 'enabled', skills_indexed: 1 },
      { plugin: 'orchard/pruning', status: 'enabled', skills_indexed: 3 },
    ]);
  });

  test('L-050 enabling an enabled plugin alone exits 21; inside a batch or glob it is skipped silently', async () => {
    expect(await failure('plugin', 'enable', 'orchard/pruning')).toEqual([
      21,
      'plugin_already_in_state',
    ]);
    const glob = await json('plugin', 'enable', 'orchard/*');
    expect([glob.code, glob.stdout, glob.stderr]).toEqual([0, '', '']);
    const batch = await json('plugin', 'enable', 'orchard/pruning', 'orchard/grafting');
    expect([batch.code, batch.stdout]).toEqual([0, '']);
  });

  test('L-057 a batch with one bad id does the good ones and exits with the first error', async () => {
    const { code, records, error } = await json('plugin', 'enable', 'orchard/nope', 'grove/care');
    expect(code).toBe(20);
    expect(records()).toMatchObject([{ plugin: 'grove/care' }]);
    expect(error().category).toBe('plugin_not_found');
  });

  test('L-059 plugin list filters case-insensitively; a tier outside 1 to 3 exits 2', async () => {
    const { records } = await json('plugin', 'list', '--filter', 'PRUN');
    expect(records().map((row) => row['id'])).toEqual([{ catalog: 'orchard', plugin: 'pruning' }]);
    expect(await failure('plugin', 'list', '--tier', '4')).toEqual([2, 'usage']);
  });

  test('L-060 plugin show: unknown plugin 20, unknown catalog 3, malformed id 2', async () => {
    expect((await failure('plugin', 'show', 'orchard/nope'))[0]).toBe(20);
    expect((await failure('plugin', 'show', 'nope/pruning'))[0]).toBe(3);
    expect((await failure('plugin', 'show', 'pruning'))[0]).toBe(2);
    const [plugin] = (await json('plugin', 'show', 'orchard/pruning')).records();
    expect((plugin!['skills'] as { name: string }[]).map((each) => each.name)).toEqual([
      'prune-tree',
      'sharpen-shears',
    ]);
  });

  test('L-012 a plugin id with a bad half or too many slashes is usage', async () => {
    for (const id of ['a/b/c', '/b', 'a/', 'a/..', '.a/b']) {
      expect((await failure('plugin', 'show', id))[0], id).toBe(2);
    }
  });

  test('L-055 a bare plugin name in two catalogs exits 2 and lists both; --catalog resolves it', async () => {
    await cli.write('twin', { 'pruning/skills/x/SKILL.md': skill('x', 'Another.') });
    await json('catalog', 'add', '../twin', '--name', 'twin');
    const { code, error } = await json('plugin', 'enable', 'pruning');
    expect(code).toBe(2);
    expect(error().message).toContain('orchard/pruning');
    expect(error().message).toContain('twin/pruning');
    const resolved = await json('plugin', 'enable', 'pruning', '--catalog', 'twin');
    expect(resolved.records()).toMatchObject([{ plugin: 'twin/pruning' }]);
    await json('catalog', 'remove', 'twin', '--force');
  });

  test('L-111 words join with single spaces; words with -q, and --rerank with --no-rerank, exit 2', async () => {
    const words = (await json('query', 'prune', 'a', 'fruit', 'tree')).records();
    const text = (await json('query', '-q', 'prune a fruit tree')).records();
    expect(words).toEqual(text);
    expect((words[0]!['results'] as { name: string }[])[0]!.name).toBe('prune-tree');
    expect((await failure('query', 'prune', '-q', 'tree'))[0]).toBe(2);
    expect((await failure('query', 'prune', '--rerank', '--no-rerank'))[0]).toBe(2);
    expect((await failure('query', '   '))[0]).toBe(2);
  });

  test('query filters by kind; an unknown catalog exits 3, an unknown plugin 20', async () => {
    const [answer] = (await json('query', 'inspect', 'tree', '--kind', 'command')).records();
    expect((answer!['results'] as { kind: string }[]).map((hit) => hit.kind)).toEqual(['command']);
    expect((await failure('query', 'x', '--catalog', 'nope'))[0]).toBe(3);
    expect((await failure('query', 'x', '--plugin', 'nope'))[0]).toBe(20);
  });

  test('L-109 --strict with nothing above the floor exits 40 and prints nothing', async () => {
    const { code, stdout, error } = await json('query', 'prune', '--strict', '--min-score', '1000');
    expect([code, stdout, error().category]).toEqual([40, '', 'query_no_results_strict']);
  });

  test('L-110 --min-score without --strict removes nothing but sets threshold_passed', async () => {
    const [all] = (await json('query', 'prune')).records();
    const [floored] = (await json('query', 'prune', '--min-score', '1000')).records();
    expect(floored!['results']).toEqual(all!['results']);
    expect(floored!['threshold_passed']).toBe(false);
  });

  test('get prints the body; several entries of one name are told apart', async () => {
    const { stdout } = await cli.run(['get', 'orchard:pruning:prune-tree']);
    // Byte for byte: the file ends with one line end.
    expect(stdout).toBe('\n# prune-tree\n');
    const many = await cli.run(['get', 'graft-plan']);
    expect(many.code).toBe(2);
    expect(many.stderr).toContain('lectern get grove:care:graft-plan');
    const [meta] = (await json('get', 'prune-tree', '--metadata-only')).records();
    expect(meta).toMatchObject({ description: 'Prune a fruit tree in winter.', kind: 'skill' });
    expect((await failure('get', 'nope'))[1]).toBe('entry_not_found');
    const slip = await cli.run(['get', 'prune-tere']);
    expect(slip.code).toBe(27);
    expect(slip.stderr).toContain('did you mean orchard:pruning:prune-tree?');
    expect(slip.stderr).toContain('next: lectern get orchard:pruning:prune-tree\n');
  });

  test('a flag of another tool is taken to ours, and a number out of range to the help of its command', async () => {
    const limit = await cli.run(['query', 'rotate', '--limit', '3']);
    expect(limit.code).toBe(2);
    expect(limit.stderr).toContain('there is no flag --limit; did you mean --top-k?');
    for (const [command, ...args] of [
      ['query', 'x', '--top-k', '1000'],
      ['tier', 'set', 'pruning/prune-tree', '9'],
    ] as const) {
      const { code, stderr } = await cli.run([command, ...args]);
      expect(code).toBe(2);
      expect(stderr).toMatch(new RegExp(`next: lectern ${command}.* --help`));
    }
  });

  test('explain says in words what moved a result, and what to do next', async () => {
    const { stdout, stderr } = await cli.run(['explain', 'prune a fruit tree']);
    expect(stdout).toContain('moved it up (+) or down (-)');
    expect(stdout).not.toMatch(/hubness|bestView|-0\.00/);
    expect(stderr).toMatch(/next: lectern get orchard:pruning:prune-tree/);
  });

  test('a pipe gets tables whole: the meaning of every exit code, the source of every catalog', async () => {
    expect((await cli.run(['exit-codes'])).stdout).not.toContain('…');
    expect((await cli.run(['catalog', 'list'])).stdout).toContain(orchard);
    expect((await cli.run(['exit-codes', '53'])).stdout).toContain('catalog remove NAME --force');
  });

  test('what was saved is what the next search finds', async () => {
    await cli.write('orchard', {
      'pruning/skills/stake-sapling/SKILL.md': skill(
        'stake-sapling',
        'Stake a sapling against wind.',
      ),
    });
    const [answer] = (await json('query', 'stake sapling')).records();
    expect((answer!['results'] as { name: string }[])[0]!.name).toBe('stake-sapling');
  });

  test('problems name file and fix; reading goes on', async () => {
    await cli.write('orchard', { 'pruning/skills/broken/SKILL.md': '---\nname: [\n' });
    const { records } = await json('problems', 'orchard');
    expect(records().length).toBeGreaterThan(0);
    expect(String(records()[0]!['file'])).toContain('broken/SKILL.md');
    await rm(join(orchard, 'pruning/skills/broken'), { recursive: true });
  });

  test('L-064 reindex: nothing enabled 0, unknown catalog 3, unknown plugin 20, malformed 2', async () => {
    await cli.write('idle', { 'p/skills/x/SKILL.md': skill('x', 'X.') });
    await json('catalog', 'add', '../idle', '--name', 'idle');
    const idle = await json('reindex', 'idle');
    expect([idle.code, idle.stdout]).toEqual([0, '']);
    expect((await failure('reindex', 'nope'))[0]).toBe(3);
    expect((await failure('reindex', 'orchard/nope'))[0]).toBe(20);
    expect((await failure('reindex', 'a/b/c'))[0]).toBe(2);
    await json('catalog', 'remove', 'idle', '--force');
  });

  test('L-065 positional scopes together with --catalog or --plugin exit 2', async () => {
    expect((await failure('reindex', 'orchard', '--catalog', 'orchard'))[0]).toBe(2);
    expect((await failure('reindex', 'orchard', '--plugin', 'orchard/pruning'))[0]).toBe(2);
  });

  test('L-063 reindex without changes re-embeds nothing, with --force every entry in scope', async () => {
    const [plain] = (await json('reindex')).records();
    expect(plain).toMatchObject({ scope: 'all', plugins_visited: 3, skills_re_embedded: 0 });
    const [forced] = (await json('reindex', '--force')).records();
    expect(forced!['skills_re_embedded']).toBe(forced!['skills_checked']);
  });

  test('L-067 tier set: unknown entry 27; then tier list shows it', async () => {
    expect((await failure('tier', 'set', 'pruning/nope', '1'))[0]).toBe(27);
    const { records } = await json('tier', 'set', 'orchard/pruning/prune-tree', '1');
    expect(records()).toMatchObject([{ name: 'prune-tree', tier: 1 }]);
    const listed = (await json('tier', 'list')).records();
    expect(listed[0]).toMatchObject({ name: 'prune-tree', tier: 1 });
  });

  test('an entry can be an exception to its plugin', async () => {
    await json('entry', 'disable', 'orchard/pruning/sharpen-shears');
    const [answer] = (await json('query', 'sharpen shears', '--catalog', 'orchard')).records();
    const names = (answer!['results'] as { name: string }[]).map((hit) => hit.name);
    expect(names).not.toContain('sharpen-shears');
    await json('entry', 'enable', 'orchard/pruning/sharpen-shears');
  });

  test('state export is everything that was decided', async () => {
    const [state] = (await json('state', 'export')).records();
    const [global] = state!['workspaces'] as { catalogs: { name: string }[] }[];
    expect(global!.catalogs.map((catalog) => catalog.name).sort()).toEqual(['grove', 'orchard']);
    const file = join(cli.root, 'export.json');
    await cli.run(['state', 'export', '--output', file]);
    expect(JSON.parse(await readFile(file, 'utf8'))['workspaces']).toEqual(state!['workspaces']);
  });

  test('L-203 status prints its report whatever the verdict, and the exit code is the verdict', async () => {
    const { code, records } = await json('status');
    const [report] = records();
    expect(code).toBe({ ok: 0, degraded: 10, unhealthy: 1 }[String(report!['overall'])]);
    expect(report).toMatchObject({ current_workspace: 'global', catalogs_enrolled: 2 });
    expect((await failure('status', 'nope'))[0]).toBe(13);
  });

  test('doctor reads only, prints the machine and the library, and exits with its verdict', async () => {
    const { code, records } = await json('doctor');
    const [report] = records();
    expect(code).toBe({ ok: 0, degraded: 10, unhealthy: 1 }[String(report!['overall'])]);
    expect((report!['machine'] as { check: string }[]).map((each) => each.check)).toContain('node');
    expect(report!['unreachable']).toBeNull();
  });

  test('L-074 a malformed config.toml makes commands exit 5, while status and doctor still report', async () => {
    const config = join(cli.root, 'state', 'config.toml');
    await writeFile(config, '[query]\ntop_q = 3\n');
    expect(await failure('catalog', 'list')).toEqual([5, 'manifest_invalid']);
    const status = await json('status');
    expect(status.records()[0]).toMatchObject({ overall: 'unhealthy', config: { ok: false } });
    expect((await json('doctor')).records()).toHaveLength(1);
    await rm(config);
  });

  test('L-051 L-052 disabling: 54 without a terminal, done with --yes, then 21', async () => {
    expect(await failure('plugin', 'disable', 'grove/care')).toEqual([54, 'not_a_terminal']);
    const { records } = await json('plugin', 'disable', 'grove/care', '--yes');
    expect(records()).toMatchObject([{ plugin: 'grove/care', status: 'disabled' }]);
    expect(await failure('plugin', 'disable', 'grove/care', '--yes')).toEqual([
      21,
      'plugin_already_in_state',
    ]);
  });

  test('where a yes is wanted and nobody can be asked, what does not exist is told first', async () => {
    expect((await failure('plugin', 'disable', 'nosuch/x'))[0]).toBe(3);
    expect((await failure('plugin', 'disable', 'grove/nosuch'))[0]).toBe(20);
    expect((await failure('plugin', 'disable', 'grove/care'))[0]).toBe(21);
    expect((await failure('catalog', 'remove', 'nosuch'))[0]).toBe(3);
  });

  test('L-044 removing a catalog with enabled plugins exits 53 even when non-interactive', async () => {
    expect(await failure('catalog', 'remove', 'orchard')).toEqual([
      53,
      'catalog_has_enabled_plugins',
    ]);
    expect(await failure('catalog', 'remove', 'orchard', '--non-interactive')).toEqual([
      53,
      'catalog_has_enabled_plugins',
    ]);
    const { records } = await json('catalog', 'remove', 'orchard', '--force');
    expect(records()).toMatchObject([{ removed: { name: 'orchard' } }]);
    expect(await readFile(join(orchard, 'grafting/skills/graft-plan/SKILL.md'), 'utf8')).toContain(
      'whip graft',
    );
  });

  test('L-043 removing without a terminal exits 2; LECTERN_NONINTERACTIVE=0 still refuses, =1 proceeds', async () => {
    expect(await failure('catalog', 'remove', 'grove')).toEqual([2, 'usage']);
    const off = await cli.run(['catalog', 'remove', 'grove'], {
      env: { LECTERN_NONINTERACTIVE: '0' },
    });
    expect(off.code).toBe(2);
    const on = await cli.run(['catalog', 'remove', 'grove'], {
      env: { LECTERN_NONINTERACTIVE: '1' },
    });
    expect(on.code).toBe(0);
    expect(await failure('catalog', 'remove', 'grove')).toEqual([3, 'catalog_not_found']);
  });
});

describe.sequential('workspaces', () => {
  test('L-082 workspace current under the global fallback exits 12 with empty output', async () => {
    const { code, stdout, error } = await json('workspace', 'current');
    expect([code, stdout, error().category]).toEqual([12, '', 'workspace_not_bound']);
  });

  test('L-076 workspace init: global 15, an existing name 14', async () => {
    expect((await failure('workspace', 'init', 'global'))[0]).toBe(15);
    expect((await json('workspace', 'init', 'team')).records()).toMatchObject([{ name: 'team' }]);
    expect((await failure('workspace', 'init', 'team'))[0]).toBe(14);
  });

  test('L-075 bad names exit 15', async () => {
    for (const name of ['a-', '_a', 'a.b', '.', 'x'.repeat(65), 'ä']) {
      expect((await failure('workspace', 'init', name))[0], name).toBe(15);
    }
    expect((await json('workspace', 'init', 'x'.repeat(64))).code).toBe(0);
  });

  test('L-070 an empty LECTERN_WORKSPACE is ignored, an unknown one exits 13, an invalid one 15', async () => {
    const run = (value: string) =>
      cli.run(['catalog', 'list', '--json'], { env: { LECTERN_WORKSPACE: value } });
    expect((await run('')).code).toBe(0);
    expect((await run('nope')).code).toBe(13);
    expect((await run('a.b')).code).toBe(15);
  });

  test('L-077 binding the home directory exits 2 without --force and creates nothing', async () => {
    const home = join(cli.root, 'home');
    const { code } = await cli.run(['workspace', 'use', 'team', '--json'], { cwd: home });
    expect(code).toBe(2);
    await expect(readFile(join(home, '.lectern', 'config.toml'))).rejects.toThrow('ENOENT');
  });

  test('L-082 a bound directory and those below it print only the name', async () => {
    const project = join(cli.root, 'project');
    const inner = join(project, 'src');
    await mkdir(inner, { recursive: true });
    const used = await cli.run(['workspace', 'use', 'team', '--json'], { cwd: project });
    expect(used.records()).toMatchObject([{ workspace: 'team', created_marker: true }]);
    const current = await cli.run(['workspace', 'current'], { cwd: inner });
    expect([current.stdout, current.code]).toEqual(['team\n', 0]);
  });

  test('without a name: 54 where nobody can choose, 2 with --create', async () => {
    expect((await failure('workspace', 'use'))[0]).toBe(54);
    expect((await failure('workspace', 'use', '--create'))[0]).toBe(2);
  });

  test('workspace list has exactly one current, sorted by name', async () => {
    const { records } = await json('workspace', 'list', '-w', 'team');
    const names = records().map((row) => String(row['name']));
    expect(names).toEqual([...names].sort());
    expect(records().filter((row) => row['current'])).toMatchObject([{ name: 'team' }]);
  });
});
