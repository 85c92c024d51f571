import { randomBytes } from 'node:crypto';
import { existsSync, rmdirSync, statSync, unlinkSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { basename, dirname } from 'node:path';
import { type DaemonRecord, readDaemonRecord } from '../src/protocol/link/daemon-file.ts';
import { PROTOCOL } from '../src/protocol/link/hello.ts';
import { noteNewestDaemon } from '../src/protocol/link/newest-daemon.ts';
import { readOwnFile, replaceOwnFile } from '../src/protocol/link/own-file.ts';
import { identifySelf, readPidNamespace } from '../src/protocol/link/process-identity.ts';
import type { StatePaths } from '../src/protocol/link/state-paths.ts';
import { socketPaths } from './socket-path.ts';
import { ConfinedError } from './writable-root.ts';

/** A daemon that listens and can be found. */
export interface Announcement {
  socket: string;
  token: string;
  /** False when another daemon's record or token, or none, stands where ours was written. */
  isOurs(): boolean;
  /** Take no more connections and unlink the socket; those that are open go on. */
  stopListening(): void;
  /** Remove what clients find us by, if it is still ours. */
  retract(): void;
}

/**
 * Listen, then tell where: token file and socket first, `daemon.json` last, so
 * that whoever reads it can connect. The caller holds the owner lock and has
 * set umask 077.
 *
 * @throws ConfinedError when no place can be listened on
 */
export async function announceBirth(
  paths: StatePaths,
  { version, answersAsRecorded }: Pick<DaemonRecord, 'version' | 'answersAsRecorded'>,
  onConnection: (socket: Socket) => void,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Announcement> {
  removeLeftSocket(paths);
  const nonce = randomBytes(4).toString('hex');
  const { server, path } = await listenSomewhere(socketPaths(paths.root, nonce, env), onConnection);
  const inode = readInode(path);
  const token = randomBytes(32).toString('base64url');
  const record: DaemonRecord = {
    ...identifySelf(),
    socket: path,
    version,
    protocol: PROTOCOL,
    tokenFile: paths.tokenFile,
    bornAt: Date.now(),
    answersAsRecorded,
    pidNamespace: readPidNamespace(),
  };
  try {
    replaceOwnFile(paths.tokenFile, token);
    replaceOwnFile(paths.daemonFile, `${JSON.stringify(record)}\n`);
    noteNewestDaemon(paths, version);
  } catch (error) {
    // A full disk: the socket of a daemon that nobody can find is litter.
    server.close();
    throw error;
  }
  const hasOurRecord = () => readDaemonRecord(paths.daemonFile)?.socket === path;
  return {
    socket: path,
    token,
    isOurs: () =>
      stillHolds(paths.daemonFile, (text) => JSON.parse(text)?.socket === path) &&
      stillHolds(paths.tokenFile, (text) => text.trim() === token) &&
      (inode === undefined || readInode(path) === inode),
    stopListening: () => {
      // libuv unlinks the path on close; a file of another inode is not ours to unlink.
      if (inode !== undefined && readInode(path) !== inode && existsSync(path)) return;
      server.close();
    },
    retract: () => {
      if (hasOurRecord()) unlinkIfThere(paths.daemonFile);
      removeOwnDirectory(dirname(path));
    },
  };
}

/** What this process or machine is short of, and a fault of the disk: they say nothing of a file. */
const SHORTAGES = new Set(['EMFILE', 'ENFILE', 'ENOMEM', 'EIO']);

/** False on proof alone: where nothing can be opened now, who had the root still has it. */
function stillHolds(path: string, isOurs: (text: string) => boolean): boolean {
  try {
    return isOurs(readOwnFile(path));
  } catch (error) {
    return SHORTAGES.has((error as NodeJS.ErrnoException).code ?? '');
  }
}

/** We hold the lock, so the daemon on record is dead; its socket file is litter. */
function removeLeftSocket(paths: StatePaths): void {
  const left = readDaemonRecord(paths.daemonFile);
  if (left === undefined) return;
  if (/^lectern-[0-9a-f]{12}-[0-9a-f]{8}\.sock$/.test(basename(left.socket))) {
    unlinkIfThere(left.socket);
  }
}

async function listenSomewhere(
  places: Iterable<string>,
  onConnection: (socket: Socket) => void,
): Promise<{ server: Server; path: string }> {
  let failure = 'no directory can hold a socket';
  for (const path of places) {
    const server = createServer({ pauseOnConnect: false }, onConnection);
    try {
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen({ path, backlog: 511 }, () => {
          server.off('error', reject);
          resolve();
        });
      });
      // Accept errors (EMFILE) are transient; the connection is retried by its client.
      server.on('error', () => {});
      return { server, path };
    } catch (error) {
      removeOwnDirectory(dirname(path));
      failure = (error as Error).message;
    }
  }
  throw new ConfinedError(`no socket can be listened on: ${failure}`);
}

function readInode(path: string): number | undefined {
  try {
    return statSync(path).ino;
  } catch {
    return undefined;
  }
}

/** The directory that `socketPaths` made below the temp directory, unless a successor's socket is in it. */
function removeOwnDirectory(directory: string): void {
  if (!/^lectern-\d+-[0-9a-f]{12}$/.test(basename(directory))) return;
  try {
    rmdirSync(directory);
  } catch {
    // Not empty, or gone already.
  }
}

function unlinkIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Gone already, or a pipe name that is no file.
  }
}
