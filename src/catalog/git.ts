import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LecternError } from '../core/errors.ts';
import {
  authorizationOf,
  GIT_SETTINGS,
  type GitEnvironment,
  gitEnvironment,
} from './git-environment.ts';
import { scrubText, scrubUrl } from './source.ts';

/**
 * The longest a clone or fetch may take in all. A stalled transfer ends after
 * 30 s by `http.lowSpeedTime`; this ends the ones that trickle.
 */
const NETWORK_TIMEOUT_MS = 10 * 60_000;

/** Reading refs of a local clone. */
const LOCAL_TIMEOUT_MS = 30_000;

/** How long git and its helpers have to end when they are asked to. */
const KILL_AFTER_MS = 2_000;

/** Where git runs in a process group of its own, which can be ended with all that it started. */
const HAS_GROUPS = process.platform !== 'win32';

export interface Head {
  /** Null when the head is detached. */
  branch: string | null;
  /** Null in a repository without commits, or where no repository is. */
  commit: string | null;
}

/** True for a ref that names a frozen commit (library contract 3.3). */
export function isCommitRef(ref: string): boolean {
  return /^[0-9a-fA-F]{7,40}$/.test(ref);
}

/**
 * Clone with depth 1 into `directory`: first beside it, then renamed, so that
 * it is complete or absent. The clone's configuration holds no credentials.
 *
 * @param url with credentials, if it has any
 * @param ref branch or tag, or a commit's full SHA; null for the remote's default branch
 * @throws LecternError git_failed (6), without credentials in its message
 */
export async function cloneCatalog(
  url: string,
  ref: string | null,
  directory: string,
  env: GitEnvironment = process.env,
): Promise<Head> {
  if (ref !== null) checkRef(ref);
  const staging = `${directory}.clone-${randomBytes(6).toString('hex')}`;
  await mkdir(dirname(directory), { recursive: true, mode: 0o700 });
  try {
    await fillClone(url, ref, staging, env);
    const head = await readHead(staging);
    await rm(directory, { recursive: true, force: true });
    await rename(staging, directory);
    return head;
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/**
 * Remove what is left of clones whose process was killed. Before the first clone
 * of a process: what is listed then is nobody's.
 *
 * @param parent of the directories that were cloned into
 */
export async function sweepClones(parent: string): Promise<void> {
  let names: string[];
  try {
    names = readdirSync(parent);
  } catch {
    // Nothing was cloned yet.
    return;
  }
  const left = names.filter((name) => /\.clone-[0-9a-f]{12}$/.test(name));
  // A git that outlived its process may still write; the next start finds what stays.
  const remove = (name: string) => rm(join(parent, name), { recursive: true, force: true });
  await Promise.all(left.map((name) => remove(name).catch(() => {})));
}

async function fillClone(
  url: string,
  ref: string | null,
  staging: string,
  env: GitEnvironment,
): Promise<void> {
  const remote = { url, env, doing: `clone ${scrubUrl(url)}${ref === null ? '' : ` at ${ref}`}` };
  if (ref === null || !/^[0-9a-fA-F]{40}$/.test(ref)) {
    const branch = ref === null ? [] : ['--branch', ref];
    await runNetwork(remote, [
      ...['clone', '--quiet', '--depth', '1', '--no-recurse-submodules'],
      ...[...branch, '--', scrubUrl(url), staging],
    ]);
    return;
  }
  // `clone --branch` takes no commit; most servers hand out a commit asked for by its full name.
  await runLocal(null, ['init', '--quiet', staging]);
  await runLocal(staging, ['remote', 'add', 'origin', scrubUrl(url)]);
  await runNetwork(remote, ['fetch', '--quiet', '--depth', '1', 'origin', ref], staging);
  await runLocal(staging, ['checkout', '--quiet', '--detach', 'FETCH_HEAD']);
}

/**
 * Fetch and hard-reset a clone that lectern made: to the branch of that name,
 * else the tag. Local changes in it are lost.
 *
 * @param ref null for the remote's default branch
 * @returns how many commits the head moved forward; null when that cannot be
 *   told, because history was rewritten or another ref was taken
 * @throws LecternError git_failed (6)
 */
export async function fetchCatalog(
  directory: string,
  ref: string | null,
  env: GitEnvironment = process.env,
): Promise<{ advancedCommits: number | null; commit: string | null }> {
  if (ref !== null) checkRef(ref);
  const url = (await tryLocal(directory, ['remote', 'get-url', 'origin'])) ?? '';
  const wanted = ref ?? (await defaultBranch(directory, url, env));
  const remote = { url, env, doing: `fetch ${wanted} of ${scrubUrl(url)}` };
  const before = await headCommit(directory);
  const target = await fetchRef(directory, wanted, remote);
  await runLocal(directory, ['reset', '--quiet', '--hard', target]);
  const commit = await headCommit(directory);
  return { advancedCommits: await countBetween(directory, before, commit), commit };
}

async function fetchRef(directory: string, ref: string, remote: Remote): Promise<string> {
  const fetch = (refspec: string) =>
    runNetwork(remote, ['fetch', '--quiet', '--no-tags', 'origin', refspec], directory);
  try {
    await fetch(`+refs/heads/${ref}:refs/remotes/origin/${ref}`);
    return `refs/remotes/origin/${ref}`;
  } catch (error) {
    // Only an absent branch may be a tag; an absent network would fail twice as long.
    if (!(error instanceof LecternError) || !/couldn't find remote ref/i.test(error.message)) {
      throw error;
    }
  }
  await fetch(`+refs/tags/${ref}:refs/tags/${ref}`);
  return `refs/tags/${ref}^{commit}`;
}

async function defaultBranch(directory: string, url: string, env: GitEnvironment): Promise<string> {
  const remote = { url, env, doing: `ask ${scrubUrl(url)} for its default branch` };
  const answer = await runNetwork(remote, ['ls-remote', '--symref', 'origin', 'HEAD'], directory);
  const branch = /^ref: refs\/heads\/(\S+)\tHEAD$/m.exec(answer)?.[1];
  if (branch !== undefined) return branch;
  throw new LecternError('git_failed', `${scrubUrl(url)} has no default branch`, {
    next: 'name one with --ref',
  });
}

async function countBetween(
  directory: string,
  before: string | null,
  after: string | null,
): Promise<number | null> {
  if (before === null || after === null) return null;
  if (before === after) return 0;
  if ((await tryLocal(directory, ['merge-base', '--is-ancestor', before, after])) === null) {
    return null;
  }
  const count = await tryLocal(directory, ['rev-list', '--count', `${before}..${after}`]);
  return count === null ? null : Number(count);
}

/** Commit that a work tree has checked out; null where there is none. */
export async function headCommit(directory: string): Promise<string | null> {
  return tryLocal(directory, ['rev-parse', '--verify', '--quiet', 'HEAD^{commit}']);
}

/** Commit and branch that a work tree has checked out. */
export async function readHead(directory: string): Promise<Head> {
  const [branch, commit] = await Promise.all([
    tryLocal(directory, ['symbolic-ref', '--quiet', '--short', 'HEAD']),
    headCommit(directory),
  ]);
  return { branch, commit };
}

/** Time of the commit that a work tree has checked out, Unix ms; null where there is none. */
export async function commitTime(directory: string): Promise<number | null> {
  const seconds = await tryLocal(directory, ['log', '-1', '--format=%ct']);
  return seconds === null || seconds === '' ? null : Number(seconds) * 1000;
}

/** The functions above under the names that the library knows them by. */
export const systemGit = {
  clone: cloneCatalog,
  update: fetchCatalog,
  head: readHead,
  commitTime,
} as const;

/** A ref goes into argument lists and refspecs. @throws LecternError usage */
function checkRef(ref: string): void {
  const isPlain = /^[A-Za-z0-9_][A-Za-z0-9_./+@#-]*$/.test(ref) && ref.length <= 200;
  if (!isPlain || ref.includes('..') || ref.includes('@{') || /(?:\/|\.lock)$/.test(ref)) {
    throw new LecternError('usage', `"${ref}" is not a branch, tag or commit`);
  }
}

interface Remote {
  /** With credentials, if it has any. */
  url: string;
  env: GitEnvironment;
  /** What git is asked to do, for the message. */
  doing: string;
}

async function runNetwork(
  remote: Remote,
  args: readonly string[],
  directory?: string,
): Promise<string> {
  const ran = await runGit(args, {
    directory,
    env: gitEnvironment(remote.env, authorizationOf(remote.url)),
    timeoutMs: NETWORK_TIMEOUT_MS,
  });
  if (ran.outcome === 'ok') return ran.stdout;
  throw fail(`git could not ${remote.doing}`, ran, remote.url);
}

async function runLocal(directory: string | null, args: readonly string[]): Promise<string> {
  const ran = await runGit(args, {
    directory: directory ?? undefined,
    env: gitEnvironment(process.env),
    timeoutMs: LOCAL_TIMEOUT_MS,
  });
  if (ran.outcome === 'ok') return ran.stdout;
  throw fail(`git ${args[0]} failed`, ran, '');
}

async function tryLocal(directory: string, args: readonly string[]): Promise<string | null> {
  const ran = await runGit(args, {
    directory,
    env: gitEnvironment(process.env),
    timeoutMs: LOCAL_TIMEOUT_MS,
  });
  return ran.outcome === 'ok' ? ran.stdout : null;
}

interface Ran {
  outcome: 'ok' | 'failed' | 'timed out' | 'no git';
  stdout: string;
  stderr: string;
}

async function runGit(
  args: readonly string[],
  options: { directory: string | undefined; env: Record<string, string>; timeoutMs: number },
): Promise<Ran> {
  // Loaded for the first of them: a daemon whose catalogs need no git starts 20 ms sooner.
  const { execa } = await import('execa');
  const settings = GIT_SETTINGS.flatMap((setting) => ['-c', setting]);
  const where = options.directory === undefined ? [] : ['-C', options.directory];
  const git = execa('git', [...settings, ...where, ...args], {
    env: { ...options.env, LC_ALL: 'C' },
    extendEnv: false,
    stdin: 'ignore',
    reject: false,
    detached: HAS_GROUPS,
    maxBuffer: 1024 * 1024,
  });
  if (running.size === 0) process.on('exit', endAll);
  running.add(git);
  let hasTimedOut = false;
  const timers = [
    setTimeout(() => {
      hasTimedOut = true;
      endGroup(git, 'SIGTERM');
    }, options.timeoutMs),
    // Git is asked to stop and then made to: a hung helper must not outlive its clone.
    setTimeout(() => endGroup(git, 'SIGKILL'), options.timeoutMs + KILL_AFTER_MS),
  ];
  const ran = await git;
  for (const timer of timers) clearTimeout(timer);
  running.delete(git);
  if (running.size === 0) process.off('exit', endAll);
  // Whoever killed git may have left its helpers.
  if (ran.isTerminated) endGroup(git, 'SIGTERM');
  const outcome =
    ran.code === 'ENOENT' ? 'no git' : hasTimedOut ? 'timed out' : ran.failed ? 'failed' : 'ok';
  return { outcome, stdout: ran.stdout ?? '', stderr: ran.stderr ?? '' };
}

/** A git that was started. */
interface Git {
  pid?: number | undefined;
  kill(signal: NodeJS.Signals): boolean;
}

/** What runs now; it ends with this process. */
const running = new Set<Git>();

function endAll(): void {
  for (const git of running) endGroup(git, 'SIGTERM');
}

/** Git talks to servers through helpers (`git-remote-https`, `ssh`), which do not end with it. */
function endGroup(git: Git, signal: NodeJS.Signals): void {
  if (git.pid === undefined) return;
  try {
    if (HAS_GROUPS) process.kill(-git.pid, signal);
    else git.kill(signal);
  } catch {
    // All of them have ended.
  }
}

/** The error of a failed run: what git said last, without anything secret. */
function fail(what: string, ran: Ran, url: string): LecternError {
  if (ran.outcome === 'no git') {
    return new LecternError('git_failed', `${what}: git is not installed`, { next: 'install git' });
  }
  if (ran.outcome === 'timed out') {
    return new LecternError('git_failed', `${what}: it took more than 10 minutes`);
  }
  const said = linesOf(ran.stderr).slice(-5).join('; ').slice(0, 1_000);
  return new LecternError('git_failed', `${what}: ${hideSecrets(scrubText(said), url)}`);
}

function hideSecrets(text: string, url: string): string {
  if (!URL.canParse(url)) return text;
  const { username, password } = new URL(url);
  // Shorter words occur in any message, and hiding them would make it unreadable.
  const secrets = [password, /^ssh:/i.test(url) ? '' : username].filter((word) => word.length > 3);
  return secrets.reduce((hidden, word) => hidden.replaceAll(word, '***'), text);
}

/** Without the empty ones that git sets its advice apart with. */
function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
