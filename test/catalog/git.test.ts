import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import {
  cloneCatalog,
  commitTime,
  fetchCatalog,
  headCommit,
  isCommitRef,
  readHead,
  sweepClones,
} from '../../src/catalog/git.ts';
import { gitEnvironment } from '../../src/catalog/git-environment.ts';
import { makeRoot, plant } from './plant.ts';

const AUTHOR = ['-c', 'user.name=Ana', '-c', 'user.email=a@b.c', '-c', 'commit.gpgsign=false'];

function git(directory: string, ...args: string[]): string {
  return execFileSync('git', [...AUTHOR, '-C', directory, ...args], { encoding: 'utf8' }).trim();
}

/** A repository with one commit on `branch`. */
function plantRepository(branch = 'trunk'): { root: string; url: string } {
  const root = plant({ 'skills/a/SKILL.md': 'one' });
  git(root, 'init', '--quiet', `--initial-branch=${branch}`);
  git(root, 'add', '.');
  git(root, 'commit', '--quiet', '-m', 'one');
  return { root, url: pathToFileURL(root).href };
}

function commit(root: string, text: string): string {
  writeFileSync(join(root, 'skills/a/SKILL.md'), text);
  git(root, 'commit', '--quiet', '-am', text);
  return git(root, 'rev-parse', 'HEAD');
}

function textOf(clone: string): string {
  return readFileSync(join(clone, 'skills/a/SKILL.md'), 'utf8');
}

test("without a ref the remote's default branch is cloned, with depth 1", async () => {
  const { root, url } = plantRepository('trunk');
  commit(root, 'two');
  const clone = join(makeRoot(), 'clones/one');
  expect(await cloneCatalog(url, null, clone)).toEqual({
    branch: 'trunk',
    commit: git(root, 'rev-parse', 'HEAD'),
  });
  expect(git(clone, 'rev-list', '--count', 'HEAD')).toBe('1');
  expect(readdirSync(join(clone, '..'))).toEqual(['one']);
});

test('L-040 a branch, a tag and a full commit are refs alike', async () => {
  const { root, url } = plantRepository();
  const first = git(root, 'rev-parse', 'HEAD');
  git(root, 'tag', 'v1');
  git(root, 'branch', 'next');
  commit(root, 'two');
  for (const ref of ['next', 'v1', first]) {
    const clone = join(makeRoot(), 'clone');
    const head = await cloneCatalog(url, ref, clone);
    expect(head.commit).toBe(first);
    expect(textOf(clone)).toBe('one');
  }
});

test('a failed clone leaves nothing behind', async () => {
  const parent = makeRoot();
  const { url } = plantRepository();
  for (const [source, ref] of [
    [url, 'no-such-branch'],
    [`${url}-none`, null],
    [url, 'f'.repeat(40)],
  ] as const) {
    await expect(cloneCatalog(source, ref, join(parent, 'clone'))).rejects.toMatchObject({
      category: 'git_failed',
      exitCode: 6,
    });
  }
  expect(readdirSync(parent)).toEqual([]);
});

test('what git says is one sentence after another, without its empty lines', async () => {
  const { url } = plantRepository();
  const gone = cloneCatalog(`${url}-none`, null, join(makeRoot(), 'clone'));
  await expect(gone).rejects.toThrow(/: fatal: .+; Please make sure/);
  await expect(gone).rejects.not.toThrow(/; ;|\n/);
});

test('a helper of git that waits for its server ends with the process that cloned', async () => {
  const server = createTcpServer((socket) => socket.on('error', () => {}));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const script = join(import.meta.dirname, 'exit-while-cloning.ts');
  const args = [`http://127.0.0.1:${port}/x.git`, join(makeRoot(), 'clone')];
  const cloning = spawn(process.execPath, ['--import', 'tsx', script, ...args], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const [socket] = (await once(server, 'connection')) as [Socket];
  // Said once, and never answered.
  await once(socket, 'data');
  cloning.stdin.end();
  const isGone = new Promise((resolve) => socket.once('close', () => resolve('gone')));
  expect((await once(cloning, 'exit'))[0]).toBe(0);
  // Less than the 30 s after which git itself gives a silent server up.
  const patience = new Promise((resolve) => setTimeout(() => resolve('still there'), 10_000));
  expect(await Promise.race([isGone, patience])).toBe('gone');
});

test('a clone that was cut short is replaced', async () => {
  const { url } = plantRepository();
  const parent = plant({ 'clone/rest.txt': 'left over' });
  await cloneCatalog(url, null, join(parent, 'clone'));
  expect(existsSync(join(parent, 'clone/rest.txt'))).toBe(false);
  expect(textOf(join(parent, 'clone'))).toBe('one');
});

test('what killed clones have left is removed, and no clone', async () => {
  const { url } = plantRepository();
  const parent = plant({ 'one.clone-0123456789ab/.git/HEAD': 'x', 'two.clone/rest.txt': 'x' });
  await cloneCatalog(url, null, join(parent, 'one'));
  await sweepClones(parent);
  expect(readdirSync(parent).sort()).toEqual(['one', 'two.clone']);
  await sweepClones(join(parent, 'none'));
});

test('a fetch resets to the branch and counts the commits', async () => {
  const { root, url } = plantRepository();
  const clone = join(makeRoot(), 'clone');
  await cloneCatalog(url, null, clone);
  commit(root, 'two');
  const last = commit(root, 'three');
  writeFileSync(join(clone, 'skills/a/SKILL.md'), 'edited in the clone');
  expect(await fetchCatalog(clone, 'trunk')).toEqual({ advancedCommits: 2, commit: last });
  expect(textOf(clone)).toBe('three');
  expect(await fetchCatalog(clone, null)).toEqual({ advancedCommits: 0, commit: last });
});

test('without a ref a fetch follows the default branch when it is renamed', async () => {
  const { root, url } = plantRepository('trunk');
  const clone = join(makeRoot(), 'clone');
  await cloneCatalog(url, null, clone);
  git(root, 'branch', '-m', 'trunk', 'main');
  const last = commit(root, 'two');
  expect((await fetchCatalog(clone, null)).commit).toBe(last);
});

test('a tag of that name is taken where no branch has it, and a moved tag is followed', async () => {
  const { root, url } = plantRepository();
  git(root, 'tag', '-a', 'v1', '-m', 'v1');
  const clone = join(makeRoot(), 'clone');
  await cloneCatalog(url, 'v1', clone);
  const last = commit(root, 'two');
  git(root, 'tag', '-f', '-a', 'v1', '-m', 'v1 again');
  expect((await fetchCatalog(clone, 'v1')).commit).toBe(last);
});

test('rewritten history is followed and not counted', async () => {
  const { root, url } = plantRepository();
  commit(root, 'two');
  const clone = join(makeRoot(), 'clone');
  await cloneCatalog(url, null, clone);
  git(root, 'reset', '--quiet', '--hard', 'HEAD~1');
  const other = commit(root, 'another');
  expect(await fetchCatalog(clone, 'trunk')).toEqual({ advancedCommits: null, commit: other });
});

test('a fetch of what is gone is git_failed and keeps the clone', async () => {
  const { url } = plantRepository();
  const clone = join(makeRoot(), 'clone');
  await cloneCatalog(url, null, clone);
  await expect(fetchCatalog(clone, 'gone')).rejects.toMatchObject({ category: 'git_failed' });
  expect(textOf(clone)).toBe('one');
});

test('a ref that could pass for an option or a refspec is refused', async () => {
  const { url } = plantRepository();
  for (const ref of ['--upload-pack=x', 'a:b', 'a..b', '', 'a b', '+main', 'x@{1}']) {
    await expect(cloneCatalog(url, ref, join(makeRoot(), 'c'))).rejects.toMatchObject({
      category: 'usage',
    });
  }
});

test('hooks of a template and submodules do not run', async () => {
  const { root, url } = plantRepository();
  const marker = join(makeRoot(), 'ran');
  const template = plant({ 'hooks/post-checkout': `#!/bin/sh\ntouch ${marker}\n` });
  execFileSync('chmod', ['+x', join(template, 'hooks/post-checkout')]);
  const inner = plantRepository();
  git(root, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.url, 'inner');
  git(root, 'commit', '--quiet', '-m', 'submodule');
  const clone = join(makeRoot(), 'clone');
  await cloneCatalog(url, null, clone, { ...process.env, GIT_TEMPLATE_DIR: template });
  expect(existsSync(marker)).toBe(false);
  expect(readdirSync(join(clone, 'inner'))).toEqual([]);
});

test('a protocol that runs programs is refused', async () => {
  const marker = join(makeRoot(), 'ran');
  await expect(
    cloneCatalog(`ext::sh -c "touch ${marker}"`, null, join(makeRoot(), 'c')),
  ).rejects.toMatchObject({ category: 'git_failed' });
  expect(existsSync(marker)).toBe(false);
});

test('head, branch and time of a work tree; nulls where there is none', async () => {
  const { root } = plantRepository('trunk');
  const commitId = git(root, 'rev-parse', 'HEAD');
  expect(await readHead(root)).toEqual({ branch: 'trunk', commit: commitId });
  expect(await commitTime(root)).toBe(Number(git(root, 'log', '-1', '--format=%ct')) * 1000);
  const bare = makeRoot();
  expect(await headCommit(bare)).toBeNull();
  expect(await commitTime(bare)).toBeNull();
});

test('only the allow-listed part of the environment reaches git', () => {
  const env = gitEnvironment({
    HOME: '/home/ana',
    PATH: '/bin',
    SSH_AUTH_SOCK: '/s',
    https_proxy: 'http://p',
    GIT_SSH_COMMAND: 'ssh -i key',
    GIT_DIR: '/elsewhere/.git',
    GIT_INDEX_FILE: '/x',
    GIT_CONFIG_COUNT: '9',
    GIT_ASKPASS: '/bin/ask',
    SSH_ASKPASS: '/bin/ask',
    SECRET: 's',
    LD_PRELOAD: 'evil.so',
  });
  expect(env).toMatchObject({
    HOME: '/home/ana',
    SSH_AUTH_SOCK: '/s',
    https_proxy: 'http://p',
    GIT_SSH_COMMAND: 'ssh -i key -oBatchMode=yes',
    GIT_TERMINAL_PROMPT: '0',
    GIT_ASKPASS: '',
    GIT_ALLOW_PROTOCOL: 'https:http:ssh:git:file',
  });
  for (const name of [
    'GIT_DIR',
    'GIT_INDEX_FILE',
    'GIT_CONFIG_COUNT',
    'SSH_ASKPASS',
    'SECRET',
    'LD_PRELOAD',
  ]) {
    expect(env).not.toHaveProperty(name);
  }
});

/** A server that is no repository: it refuses whatever it is asked and keeps the headers. */
async function openRefusingServer(): Promise<{ port: number; seen: (string | undefined)[] }> {
  const seen: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization);
    response.writeHead(403).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { port: (server.address() as AddressInfo).port, seen };
}

test('L-036 credentials reach the server and no error message', async () => {
  const { port, seen } = await openRefusingServer();
  const env = { ...process.env, no_proxy: '127.0.0.1' };
  const url = `http://ana:s3cret-word@127.0.0.1:${port}/orchard`;
  const error = await cloneCatalog(url, null, join(makeRoot(), 'c'), env).catch(
    (caught: Error) => caught,
  );
  expect(seen).toEqual([`Basic ${Buffer.from('ana:s3cret-word').toString('base64')}`]);
  expect(JSON.stringify([error, (error as Error).message])).not.toMatch(/s3cret-word|ana:/);
  expect((error as Error).message).toContain(`http://127.0.0.1:${port}/orchard`);
});

test('L-036 the configuration of a clone holds the public URL only', async () => {
  const { root } = plantRepository();
  const parent = makeRoot();
  // A file URL with userinfo: git ignores it, so the clone works, and what is stored shows.
  const url = `file://ana:s3cret-word@${root}`;
  await cloneCatalog(url, null, join(parent, 'clone'));
  expect(readFileSync(join(parent, 'clone/.git/config'), 'utf8')).not.toContain('s3cret-word');
});

test('L-046 seven to forty hexadecimal digits name a frozen commit', () => {
  expect(isCommitRef('abcdef0')).toBe(true);
  expect(isCommitRef('f'.repeat(40))).toBe(true);
  expect(isCommitRef('abcdef')).toBe(false);
  expect(isCommitRef('f'.repeat(41))).toBe(false);
  expect(isCommitRef('main')).toBe(false);
});
