import type { ChildProcess } from 'node:child_process';
import { closeSync, constants, fstatSync, ftruncateSync } from 'node:fs';
import { daemonCommand } from './daemon-command.ts';
import { pickDaemonEnvironment } from './environment.ts';
import { findNewerDaemon } from './newest-daemon.ts';
import {
  MisplacedError,
  makeOwnDirectory,
  openOwnFile,
  readEndOfOwnFile,
  readOwnFile,
} from './own-file.ts';
import { ensureStateRoot, type StatePaths } from './state-paths.ts';
import { reachUserManager } from './user-manager.ts';

/**
 * What a daemon writes to stdout and stderr before its log is open, and what
 * native code prints when it dies. Emptied when over a megabyte: it holds the
 * last words of births, not a history.
 */
const LAST_WORDS_BYTES = 1024 * 1024;

/**
 * Start a daemon that outlives this process: own session, stdio to a file, an
 * allow-listed environment, the state root as working directory (so that it
 * pins no project directory).
 *
 * When the login service is installed, `service.json` in the state root says
 * how to start it, and the daemon is born under the service manager instead of
 * inheriting this process's sandbox.
 *
 * @param version of the client: a newer daemon that was here is started instead of its own
 * @param mayUseService false after the service manager failed to start it
 */
export async function spawnDaemon(
  paths: StatePaths,
  env: NodeJS.ProcessEnv,
  version: string,
  mayUseService = true,
): Promise<ChildProcess> {
  // Loaded here and not at the top: a hot start never spawns, and pays nothing.
  const { spawn } = await import('node:child_process');
  ensureStateRoot(paths.root);
  makeOwnDirectory(paths.logs);
  const fd = openLastWords(paths);
  try {
    const service = mayUseService ? readServiceStart(paths) : undefined;
    const given = pickDaemonEnvironment(env);
    const [command, ...args] = service ?? [
      ...(findNewerDaemon(paths, version) ?? daemonCommand()),
      'run',
      '--on-demand',
    ];
    const child = spawn(command!, args, {
      cwd: paths.root,
      detached: true,
      stdio: ['ignore', fd ?? 'ignore', fd ?? 'ignore'],
      env: {
        ...(service === undefined ? given : reachUserManager(given)),
        LECTERN_HOME: paths.root,
      },
      windowsHide: true,
    });
    child.on('error', () => {});
    child.unref();
    return child;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** Undefined where no file can be: the daemon is born without last words. */
function openLastWords(paths: StatePaths): number | undefined {
  const { O_WRONLY, O_APPEND, O_CREAT } = constants;
  try {
    const fd = openOwnFile(paths.lastWords, O_WRONLY | O_APPEND | O_CREAT);
    if (fstatSync(fd).size > LAST_WORDS_BYTES) ftruncateSync(fd);
    return fd;
  } catch (error) {
    if (error instanceof MisplacedError) return undefined;
    throw error;
  }
}

/** Whether a login service is installed, through which a daemon is started. */
export function isServiceInstalled(paths: StatePaths): boolean {
  return readServiceStart(paths) !== undefined;
}

/** The command that starts the installed login service; undefined when there is none. */
function readServiceStart(paths: StatePaths): string[] | undefined {
  try {
    const { start } = JSON.parse(readOwnFile(paths.serviceFile)) as {
      start?: unknown;
    };
    return Array.isArray(start) && start.length > 0 && start.every((a) => typeof a === 'string')
      ? start
      : undefined;
  } catch {
    return undefined;
  }
}

/** The end of what the last birth printed, to explain why it failed. */
export function readLastWords(paths: StatePaths): string {
  try {
    return pickLastWords(readEndOfOwnFile(paths.lastWords, LAST_WORDS_BYTES));
  } catch {
    return '';
  }
}

/** Of what a process printed at its end the line that says why: stacks come after it, in JavaScript and C++. */
function pickLastWords(text: string): string {
  const lines = text
    .split('\n')
    .filter((line) => !/^\s*(at |\d+: 0x)/.test(line))
    // V8 frames what it says with number signs.
    .map((line) => line.replace(/^[\s#]+/, '').trim())
    .filter((line) => line !== '' && !/^-+ Native stack trace -+$/.test(line));
  const says = /^lectern|error|fatal|assertion failed/i;
  return (lines.findLast((line) => says.test(line)) ?? lines.at(-1) ?? '').slice(0, 300);
}
