import { opendirSync, readlinkSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { readOwnFile, replaceOwnFile } from '../src/protocol/link/own-file.ts';
import { identifySelf } from '../src/protocol/link/process-identity.ts';
import type { StatePaths } from '../src/protocol/link/state-paths.ts';
import { ConfinedError } from './writable-root.ts';

/** Where roots were last seen, all of them. */
interface Ground {
  bootId: string | null;
  /** The kernel's name for the mount namespace: which file systems a process sees. */
  mountNamespace: string | null;
}

/**
 * Look at every enrolled root before anything is concluded from what is missing.
 *
 * A root that may not be read although its owner and mode allow it is kept from
 * us by a sandbox. One that is not there at all may have been deleted; it counts
 * as hidden when roots were last seen, since this boot, from another mount
 * namespace than ours.
 *
 * @throws ConfinedError
 */
export function checkRootsVisible(paths: StatePaths, roots: readonly string[]): void {
  const missing: string[] = [];
  for (const root of roots) {
    const sight = lookAt(root);
    if (sight === 'kept') throw new ConfinedError(`${root} is kept from this process`);
    if (sight === 'missing') missing.push(root);
  }
  const file = paths.ground;
  const here = readGround();
  const seen = recallGround(file);
  if (missing.length === 0) {
    if (seen?.bootId !== here.bootId || seen?.mountNamespace !== here.mountNamespace) {
      remember(file, here);
    }
    return;
  }
  const isElsewhere =
    seen !== undefined &&
    here.mountNamespace !== null &&
    seen.bootId === here.bootId &&
    seen.mountNamespace !== here.mountNamespace;
  if (isElsewhere) {
    throw new ConfinedError(`${missing[0]} is hidden from this process by its mount namespace`);
  }
}

/** What stands in the way of reading a directory, if anything. */
function lookAt(path: string): 'seen' | 'missing' | 'kept' | 'forbidden' {
  try {
    opendirSync(path).closeSync();
    return 'seen';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return 'missing';
    // Permission bits never answer EPERM.
    if (code === 'EPERM') return 'kept';
    return code === 'EACCES' && wouldAllow(path) ? 'kept' : 'forbidden';
  }
}

/** Whether owner and mode of `path`, or of what of it can be looked at, let us read it. */
function wouldAllow(path: string): boolean {
  for (let at = path; ; at = dirname(at)) {
    try {
      return mayUse(statSync(at), at === path ? 0o5 : 0o1, identity());
    } catch {
      if (dirname(at) === at) return false;
    }
  }
}

interface Identity {
  uid: number;
  groups: readonly number[];
}

/** @param bits what is asked for: read 4, search 1 */
export function mayUse(
  stat: Pick<Stats, 'uid' | 'gid' | 'mode'>,
  bits: number,
  { uid, groups }: Identity,
): boolean {
  if (uid === 0) return true;
  const shift = stat.uid === uid ? 6 : groups.includes(stat.gid) ? 3 : 0;
  return ((stat.mode >> shift) & bits) === bits;
}

function identity(): Identity {
  const gid = process.getegid?.() ?? 0;
  return { uid: process.geteuid?.() ?? 0, groups: [gid, ...(process.getgroups?.() ?? [])] };
}

function readGround(): Ground {
  const { bootId } = identifySelf();
  try {
    return { bootId, mountNamespace: readlinkSync('/proc/self/ns/mnt') };
  } catch {
    return { bootId, mountNamespace: null };
  }
}

function recallGround(file: string): Ground | undefined {
  try {
    const { bootId = null, mountNamespace = null } = JSON.parse(readOwnFile(file));
    return { bootId, mountNamespace };
  } catch {
    return undefined;
  }
}

/** A full disk forgets it: then what is missing counts as deleted. */
function remember(file: string, ground: Ground): void {
  try {
    replaceOwnFile(file, `${JSON.stringify(ground)}\n`);
  } catch {}
}
