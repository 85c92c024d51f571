import { resolve } from 'node:path';
import { readConfigLeniently } from '../src/core/config.ts';
import { type LecternError, toLecternError } from '../src/core/errors.ts';
import { Scope } from '../src/core/scope.ts';
import { VERSION } from '../src/core/version.ts';
import { makeOwnDirectory } from '../src/protocol/link/own-file.ts';
import type { StatePaths } from '../src/protocol/link/state-paths.ts';
import { composeDaemon } from './compose.ts';
import type { ComposeOptions, Composition } from './composition.ts';
import type { BootedChild } from './embedder/boot-child.ts';
import { composeFailure } from './failed-surface.ts';
import { type Log, openLog, openSilentLog } from './log.ts';
import { LogFile } from './log-file.ts';
import type { OwnerLock } from './owner-lock.ts';
import { type Daemon, IDLE_EXIT_MS, startDaemon } from './shell.ts';
import { ConfinedError } from './writable-root.ts';

/** A scope that does not close in this time is left to the kernel. */
const CLOSE_MS = 5000;

/** Own the state root and serve its socket until told to end; then exit. */
export async function serveSocket(
  paths: StatePaths,
  lock: OwnerLock,
  isOnDemand: boolean,
  embedder: BootedChild | undefined,
): Promise<void> {
  makeOwnDirectory(paths.logs);
  const scope = new Scope('daemon');
  scope.own(lock, (l) => l.release(), 'owner lock');
  const file = new LogFile(paths.daemonLog);
  const level = await readLogLevel(paths);
  const log = openLog(file, level);
  const sessionLog = openSessionLog(paths, log, level);
  let daemon: Daemon | undefined;
  const exit = (reason: string) => void closeAndExit(scope, log, reason, 0);
  endOnFaults(log);
  onSignals(
    (signal) => (daemon === undefined ? exit(signal) : void daemon.retire(signal)),
    () =>
      void daemon?.reload().catch((error: unknown) => log.error({ err: error }, 'reload failed')),
  );
  const { composition, failure } = await compose({
    paths,
    scope,
    log,
    readOnly: false,
    ...(embedder === undefined ? {} : { embedder }),
  });
  daemon = await startDaemon({
    paths,
    scope,
    log,
    sessionLog,
    version: VERSION,
    composition,
    listens: true,
    holdsLock: lock.isHeld,
    idleExitMs: isOnDemand ? IDLE_EXIT_MS : null,
    logFile: paths.daemonLog,
    startupFailure: failure?.message ?? null,
    onEnd: exit,
  });
}

/**
 * Serve the one client behind stdin and stdout, writing nothing to the state root.
 *
 * @param because why there is no daemon for it; null where a person wants none
 */
export async function serveStdio(paths: StatePaths, because: string | null): Promise<void> {
  // Frames own stdout from here on; whatever prints must not break them.
  console.log = console.error;
  console.info = console.error;
  const scope = new Scope('daemon');
  const log = openSilentLog();
  endOnFaults(log);
  let daemon: Daemon | undefined;
  const exit = (reason: string) => void closeAndExit(scope, log, reason, 0);
  onSignals((signal) => (daemon === undefined ? exit(signal) : void daemon.retire(signal)));
  const { composition, failure } = await compose({ paths, scope, log, readOnly: true, because });
  daemon = await startDaemon({
    paths,
    scope,
    log,
    sessionLog: log,
    version: VERSION,
    composition,
    listens: false,
    idleExitMs: null,
    logFile: null,
    startupFailure: failure?.message ?? null,
    onEnd: exit,
  });
  daemon.serve({
    readable: process.stdin,
    writable: process.stdout,
    destroy: () => process.stdin.destroy(),
  });
}

/** A daemon that cannot open its state still answers: the failure is in the answers (L-178). */
async function compose(
  options: ComposeOptions,
): Promise<{ composition: Composition; failure: LecternError | null }> {
  try {
    return { composition: await composeDaemon(options), failure: null };
  } catch (caught) {
    // Not a failure of the state: another daemon, elsewhere, can serve it.
    if (caught instanceof ConfinedError) throw caught;
    const failure = toLecternError(caught);
    options.log.error(
      { err: caught, category: failure.category },
      `start-up failed: ${failure.message}`,
    );
    return { composition: composeFailure(failure), failure };
  }
}

/** `LECTERN_MCP_LOG`: off or blank for none, else a path (library contract 9.4). */
function openSessionLog(paths: StatePaths, log: Log, level: string | undefined): Log {
  const wanted = process.env['LECTERN_MCP_LOG'];
  if (wanted !== undefined && /^(off)?$/i.test(wanted.trim())) return openSilentLog();
  const path = wanted === undefined ? paths.mcpLog : resolve(paths.root, wanted.trim());
  log.debug({ path }, 'records of sessions go to their own log');
  return openLog(new LogFile(path), level);
}

/** The environment wins over `logging.level` (library contract 13); a config.toml that is ignored names none. */
async function readLogLevel(paths: StatePaths): Promise<string | undefined> {
  const given = process.env['LECTERN_LOG'];
  if (given !== undefined && given.trim() !== '') return given;
  return (await readConfigLeniently(paths.config)).config.logging?.level;
}

function onSignals(end: (signal: string) => void, reload?: () => void): void {
  process.on('SIGTERM', () => end('SIGTERM'));
  process.on('SIGINT', () => end('SIGINT'));
  // Ignored where nothing can be reloaded: the default would kill us with the terminal.
  process.on('SIGHUP', () => reload?.());
}

/**
 * A rejected promise that nobody caught spoils one request; a thrown error may
 * have left anything half done, so the process ends and is born again clean.
 */
function endOnFaults(log: Log): void {
  process.on('unhandledRejection', (error) => log.error({ err: error }, 'unhandled rejection'));
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught exception');
    process.stderr.write(`lectern: uncaught error: ${error?.stack ?? error}\n`);
    process.exit(1);
  });
}

async function closeAndExit(scope: Scope, log: Log, reason: string, code: number): Promise<void> {
  setTimeout(() => {
    log.error({ left: scope.owned }, 'closing took too long');
    process.exit(code);
  }, CLOSE_MS).unref();
  await scope.close().catch((error: unknown) => log.error({ err: error }, 'closing failed'));
  log.info({ reason }, 'ended');
  process.exit(code);
}
