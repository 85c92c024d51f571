import { statSync } from 'node:fs';
import type { PartNote } from '../src/library/parts.ts';
import { MisplacedError, nameKind } from '../src/protocol/link/own-file.ts';
import type { StatePaths } from '../src/protocol/link/state-paths.ts';

/**
 * What stands in the place of a file or directory of ours that the daemon can do
 * without, for `status` and `doctor`; what it cannot do without, nothing serves.
 */
export function findMisplaced(paths: StatePaths): PartNote[] {
  const files = [paths.breadcrumb, paths.indexerBreadcrumb, paths.births, paths.ground];
  files.push(paths.serviceFile, paths.httpToken, paths.daemonLog, paths.mcpLog);
  const directories = [paths.vectorSnapshot, paths.cookies, paths.models, paths.backups];
  directories.push(paths.catalogs, paths.workspaces, paths.pluginData);
  return [
    ...files.flatMap((path) => noteAt(path, 'file')),
    ...directories.flatMap((path) => noteAt(path, 'directory')),
  ];
}

function noteAt(path: string, wanted: 'file' | 'directory'): PartNote[] {
  const stat = lookAt(path);
  if (stat === undefined || nameKind(stat) === wanted) return [];
  const { message, next } = new MisplacedError(path, nameKind(stat), wanted);
  return [{ subsystem: 'state root', diagnosis: message, command: next }];
}

function lookAt(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // What cannot be looked at is told by who needs it.
    return undefined;
  }
}
