import { existsSync } from 'node:fs';
import { daemonCommand } from './daemon-command.ts';
import { readOwnFile, replaceOwnFile } from './own-file.ts';
import type { StatePaths } from './state-paths.ts';
import { isNewer } from './version-order.ts';

/**
 * The newest lectern that has owned the state root. A client of an older one
 * starts that, and not its own: what a newer daemon wrote, an older one may not
 * be able to read (design 3E: never a downgrade).
 */
interface NewestDaemon {
  version: string;
  /** Program and entry, absolute. */
  command: string[];
}

/** Note who owns the state root, unless a newer one did that is still installed. */
export function noteNewestDaemon(paths: StatePaths, version: string): void {
  if (findNewerDaemon(paths, version) !== undefined) return;
  const newest: NewestDaemon = { version, command: daemonCommand() };
  try {
    replaceOwnFile(paths.newestDaemon, JSON.stringify(newest));
  } catch {
    // A full disk: the next birth notes it.
  }
}

/** The command of a daemon newer than `version` that is still installed. */
export function findNewerDaemon(paths: StatePaths, version: string): string[] | undefined {
  try {
    const newest = JSON.parse(readOwnFile(paths.newestDaemon)) as NewestDaemon;
    const { command } = newest;
    const isUsable = command.length > 0 && command.every((part) => typeof part === 'string');
    if (!isUsable || !isNewer(newest.version, version)) return undefined;
    return existsSync(command[0]!) && existsSync(command.at(-1)!) ? command : undefined;
  } catch {
    return undefined;
  }
}
