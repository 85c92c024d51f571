import { lstatSync } from 'node:fs';
import { mkdir, readFile, readlink, rmdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { replaceFile } from '../core/atomic-file.ts';
import { LecternError } from '../core/errors.ts';
import { ensureStateRoot } from '../protocol/link/state-paths.ts';
import { findFormer, findHolder } from './find-holder.ts';
import { type ServiceRecipe, STOP_SECONDS } from './plan.ts';
import type { Service } from './plan-here.ts';
import { encodeServiceFile, readServiceBytes, readServiceFile } from './read-service-file.ts';
import { digestText, readRecord, writeRecord } from './record.ts';
import { runCommand, tryCommand, tryCommands } from './run-command.ts';
import { removeService } from './uninstall.ts';

/** launchd answers that it unloads a service, and refuses another until the process has ended. */
const UNLOADING_MS = STOP_SECONDS * 1000;
const RETRY_MS = 250;

/** What an installation found and dealt with. */
export interface Installed {
  /** What a former version called the service of this root; removed. */
  replaced: string | null;
  /** The copy of a file that somebody had edited. */
  kept: string | null;
}

/**
 * Write the service file and hand it to the service manager. When a step of
 * the manager fails, everything is as it was: nothing half-installed.
 *
 * @throws LecternError io with the failing command and what it said; usage for root in another's home
 */
export async function installService(service: Service): Promise<Installed> {
  const { stateRoot, recipe } = service;
  refuseRoot([recipe.file, stateRoot]);
  await refuseMasked(recipe);
  const holder = await findHolder(service);
  if (holder.is === 'other') throw explainOther(recipe, holder.root);
  const former = await findFormer(service);
  const made = [stateRoot, dirname(recipe.output), dirname(recipe.file)].flatMap(findMissing);
  const before = await readServiceBytes(recipe);
  let kept: string | null;
  let isWritten = false;
  try {
    ensureStateRoot(stateRoot);
    // The service manager opens the daemon's output before the daemon could make its directory.
    await mkdir(dirname(recipe.output), { recursive: true, mode: 0o700 });
    await mkdir(dirname(recipe.file), { recursive: true, mode: 0o700 });
    kept = await keepEdited(service);
    await replaceFile(recipe.file, encodeServiceFile(recipe.content, recipe), 0o600);
    isWritten = true;
    await verify(recipe);
    await register(recipe);
    await writeRecord(stateRoot, recipe);
  } catch (error) {
    if (isWritten) await restore(recipe, before);
    // Deepest first; what holds something by now stays.
    for (const directory of made.sort((a, b) => b.length - a.length)) {
      await rmdir(directory).catch(() => {});
    }
    throw error;
  }
  // Last: its daemon serves until ours, which waits for the lock, takes over.
  if (former !== null) await removeService(former);
  return { replaced: former?.name ?? null, kept };
}

async function restore(recipe: ServiceRecipe, before: Buffer | undefined): Promise<void> {
  if (before === undefined) return removeService(recipe);
  await replaceFile(recipe.file, before, 0o600);
  await tryCommands(recipe.install);
}

async function register(recipe: ServiceRecipe): Promise<void> {
  await tryCommands(recipe.prepare);
  const hasUnloaded = recipe.unload !== null && !(await tryCommand(recipe.unload)).hasFailed;
  const deadline = performance.now() + (hasUnloaded ? UNLOADING_MS : 0);
  for (const command of recipe.install) {
    let isDone = false;
    while (!isDone && performance.now() < deadline) {
      isDone = !(await tryCommand(command)).hasFailed;
      if (!isDone) await pause(RETRY_MS);
    }
    if (!isDone) await runCommand(command);
  }
}

/**
 * Ask the platform's own verifier. One that is missing, or cannot work here,
 * says nothing about the file.
 */
async function verify({ verify: command, name }: ServiceRecipe): Promise<void> {
  if (command === null) return;
  const { hasFailed, said } = await tryCommand(command);
  const about = said.split('\n').filter((line) => line.includes(name));
  if (!hasFailed || about.length === 0) return;
  throw new LecternError('io', `${command[0]} refuses the service: ${about.join('; ')}`, {
    next: 'lectern daemon install --dry-run',
  });
}

/**
 * Keep a copy of a file that is not as we wrote it: a person's settings are in it.
 *
 * @returns the copy
 */
async function keepEdited({ stateRoot, recipe }: Service): Promise<string | null> {
  const text = await readServiceFile(recipe);
  if (text === undefined || text.trim() === '' || text === recipe.content) return null;
  const record = await readRecord(stateRoot);
  if (record?.file === recipe.file && record.sha256 === digestText(text)) return null;
  const copy = `${recipe.file}.bak`;
  await replaceFile(copy, await readFile(recipe.file), 0o600);
  return copy;
}

/** A service that root installs in another's home would be nobody's: no session of root looks there. */
function refuseRoot(paths: string[]): void {
  if (process.getuid?.() !== 0) return;
  for (const path of paths) {
    const there = findExisting(path);
    const { uid } = lstatSync(there);
    if (uid === 0) continue;
    throw new LecternError('usage', `${there} belongs to uid ${uid}, and this is root`, {
      next: 'as that user, without sudo: lectern daemon install',
    });
  }
}

/** `systemctl mask` puts a link to /dev/null in a unit's place. */
async function refuseMasked({ file, name }: ServiceRecipe): Promise<void> {
  if ((await readlink(file).catch(() => '')) !== '/dev/null') return;
  throw new LecternError('io', `${name} is masked: ${file} leads to /dev/null`, {
    next: `systemctl --user unmask ${name}, then again: lectern daemon install`,
  });
}

function explainOther({ file, name }: ServiceRecipe, root: string): LecternError {
  const quoted = /^[\w@%+=:,./-]+$/.test(root) ? root : `'${root.replaceAll("'", "'\\''")}'`;
  return new LecternError(
    'io',
    `${name} (${file}) starts the daemon of another state root, ${root}`,
    {
      next: `LECTERN_HOME=${quoted} lectern daemon install   (gives that one a name of its own; uninstall removes it), then again`,
    },
  );
}

/** The directories of a path that are not there, itself included. */
function findMissing(path: string): string[] {
  const missing: string[] = [];
  for (let at = path; !isThere(at); at = dirname(at)) missing.push(at);
  return missing;
}

function findExisting(path: string): string {
  let at = path;
  while (!isThere(at)) at = dirname(at);
  return at;
}

function isThere(path: string): boolean {
  if (dirname(path) === path) return true;
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // Below a file, or where we may not look: what is tried next says so.
    return false;
  }
}
