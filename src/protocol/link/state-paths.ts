import { chmodSync, lstatSync, mkdirSync, readdirSync, type Stats } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';

/**
 * Every path below the state root, in one place. Built-ins only: the proxy
 * bundle loads this before anything else.
 */
export interface StatePaths {
  root: string;
  /** What people configured (TOML, strict; library contract 13). */
  config: string;
  /** What people decided: enrolments, enablement, trust (design 6). */
  stateDb: string;
  /** What can be recomputed: files, entries, chunks, vectors, FTS. */
  indexDb: string;
  /** A copy of the vectors and their graph for a fast start; may be deleted at any time. */
  vectorSnapshot: string;
  /** Held `BEGIN EXCLUSIVE` for the daemon's life; never opened through `fs`. */
  ownerDb: string;
  /** How a client finds the daemon: socket, pid, start time, token file. */
  daemonFile: string;
  /** The newest lectern that has owned this root, and how it is started. */
  newestDaemon: string;
  /** Held by the one proxy that starts a daemon (O_EXCL). */
  spawnTicket: string;
  /** The daemon's token, 0600; a hello without it is refused. */
  tokenFile: string;
  /** The token of HTTP clients, 0600; kept over lives, since people copy it into host entries. */
  httpToken: string;
  /** The item in work, read by the next birth to find what killed the last. */
  breadcrumb: string;
  /** The indexer thread's own trail, apart from the daemon's: each is written by one hand. */
  indexerBreadcrumb: string;
  /** When daemons were born lately: what the limiter of births counts. */
  births: string;
  /** From which mounts and since which boot the enrolled directories were seen last. */
  ground: string;
  /** Of an installed login service: how a client starts it. */
  serviceFile: string;
  /** The directory whose cookie files prove that the watcher has caught up. */
  cookies: string;
  catalogs: string;
  workspaces: string;
  pluginData: string;
  models: string;
  backups: string;
  logs: string;
  daemonLog: string;
  mcpLog: string;
  /** What a daemon prints before its log is open, and at its end. */
  lastWords: string;
}

/** SQLite opens no file whose path has more than 512 bytes; ours have 70 more than the root. */
const MOST_ROOT_BYTES = 400;

/** Bits of a mode: what group and others may, and that everybody keeps files there. */
const OTHERS = 0o077;
const STICKY = 0o1000;

/** A state root that cannot be used at all (exit 2, library contract 1.1). */
export class StateRootError extends Error {
  override readonly name = 'StateRootError';
}

/**
 * The state root: `$LECTERN_HOME`, else `~/.lectern`; without a slash at its end,
 * behind which a link would look like the directory that it leads to.
 *
 * @throws StateRootError when LECTERN_HOME is relative, or HOME is empty, relative or unknown
 */
export function resolveStateRoot(env: NodeJS.ProcessEnv = process.env): string {
  const given = env['LECTERN_HOME'];
  if (given !== undefined && given !== '') {
    if (!isAbsolute(given)) {
      throw new StateRootError(`LECTERN_HOME must be an absolute path, got "${given}"`);
    }
    return resolve(given);
  }
  const home = env['HOME'];
  if (home === undefined) return join(askForHome(), '.lectern');
  if (home === '' || !isAbsolute(home)) {
    throw new StateRootError(`HOME must be an absolute path, got "${home}"`);
  }
  return join(home, '.lectern');
}

/**
 * The home directory where HOME is not set: as the password database knows it.
 * Asked only when it must be: loading `node:os` costs every start.
 *
 * @throws StateRootError for a user whom it does not know, as in containers that run under any uid
 */
export function askForHome(): string {
  try {
    return process.getBuiltinModule('node:os').homedir();
  } catch {
    throw new StateRootError(
      'HOME is not set, and the system knows no home directory of this user',
    );
  }
}

/** The layout below a state root. Pure: touches no disk. */
export function statePaths(root: string): StatePaths {
  const at = (...parts: string[]) => join(root, ...parts);
  return {
    root,
    config: at('config.toml'),
    stateDb: at('state.db'),
    indexDb: at('index.db'),
    vectorSnapshot: at('vectors'),
    ownerDb: at('owner.db'),
    daemonFile: at('daemon.json'),
    newestDaemon: at('newest.json'),
    spawnTicket: at('spawn.ticket'),
    tokenFile: at('token'),
    httpToken: at('http-token'),
    breadcrumb: at('breadcrumb.json'),
    indexerBreadcrumb: at('indexer-breadcrumb.json'),
    births: at('births.json'),
    ground: at('ground.json'),
    serviceFile: at('service.json'),
    cookies: at('cookies'),
    catalogs: at('catalogs'),
    workspaces: at('workspaces'),
    pluginData: at('plugin-data'),
    models: at('models'),
    backups: at('backups'),
    logs: at('logs'),
    daemonLog: at('logs', 'daemon.log'),
    mcpLog: at('logs', 'mcp.log'),
    lastWords: at('logs', 'daemon.out'),
  };
}

/**
 * Why no daemon and no read-only session can use this place, in words; undefined
 * where one may, or where the root is yet to be made.
 */
export function findStateRootFault(root: string): string | undefined {
  const length = Buffer.byteLength(root);
  if (length > MOST_ROOT_BYTES) {
    return `state root ${root.slice(0, 60)}… has ${length} bytes, and may have ${MOST_ROOT_BYTES}`;
  }
  try {
    const stat = lstatSync(root, { throwIfNoEntry: false });
    if (stat === undefined) return undefined;
    if (stat.isDirectory()) return findOtherUse(root, stat);
    return `state root ${root} is ${stat.isSymbolicLink() ? 'a symlink' : 'not a directory'}`;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOTDIR' ? `state root ${root} lies below a file` : undefined;
  }
}

/**
 * A state root is closed to others. Done to /tmp, / or a home that LECTERN_HOME
 * names by mistake, that would take it from everybody else.
 */
function findOtherUse(root: string, { mode, uid }: Stats): string | undefined {
  if ((mode & OTHERS) === 0 || uid !== process.getuid?.()) return undefined;
  const ours = Object.values(statePaths(root)).map((path) => basename(path));
  const names = readdirSync(root).filter((name) => name !== 'lost+found');
  const isShared = (mode & STICKY) !== 0;
  if (!isShared && (names.length === 0 || names.some((name) => ours.includes(name))))
    return undefined;
  return `state root ${root} is open to others and used for other things: LECTERN_HOME needs a directory of its own`;
}

/**
 * Create the state root 0700, or check the one that is there and close it to others.
 *
 * @throws StateRootError when it is a symlink, not a directory, another user's, or used for other things
 */
export function ensureStateRoot(root: string): void {
  const fault = findStateRootFault(root);
  if (fault !== undefined) throw new StateRootError(fault);
  makeDirectories(root);
  const stat = lstatSync(root);
  const uid = process.getuid?.();
  if (uid !== undefined && stat.uid !== uid) {
    throw new StateRootError(`state root ${root} belongs to uid ${stat.uid}, not to ${uid}`);
  }
  if ((stat.mode & OTHERS) !== 0) chmodSync(root, 0o700);
}

/**
 * As a recursive `mkdirSync`, which never returns where a directory that is there
 * takes none into it and says ENOENT, as /proc does: Node then makes the parent
 * again for ever.
 */
function makeDirectories(root: string): void {
  const missing: string[] = [];
  for (let at = root; lstatSync(at, { throwIfNoEntry: false }) === undefined; at = dirname(at)) {
    missing.unshift(at);
  }
  for (const directory of missing) {
    try {
      mkdirSync(directory, { mode: 0o700 });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST') continue;
      if (code !== 'ENOENT') throw error;
      throw new StateRootError(
        `state root ${root} cannot be made: ${dirname(directory)} takes no directories`,
      );
    }
  }
}
