import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '../eventually.ts';

const exec = promisify(execFile);
const PACKAGE = join(import.meta.dirname, '..', '..');

let root: string;
let project: string;
let files: string[];
let installs: boolean;

/** Node, npm and git are there; no compiler is. */
async function pathWithoutCompiler(): Promise<string> {
  const bin = join(root, 'bin');
  await mkdir(bin);
  for (const name of ['node', 'npm', 'git', 'sh', 'env']) {
    const { stdout } = await exec('sh', ['-c', `command -v ${name}`]);
    await symlink(stdout.trim(), join(bin, name));
  }
  return bin;
}

beforeAll(async () => {
  root = await mkdtemp(join(await realpath(tmpdir()), 'lectern-package-'));
  project = join(root, 'project');
  await mkdir(project);
  await mkdir(join(root, 'home'));
  const packed = await exec('npm', ['pack', '--json', '--pack-destination', root], {
    cwd: PACKAGE,
    maxBuffer: 16e6,
  });
  const [tarball] = JSON.parse(packed.stdout);
  files = tarball.files.map((file: { path: string }) => file.path);
  await writeFile(join(project, 'package.json'), '{"name":"somebody-elses","private":true}');
  const PATH = await pathWithoutCompiler();
  installs = await exec(
    'npm',
    [
      'install',
      '--ignore-scripts',
      '--prefer-offline',
      '--no-audit',
      '--no-fund',
      join(root, tarball.filename),
    ],
    { cwd: project, env: { ...process.env, PATH } },
  ).then(
    () => true,
    (error) => {
      console.warn(`SKIPPED: the package could not be installed (no registry?): ${error.message}`);
      return false;
    },
  );
});
afterAll(() => rm(root, { recursive: true, force: true }));

/** Run the installed command with nothing of ours around it. */
function lectern(...args: string[]) {
  return exec(join(project, 'node_modules', '.bin', 'lectern'), args, {
    cwd: project,
    env: { PATH: join(root, 'bin'), HOME: join(root, 'home') },
    maxBuffer: 16e6,
  });
}

test('the tarball holds what runs and what explains it, and no sources', () => {
  for (const file of [
    'bin/lectern.js',
    'dist/proxy.cjs',
    'dist/relay.cjs',
    'dist/cli/main.js',
    'oclif.manifest.json',
    'LICENSE',
    'README.md',
  ]) {
    expect(files).toContain(file);
  }
  expect(files.some((file) => file.startsWith('samples/starter/'))).toBe(true);
  expect(files.filter((file) => /^(src|test|scripts|daemon|proxy|docs)\//.test(file))).toEqual([]);
});

test('installed without scripts and without a compiler, it tells its version and explains itself', async ({
  skip,
}) => {
  if (!installs) skip();
  const { version } = JSON.parse(await readFile(join(PACKAGE, 'package.json'), 'utf8'));
  expect((await lectern('--version')).stdout).toContain(`lectern ${version} `);
  expect((await lectern('exit-codes', '53')).stdout).toContain('catalog_has_enabled_plugins');
});

test('installed so, the tour enrols, searches and loads through a real lectern mcp', async ({
  skip,
}) => {
  if (!installs) skip();
  const { stdout } = await lectern('quickstart');
  expect(stdout).toContain('14 entries');
  expect(stdout).toMatch(/characters in [\d.]+ ms/);
  const [, privateRoot] = /private library in (\S+);/.exec(stdout)!;
  await expect(readFile(join(privateRoot!, 'daemon.json'))).rejects.toThrow('ENOENT');
  expect(dirname(privateRoot!)).toBe(await realpath(tmpdir()));
});

/** Ask the installed product on a state root of its own; a failing command's output counts too. */
async function askAround(): Promise<{ answer: string; verified: string; doctor: string }> {
  const say = (...args: string[]) =>
    lectern(...args).then(
      ({ stdout }) => stdout,
      ({ stdout, stderr }) => `${stdout}${stderr}`,
    );
  await lectern(
    'catalog',
    'add',
    join(project, 'node_modules/lectern/samples/starter'),
    '--enable',
  );
  try {
    const answer = await eventually(async () => {
      const found = await say('query', 'review my pull request', '--json');
      // Words answer until the fourteen descriptions are embedded.
      expect(found).not.toMatch(/embedded so far|no vector within/);
      return found;
    }, 20_000);
    return { answer, verified: await say('models', 'verify'), doctor: await say('doctor') };
  } finally {
    await lectern('daemon', 'stop');
    await rm(join(root, 'home', '.lectern'), { recursive: true, force: true });
  }
}

test('installed so, the model answers, and vectors are compared one by one', async ({ skip }) => {
  if (!installs) skip();
  const { answer, verified, doctor } = await askAround();
  expect(answer).toContain('"reranked"');
  expect(verified).toContain('vectors agree with the model card');
  expect(doctor).toMatch(/ok {2}onnxruntime-node: loads/);
  expect(doctor).toMatch(/-- {2}hnswlib-node: vectors are scanned one by one/);
});

test('without its optional packages, words answer, and doctor names each with what mends it', async ({
  skip,
}) => {
  if (!installs) skip();
  for (const name of ['onnxruntime-node', 'onnxruntime-common', 'hnswlib-node'])
    await rm(join(project, 'node_modules', name), { recursive: true });
  const { answer, verified, doctor } = await askAround();
  expect(answer).toContain('"lexical"');
  expect(answer).toContain('review-diff');
  expect(verified).toContain('the files are whole, but the model does not run');
  expect(doctor).toMatch(/onnxruntime-node: .* search goes by words \(not installed\)/);
  expect(doctor).toContain('npm install --no-save --ignore-scripts onnxruntime-node@');
});
